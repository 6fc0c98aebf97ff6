// The machine code of one kernel, written when it is first asked for.
#pragma once
#include <memory>
#include <mutex>

#include "kernel/native/code.hpp"

namespace vinculum::kernel::native {

class Forms {
 public:
  /// Of that kernel, or a copy of it; from any thread.
  const Code* code(const Kernel& kernel, int lanes);

 private:
  struct Form {
    std::once_flag asked;
    std::unique_ptr<const Code> code;
  };
  Form one_, eight_;
};

}  // namespace vinculum::kernel::native
