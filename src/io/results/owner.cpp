#include "io/results/owner.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <sstream>
#include <vector>

namespace vinculum {
namespace {

constexpr std::string_view mark = ".partial-";

/// State ("R", "Z" for one that is dead already) and start of a process; empty where it is not there.
struct Process {
  std::string state, start;
};
Process process(const std::string& number) {
  std::ifstream in("/proc/" + number + "/stat");
  std::string line;
  std::getline(in, line);
  // number (name) state ..; the name may hold anything, the start is the 22nd.
  std::istringstream words(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  Process p;
  words >> p.state;
  for (int k = 4; k <= 22; ++k) words >> p.start;
  return p;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// What stands between the dashes behind the mark.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  const std::size_t at = name.rfind(mark);
  if (at == name.npos) return parts;
  std::istringstream rest{std::string(name.substr(at + mark.size()))};
  for (std::string part; std::getline(rest, part, '-');) parts.push_back(part);
  return parts;
}

}  // namespace

std::string owner_mark() {
  const std::string number = std::to_string(getpid()), start = process(number).start;
  return number + "-" + (start.empty() ? "0" : start);
}

bool has_owner_mark(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  return !parts.empty() && parts.size() <= 3 && std::all_of(parts.begin(), parts.end(), is_number);
}

bool owner_lives(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  const Process p = process(parts.at(0));
  if (p.start.empty()) {  // or nothing tells of processes here
    long number = 0;
    std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), number);
    return process("self").start.empty() && kill(static_cast<pid_t>(number), 0) == 0;
  }
  return p.state != "Z" && p.state != "X" && (parts.size() < 2 || parts[1] == p.start);
}

}  // namespace vinculum
