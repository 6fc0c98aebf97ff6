#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace vinculum::cli {
namespace {

std::atomic<bool> interrupted = false;

void on_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool coloured() {
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return error_is_terminal() && (off == nullptr || *off == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string duration(double seconds) {
  if (!(seconds < 360000)) return "long";
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600)
    return fmt::format("{:.0f} min {:02.0f} s", seconds / 60, static_cast<int>(seconds) % 60 + 0.0);
  return fmt::format("{:.0f} h {:02d} min", seconds / 3600, static_cast<int>(seconds / 60) % 60);
}

}  // namespace

/// A title may hold anything; what would steer a terminal is shown as a question mark.
std::string harmless(std::string_view text) {
  std::string safe(text);
  for (char& c : safe)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return safe;
}

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

bool error_is_terminal() { return isatty(STDERR_FILENO) == 1; }

void say_plain(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

void say(std::string_view kind, std::string_view text) {
  const char* colour = kind == "error" ? "\033[1;31m" : kind == "warning" ? "\033[1;33m" : "\033[1;36m";
  say_plain(coloured() ? fmt::format("vinculum: {}{}:\033[0m {}", colour, kind, text)
                       : fmt::format("vinculum: {}: {}", kind, text));
}

ProgressBar::ProgressBar(bool shown)
    : shown_(shown && error_is_terminal()), next_(Clock::now() + std::chrono::milliseconds(400)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressBar::show(const Progress& p) {
  if (!shown_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  constexpr int width = 30;
  const int full = static_cast<int>(width * std::min(1.0, std::max(0.0, p.fraction)));
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < full ? "━" : "─";
  std::fputs(fmt::format("\r\033[K{} {:3.0f} %  t = {:.6g}  {} steps  {} left", bar, 100 * p.fraction, p.t,
                         p.steps, duration(p.seconds_left))
                 .c_str(),
             stderr);
  drawn_ = true;
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool asked_to_stop() { return interrupted; }

}  // namespace vinculum::cli
