// A C file that derive wrote, compiled and loaded.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "vinculum/analysis/derive.hpp"

namespace vinculum::derived {

/// A model's C file as a loaded library.
class Compiled {
 public:
  Compiled(const Model& model, const std::string& name, const std::string& optimisation = "-O2") {
    char pattern[] = "/tmp/vinculum_derive_XXXXXX";
    folder_ = mkdtemp(pattern);
    std::ofstream(folder_ / "model.c") << derive_c(model, name);
    const std::string to = (folder_ / "model.so").string(), from = (folder_ / "model.c").string();
    const std::string command = "cc -std=c99 " + optimisation +
                                " -Wall -Wextra -pedantic -Werror -fPIC -shared -o " + to + " " + from +
                                " -lm 2> " + (folder_ / "messages").string();
    if (std::system(command.c_str()) != 0) {
      std::ifstream messages(folder_ / "messages");
      ADD_FAILURE() << name << "\n" << std::string(std::istreambuf_iterator<char>(messages), {});
      return;
    }
    library_ = dlopen(to.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~Compiled() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  bool loaded() const { return library_ != nullptr; }
  template <class Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name.c_str()));
  }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

}  // namespace vinculum::derived
