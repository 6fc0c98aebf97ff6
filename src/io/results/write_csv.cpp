// Results as a table that spreadsheets, pandas and MATLAB read.
#include <algorithm>

#include "io/results/atomic_file.hpp"
#include "io/results/columns.hpp"
#include "io/results/csv_field.hpp"
#include "io/results/portion.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum {
namespace {

constexpr std::size_t portion = 1 << 20;  // bytes that are copied at once

/// "# key: text"; further lines of the text stay behind a # as well.
std::string head_line(const std::string& key, const std::string& text) {
  std::string line = "# " + key + ": ";
  for (const char c : text) {
    if (c == '\n')
      line += "\n#   ";
    else if (c != '\r')
      line += c;
  }
  return line + "\n";
}

/// Where the table comes from, and how it ended so far.
std::string origin(const RunRecord& record, const std::string& status, const std::string& reason) {
  std::string text;
  if (!record.title.empty()) text += head_line("title", record.title);
  if (!record.description.empty()) text += head_line("description", record.description);
  text += head_line("model", record.path);
  text += head_line("version", "vinculum " + record.version);
  text += head_line("status", status);
  text += head_line("reason", reason);
  for (const auto& [name, value] : record.settings) text += head_line("setting " + name, value);
  return text;
}

std::string units() {
  return head_line("units", "those of the model's numbers; t in seconds where these are SI");
}

std::string head(const Trajectory& motion, const RunRecord& record) {
  std::string text =
      origin(record, std::string(status_word(motion.stop)) + (is_complete(motion) ? "" : " (not complete)"),
             motion.reason);
  for (const std::string& note : motion.notes) text += head_line("note", note);
  for (const EventRecord& e : motion.events)
    text += head_line("event " + e.name, "t = " + number_text(e.time));
  for (const GripChange& c : motion.grip_changes)
    text += head_line("friction " + c.constraint,
                      std::string(c.sticks ? "sticks" : "slides") + " from t = " + number_text(c.time));
  return text + units();
}

std::string names_line(const std::vector<Quantity>& columns) {
  std::string line;
  for (const std::string& name : column_names(columns)) line += (line.empty() ? "" : ",") + csv_field(name);
  return line + "\n";
}

/// A line for each instant goes to the partial file as it comes. The head of the table tells how the motion
/// ended, and columns that are zero throughout are left out, so that the table is made from those lines at
/// the end.
class CsvStream final : public ResultStream {
 public:
  CsvStream(const std::string& path, const System& system, const RunRecord& record)
      : path_(path), record_(record), columns_(quantities(system)), lines_(path) {
    text_ =
        origin(record, "running (not complete)", "the run has not ended") + units() + names_line(columns_);
    begin_ = text_.size();
  }

  void append(const Sample& sample) override {
    row_.clear();
    for (const Quantity& q : columns_) q.append(sample, row_);
    text_ += number_text(sample.t);
    for (const double x : row_) text_ += "," + number_text(x);
    text_ += sample.rank >= 0 ? "," + std::to_string(sample.rank) + "\n" : ",nan\n";  // not looked at
    const auto force = sample.nonideal_force;
    nonideal_ = nonideal_ || std::any_of(force.begin(), force.end(), [](double f) { return f != 0.0; });
    if (portion_.is_due(text_.size())) flush();
  }

  void finish(const Trajectory& motion, std::string_view) override {
    flush();
    int first = 0, last = 0;  // columns that are left out; the time is column 0
    if (!nonideal_) std::tie(first, last) = columns_of("nonideal_force");
    std::erase_if(columns_, [&](const Quantity& q) { return !nonideal_ && q.name == "nonideal_force"; });
    AtomicFile table(path_);
    table.write_all(head(motion, record_) + names_line(columns_));
    std::string bytes, chosen;
    int column = 0;
    for (std::uint64_t place = begin_; place < lines_.size(); place += bytes.size()) {
      lines_.read_at(place, portion, bytes);
      chosen.clear();
      for (const char c : bytes) {
        column = c == '\n' ? 0 : c == ',' ? column + 1 : column;
        if (column < first || column >= last) chosen += c;
      }
      table.write_all(chosen);
    }
    table.keep();
  }

  std::string leave() override {
    try {
      flush();
    } catch (const Error&) {  // what does not fit is lost; the rest is there
    }
    return lines_.size() > begin_ ? lines_.leave() : "";
  }

 private:
  void flush() {
    const std::string text = std::exchange(text_, "");
    lines_.write_all(text);
  }
  std::pair<int, int> columns_of(const std::string& name) const {
    int first = 1;
    for (const Quantity& q : columns_) {
      const int last = first + static_cast<int>(q.names.size());
      if (q.name == name) return {first, last};
      first = last;
    }
    return {0, 0};
  }

  std::string path_;
  RunRecord record_;
  std::vector<Quantity> columns_;
  AtomicFile lines_;
  std::uint64_t begin_ = 0;  // of the first instant
  Portion portion_;
  std::string text_;
  std::vector<double> row_;
  bool nonideal_ = false;
};

}  // namespace

std::unique_ptr<ResultStream> stream_csv(const std::string& path, const System& system,
                                         const RunRecord& record) {
  return std::make_unique<CsvStream>(path, system, record);
}

void write_csv(const std::string& path, const System& system, const Trajectory& motion,
               const RunRecord& record) {
  CsvStream table(path, system, record);
  for (int i = 0; i < motion.size(); ++i) table.append(motion[i]);
  table.finish(motion, "");
}

}  // namespace vinculum
