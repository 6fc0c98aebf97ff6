// Any bytes as a robot's file: importing must end with a model or with faults, and a model that was written
// must be read again. A crash, a hang or a sanitizer's report is a bug; an
// Error that leaves import_robot is one, too.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "vinculum/io/import_robot.hpp"

namespace {

using namespace vinculum;

/// Faults and remarks have a place inside the text and a sentence.
void judge_place(const Place& place, const std::string& sentence, std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  if (sentence.empty() || place.line < 1 || place.line > lines) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ImportResult result = import_robot(text, "fuzz.xml", {.floating = size % 2 == 1, .includes = false});
  if (result.robot.has_value() == !result.faults.empty()) std::abort();
  for (const Fault& fault : result.faults) judge_place(fault.place, fault.text, text);
  if (!result.robot) return 0;
  for (const Remark& remark : result.robot->remarks) judge_place(remark.place, remark.text, text);
  const std::string& toml = result.robot->toml;
  if (std::count(toml.begin(), toml.end(), '\n') != static_cast<long>(result.robot->origins.size()))
    std::abort();
  if (toml.size() < 200'000 && !read_model(toml, "fuzz.toml").file) std::abort();
  return 0;
}
