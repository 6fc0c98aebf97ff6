#include "kernel/native/forms.hpp"

#include <atomic>

namespace vinculum {
namespace kernel::native {
namespace {

std::atomic<KernelRoad> chosen = KernelRoad::native;
std::atomic<bool> refused = false;

}  // namespace

const Code* Forms::code(const Kernel& kernel, int lanes) {
  if (chosen.load(std::memory_order_relaxed) == KernelRoad::interpret) return nullptr;
  const std::span<const int> known = widths(lanes);
  if (known.empty() || kernel.code().empty()) return nullptr;
  Form& form = lanes == 1 ? one_ : eight_;
  std::call_once(form.asked, [&] {
    form.code = Code::of(kernel, lanes, known.back());
    if (form.code == nullptr) refused = true;
  });
  return form.code.get();
}

}  // namespace kernel::native

void choose_kernel_road(KernelRoad road) { kernel::native::chosen = road; }
KernelRoad kernel_road() { return kernel::native::chosen; }

std::string why_interpreted() {
  using namespace kernel::native;
  if (chosen == KernelRoad::interpret) return {};
  if (widths(1).empty()) return "this processor is none that machine code is written for (AVX2 or NEON)";
  if (refused)
    return "the system refuses memory that can be run as code, or the code of a kernel would be too long";
  return {};
}

}  // namespace vinculum
