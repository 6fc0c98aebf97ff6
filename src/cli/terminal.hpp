// What the program says and how: standard output for results, standard error for everything else; colour and
// progress on a terminal only.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum::cli {

/// Called first: standard streams that are closed must not become the numbers of files that are opened later,
/// and a limit on the size of files is an error to tell, not a signal to die of.
void prepare_streams();

/// A result, on standard output: byte for byte, as a page to read, as one JSON object. Pages and JSON are
/// harmless to a terminal. False where nobody can read it (a closed pipe, a full disk), which is said as an
/// error.
bool print(std::string_view text);
bool print_page(std::string_view text);
bool print_json(std::string_view text);
/// A message on standard error, harmless and in one line; the first word may be coloured there.
void say(std::string_view kind, std::string_view text);  // "error", "warning", "note"
/// A line of standard error without such a word.
void say_plain(std::string_view line);
bool error_is_terminal();
/// What would steer a terminal (control characters, escape sequences, bytes that are no UTF-8) is spelled:
/// \x1b, \n. A page keeps its line breaks.
std::string harmless(std::string_view text, bool page = false);

/// A line of progress with the time left, on a terminal only; it removes itself.
class ProgressBar {
 public:
  explicit ProgressBar(bool shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(const Progress& progress);
  void show(const StudyProgress& progress);
  void clear();

 private:
  bool is_due();
  void draw(double fraction, const std::string& words);
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point next_;
};

/// From here on Ctrl-C, SIGTERM, SIGHUP and SIGXCPU are one wish, however often it comes, that
/// asked_to_stop() tells of. Only a Ctrl-C that comes more than a second after the first signal ends the
/// program at once. What the program was started to ignore, as nohup and shells with background jobs do,
/// stays ignored. A reader who closes a pipe is no reason to die before the files are written.
void catch_interrupts();
bool asked_to_stop();

}  // namespace vinculum::cli
