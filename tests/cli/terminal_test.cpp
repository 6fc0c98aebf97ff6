// Colour and progress are for people: on a terminal, and nowhere else.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace {

using vinculum::cli_test::Folder;
using vinculum::cli_test::Outcome;

const std::string examples = std::string(VINCULUM_SOURCE) + "/examples/";

/// What a terminal shows of the program, both streams together.
std::string seen_on_terminal(std::vector<std::string> arguments, const char* no_color = nullptr) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    if (no_color != nullptr) setenv("NO_COLOR", no_color, 1);
    arguments.insert(arguments.begin(), VINCULUM_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(VINCULUM_PROGRAM, argv.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

std::string line_of(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  return line;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Long enough that the bar, which waits 0.4 s, appears.
const std::vector<std::string> long_run{"run", examples + "kepler.toml", "--until", "100000"};

TEST(Terminal, ShowsProgressWithTheTimeLeftAndTakesItAway) {
  const std::string text = seen_on_terminal(long_run);
  EXPECT_TRUE(has(text, " %  t = ")) << text;
  EXPECT_TRUE(has(text, " left")) << text;
  // The last thing done to the line of progress is to clear it; the summary follows.
  EXPECT_LT(text.rfind(" left"), text.rfind("\r\033[K"));
  EXPECT_LT(text.rfind("\r\033[K"), text.find("Done: t = 100000 was reached"));
}

TEST(Terminal, HasNoProgressWhenQuietOrPiped) {
  std::vector<std::string> quiet = long_run;
  quiet.emplace_back("--quiet");
  EXPECT_EQ(seen_on_terminal(quiet), "");
  const Outcome piped = Folder()(line_of(long_run));
  EXPECT_FALSE(has(piped.out + piped.err, "\033")) << piped.err;
  EXPECT_FALSE(has(piped.err, "left"));
}

/// Nothing but line breaks and what the program itself draws.
void expect_harmless(const std::string& text) {
  EXPECT_FALSE(has(text, "\033]0;")) << text;
  EXPECT_FALSE(has(text, "\a")) << text;
  EXPECT_FALSE(has(text, "\xc2\x9b")) << text;
  EXPECT_FALSE(has(text, "\x9b")) << text;
  EXPECT_FALSE(has(text, "\x7f")) << text;
  EXPECT_FALSE(has(text, "\xe2\x80\xae")) << text;  // U+202E turns the direction of writing
  EXPECT_FALSE(has(text, "\xe2\x80\xa8")) << text;  // U+2028 breaks a line
}

TEST(Terminal, NoNameOrTitleSteersIt) {
  const Folder folder;
  const std::string odd =
      "\033]0;stolen\a\xc2\x9b"
      "2J\x7f\xff";
  const std::string model =
      "title = \"\\u001b]0;stolen\\u0007\\u009b2J\\u007f \xc3\xa9\\u202e\\u2028\"\n[coordinates]\nx = 1\n"
      "[mass]\nx = 1\n[simulate]\nuntil = 1\n";
  folder.write("m.toml", model);
  folder.write("m" + odd + ".toml", model);
  for (const std::string& name : {folder.path("m.toml"), folder.path("m" + odd + ".toml")})
    for (const char* command : {"run", "explain", "check", "derive"}) {
      const std::string page = seen_on_terminal({command, name});
      expect_harmless(page);
      expect_harmless(seen_on_terminal({command, name, "--json"}));
      expect_harmless(seen_on_terminal({command, name + odd}));
      expect_harmless(seen_on_terminal({command, name, "--set", odd + "=1"}));
      expect_harmless(seen_on_terminal({command, name, "--" + odd}));
      expect_harmless(seen_on_terminal({command, name, "--integrator", odd}));
    }
  expect_harmless(seen_on_terminal({odd}));
  expect_harmless(seen_on_terminal({"example", odd}));
  expect_harmless(seen_on_terminal({"completion", odd}));
  expect_harmless(seen_on_terminal({"run", folder.path("m.toml"), "--out", folder.path(odd + ".csv")}));
  expect_harmless(seen_on_terminal({"run", folder.path("m.toml"), "--report", folder.path(odd + "/a.html")}));
  // Letters of all the world are no harm, and what is spelled can be read.
  const std::string page = seen_on_terminal({"run", folder.path("m.toml")});
  EXPECT_TRUE(has(page, "\\x1b]0;stolen\\x07\\xc2\\x9b2J\\x7f \xc3\xa9")) << page;
}

TEST(Terminal, ColoursItsMessagesUnlessAskedNotTo) {
  const std::vector<std::string> wrong{"run", examples + "kepler.toml", "--tolerance", "2"};
  EXPECT_TRUE(has(seen_on_terminal(wrong), "\033[1;31merror:"));
  EXPECT_FALSE(has(seen_on_terminal(wrong, "1"), "\033"));
  EXPECT_FALSE(has(Folder()(line_of(wrong)).err, "\033"));
}

}  // namespace
