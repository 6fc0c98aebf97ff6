// What the program says and how: standard output for results, standard error for everything else; colour and
// progress on a terminal only.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "vinculum/motion/simulate.hpp"

namespace vinculum::cli {

/// A result, on standard output. False where nobody can read it (a closed pipe, a full disk).
bool print(std::string_view text);
inline constexpr const char* unheard = "the result could not be written to standard output";
/// A message on standard error; the first word may be coloured there.
void say(std::string_view kind, std::string_view text);  // "error", "warning", "note"
/// A line of standard error as it is.
void say_plain(std::string_view line);
bool error_is_terminal();
std::string harmless(std::string_view text);  ///< without control characters

/// A line of progress with the time left, on a terminal only; it removes itself.
class ProgressBar {
 public:
  explicit ProgressBar(bool shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(const Progress& progress);

 private:
  void clear();
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point next_;
};

/// From here on Ctrl-C is a wish that asked_to_stop() tells of; a second one ends the program at once.
void catch_interrupts();
bool asked_to_stop();

}  // namespace vinculum::cli
