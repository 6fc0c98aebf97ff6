// Runs the program as a person at a shell would, and keeps what it said.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace vinculum::cli_test {

struct Outcome {
  int status = -1;  ///< exit status; 128 + n when signal n ended it
  std::string out, err;
};

/// A folder of its own for each test; gone with it.
class Folder {
 public:
  Folder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("vinculum_cli_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    EXPECT_TRUE(in) << name;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  /// `line` is a line for the shell, run in this folder; `vinculum` in it is the program.
  Outcome shell(const std::string& line) const {
    write(".line",
          "cd '" + path_.string() + "'\nvinculum() { '" VINCULUM_PROGRAM "' \"$@\"; }\n" + line + "\n");
    const std::string command =
        "bash '" + path(".line") + "' > '" + path(".out") + "' 2> '" + path(".err") + "'";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): a test of a program
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(".out"), read(".err")};
  }
  /// The program with arguments as the shell splits them.
  Outcome operator()(const std::string& arguments) const { return shell("vinculum " + arguments); }
  /// The same after writing a model as m.toml.
  Outcome operator()(const std::string& arguments, const std::string& model) const {
    write("m.toml", model);
    return (*this)(arguments);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace vinculum::cli_test
