// The program as a process to be watched, and ended.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"

namespace vinculum::cli_test {

/// The program in a process of its own, its messages in .err.
class Started {
 public:
  explicit Started(const Folder& folder, std::vector<std::string> arguments,
                   const std::vector<int>& ignored = {}) {
    child_ = fork();
    if (child_ != 0) return;
    for (const int signal : ignored) std::signal(signal, SIG_IGN);
    if (chdir(folder.path(".").c_str()) != 0) _exit(126);
    dup2(open(".out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    arguments.insert(arguments.begin(), VINCULUM_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(VINCULUM_PROGRAM, argv.data());
    _exit(127);
  }
  ~Started() {
    if (child_ > 0) {
      signal(SIGKILL);
      wait();
    }
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  void signal(int number) const { kill(child_, number); }
  /// Exit status, or 128 + the signal.
  int wait() {
    int status = 0;
    wait4(child_, &status, 0, &use_);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  bool lives() const { return waitpid(child_, nullptr, WNOHANG) == 0; }
  long peak_kilobytes() const { return use_.ru_maxrss; }

 private:
  pid_t child_ = -1;
  rusage use_{};
};

inline void seconds(double time) { std::this_thread::sleep_for(std::chrono::duration<double>(time)); }

}  // namespace vinculum::cli_test
