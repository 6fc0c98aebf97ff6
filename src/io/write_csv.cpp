// Results as a table that spreadsheets, pandas and MATLAB read.
#include "io/beside.hpp"
#include "io/columns.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum {
namespace {

constexpr std::size_t portion = 1 << 20;  // bytes that go to the file at once

/// A field as RFC 4180 wants it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

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

std::string head(const Trajectory& motion, const RunRecord& record) {
  std::string text;
  if (!record.title.empty()) text += head_line("title", record.title);
  if (!record.description.empty()) text += head_line("description", record.description);
  text += head_line("model", record.path);
  text += head_line("version", "vinculum " + record.version);
  text += head_line("status",
                    std::string(status_word(motion.stop)) + (is_complete(motion) ? "" : " (not complete)"));
  text += head_line("reason", motion.reason);
  for (const auto& [name, value] : record.settings) text += head_line("setting " + name, value);
  for (const std::string& note : motion.notes) text += head_line("note", note);
  for (const EventRecord& e : motion.events)
    text += head_line("event " + e.name, "t = " + number_text(e.time));
  for (const ContactChange& c : motion.contact_changes)
    text += head_line("friction " + c.constraint,
                      std::string(c.sticks ? "sticks" : "slides") + " from t = " + number_text(c.time));
  text += head_line("units", "those of the model's numbers; t in seconds where these are SI");
  return text;
}

std::string names_line(const std::vector<Quantity>& columns) {
  std::string line = "t";
  for (const Quantity& q : columns)
    for (const std::string& name : q.names) line += "," + field(q.prefix + name);
  return line + ",rank\n";
}

}  // namespace

void write_csv(const std::string& path, const System& system, const Trajectory& motion,
               const RunRecord& record) {
  std::vector<Quantity> columns = quantities(system);
  if (!has_nonideal(motion))
    std::erase_if(columns, [](const Quantity& q) { return q.name == "nonideal_force"; });
  Beside file(path);
  std::string text = head(motion, record) + names_line(columns);
  std::vector<double> row;
  for (int i = 0; i < motion.size(); ++i) {
    const Sample sample = motion[i];
    row.clear();
    for (const Quantity& q : columns) q.append(sample, row);
    text += number_text(sample.t);
    for (const double x : row) text += "," + number_text(x);
    text += sample.rank >= 0 ? "," + std::to_string(sample.rank) + "\n" : ",nan\n";  // not looked at
    if (text.size() < portion) continue;
    file.write_all(text);
    text.clear();
  }
  file.write_all(text);
  file.keep();
}

}  // namespace vinculum
