#include "cli/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "vinculum/base/text.hpp"

namespace vinculum::cli {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<long long> first_signal = 0;  // when it came, in nanoseconds

/// A signal often comes twice: `timeout` sends it to the program and to its group, a terminal that closes to
/// both as well. Only who sits before it and asks again means something else by it.
void on_interrupt(int signal) {
  const int before = errno;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long long time = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  if (!interrupted) {
    first_signal = time;
    interrupted = true;
  } else if (signal == SIGINT && time - first_signal > 1'000'000'000LL) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);  // takes effect when this function returns
  }
  errno = before;
}

/// The character that begins here, where it breaks lines or turns the direction of writing: U+200E, U+200F,
/// U+2028 to U+202E, U+2066 to U+2069. Else 0.
int turning_character(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xe2') return 0;
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const int code = 0x2000 + ((byte(1) & 0x3f) << 6) + (byte(2) & 0x3f);
  const bool turns = code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  return turns ? code : 0;
}

/// Bytes of the character that begins here, if it is one of UTF-8 that a terminal shows; else 0.
std::size_t shown_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  if (turning_character(text) != 0) return 0;
  return first == 0xc2 && byte(1) < 0xa0 ? 0 : length;  // U+0080 to U+009F are control characters too
}

/// Writes what is there to standard output. Who asked for a result must hear when there is none.
bool write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return true;
  say("error", fmt::format("the result could not be written to standard output: {}", std::strerror(errno)));
  return false;
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

void prepare_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // The lowest number that is free is this one. Reading only, so that writing to it fails as before.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  std::signal(SIGXFSZ, SIG_IGN);
}

std::string harmless(std::string_view text, bool page) {
  std::string safe;
  for (std::size_t length; !text.empty(); text.remove_prefix(length)) {
    length = shown_character(text);
    if (length > 0) {
      safe += text.substr(0, length);
      continue;
    }
    length = 1;
    const char c = text[0];
    if (page && (c == '\n' || c == '\t'))
      safe += c;
    else
      safe += c == '\n' ? "\\n" : c == '\t' ? "\\t" : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return safe;
}

bool print(std::string_view text) { return write_out(text); }

bool print_page(std::string_view text) { return write_out(harmless(text, true)); }

/// JSON spells the first control characters itself; the others can stand in its texts only.
bool print_json(std::string_view text) {
  std::string safe;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    if (const int code = turning_character(text.substr(k)); code != 0) {
      safe += fmt::format("\\u{:04x}", code);
      k += 2;
    } else if (byte == 0x7f)
      safe += "\\u007f";
    else if (byte == 0xc2 && next < 0xa0)
      safe += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[++k]));
    else
      safe += text[k];
  }
  return write_out(safe);
}

bool error_is_terminal() { return isatty(STDERR_FILENO) == 1; }

void say_plain(std::string_view line) {
  const std::string safe = harmless(line) + "\n";
  std::fwrite(safe.data(), 1, safe.size(), stderr);
}

void say(std::string_view kind, std::string_view text) {
  const char* colour = kind == "error" ? "\033[1;31m" : kind == "warning" ? "\033[1;33m" : "\033[1;36m";
  const std::string word = coloured() ? fmt::format("{}{}:\033[0m", colour, kind) : fmt::format("{}:", kind);
  const std::string line = fmt::format("vinculum: {} {}\n", word, harmless(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

ProgressBar::ProgressBar(bool shown)
    : shown_(shown && error_is_terminal()), next_(Clock::now() + std::chrono::milliseconds(400)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

bool ProgressBar::is_due() {
  if (!shown_ || Clock::now() < next_) return false;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  return true;
}

void ProgressBar::draw(double fraction, const std::string& words) {
  constexpr int width = 30;
  const int full = static_cast<int>(width * std::min(1.0, std::max(0.0, fraction)));
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < full ? "━" : "─";
  std::fputs(fmt::format("\r\033[K{} {:3.0f} %  {}", bar, 100 * fraction, words).c_str(), stderr);
  drawn_ = true;
}

void ProgressBar::show(const Progress& p) {
  if (is_due())
    draw(p.fraction,
         fmt::format("t = {}  {} steps  {} left", number_text(p.t, 6), p.steps, duration(p.seconds_left)));
}

void ProgressBar::show(const StudyProgress& p) {
  if (is_due())
    draw(static_cast<double>(p.done) / static_cast<double>(p.count),
         fmt::format("{} of {} members{}  {} left", p.done, p.count,
                     p.failed > 0 ? fmt::format(", {} failed", p.failed) : "", duration(p.seconds_left)));
}

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

bool asked_to_stop() { return interrupted; }

}  // namespace vinculum::cli
