// The manual page, made from the descriptions that --help shows.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/version.hpp"

namespace vinculum::cli {
namespace {

/// Text as troff reads it: a hyphen is a minus to copy, and no line begins with a request.
std::string roff(std::string_view text) {
  std::string safe;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if ((k == 0 || text[k - 1] == '\n') && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  return safe;
}

std::string options_of(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& o : command.options)
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(o.name),
                        o.value.empty() ? "" : " \\fI" + roff(o.value) + "\\fR", roff(o.text));
  return text;
}

std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(text)); }

std::string section_of(const CommandInfo& command) {
  std::string line = "vinculum " + command.name;
  for (const OptionInfo& o : command.options)
    if (!o.name.starts_with('-')) line += " " + o.name;
  return fmt::format(".SS {}\n{}\n{}{}", roff(line), roff(command.text), options_of(command),
                     verbatim(command.examples));
}

}  // namespace

int man_page(const CommandInfo& program, std::span<const CommandInfo> commands) {
  std::string page = fmt::format(
      ".TH VINCULUM 1 \"\" \"vinculum {}\" \"User Commands\"\n.SH NAME\nvinculum \\- motion that obeys "
      "equations\n.SH SYNOPSIS\n\\fBvinculum\\fR \\fICOMMAND\\fR [\\fIarguments\\fR]\n.SH DESCRIPTION\n{}\n",
      version(), roff(program.text));
  page += options_of(program) + ".SH COMMANDS\n";
  for (const CommandInfo& command : commands) page += section_of(command);
  page += ".SH EXAMPLES AND EXIT STATUS\n" + verbatim(program.examples);
  return print(page) ? done : not_computed;
}

}  // namespace vinculum::cli
