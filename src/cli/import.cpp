// vinculum import: a robot's file as a model.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum::cli {

void say_remarks(const std::vector<Remark>& remarks) {
  for (const Remark& r : remarks) say_plain(fmt::format("{}:{}: {}", r.place.file, r.place.line, r.text));
}

int import_file(const std::string& path, const std::string& out, bool floating, bool quiet) {
  std::vector<Fault> faults;
  const auto text = read_text(path, faults);
  ImportResult result;
  if (text)
    result = import_robot(*text, path, {.floating = floating});
  else
    result.faults = std::move(faults);
  if (!result.robot) {
    report(path, result.faults);
    return bad_usage;
  }
  if (!quiet) say_remarks(result.robot->remarks);
  if (!quiet)
    for (const std::string& warning : result.warnings) say("warning", warning);
  if (out.empty() || out == "-") return print(result.robot->toml) ? done : not_computed;
  write_file(out, result.robot->toml);
  if (!quiet) say("note", fmt::format("wrote {0}; next: vinculum run {0}", out));
  return done;
}

}  // namespace vinculum::cli
