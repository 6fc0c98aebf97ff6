// Members of a study as a table. A line of a # stands before the partial one: which study it belongs to.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "io/results/atomic_file.hpp"
#include "io/results/csv_field.hpp"
#include "io/results/portion.hpp"
#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/report/study.hpp"

namespace vinculum {
namespace {

constexpr std::size_t block = 1 << 20;  // bytes that are read at once

std::string names_line(const StudyRecord& record) {
  std::string line = "member";
  for (const auto* names : {&record.varied, &record.kept})
    for (const std::string& name : *names) line += "," + csv_field(name);
  return line + ",status\n";
}

MemberEnd end_called(std::string_view word) {
  const auto end = std::ranges::find(member_ends(), word, member_status);
  if (end == member_ends().end()) fail("a line has a status that is none");
  return *end;
}

class StudyCsv final : public StudyFile {
 public:
  StudyCsv(const std::string& path, const StudyRecord& record, bool resume)
      : path_(path),
        head_("# vinculum sweep " + mark_of(record) + " " + record.run.version + "\n" + names_line(record)),
        varied_(record.varied.size()),
        kept_(record.kept.size()),
        count_(record.count),
        lines_(path, AtomicFile::Lasting{resume}) {
    if (lines_.size() > 0)
      go_on();
    else
      lines_.write_all(head_);
  }

  const Members& there() const override { return there_; }

  void recall(const RowSink& sink) override {
    std::vector<MemberRow> rows;
    each_line(lines_.size(), [&](std::string_view line) {
      rows.assign(1, row_of(line));
      sink(rows);
    });
  }

  void append(std::span<const MemberRow> rows) override {
    for (const MemberRow& row : rows) {
      text_ += std::to_string(row.member);
      for (const auto* numbers : {&row.varied, &row.kept})
        for (const double x : *numbers) text_ += "," + number_text(x);
      text_ += "," + std::string(member_status(row.end)) + "\n";
    }
    if (portion_.is_due(text_.size())) flush();
  }

  void flush() override {
    lines_.write_all(text_);
    text_.clear();
  }

  void finish(const std::string&) override {
    flush();
    AtomicFile table(path_);
    table.write_all(std::string_view(head_).substr(head_.find('\n') + 1));
    std::string bytes;
    for (const auto& [first, run] : runs())
      for (std::uint64_t place = run.from; place < run.to; place += bytes.size()) {
        lines_.read_at(place, std::min<std::uint64_t>(block, run.to - place), bytes);
        table.write_all(bytes);
      }
    table.keep();
    lines_.discard();
  }

 private:
  /// Where the lines of members stand that follow each other.
  struct Run {
    long next = 0;  // the member behind them
    std::uint64_t from = 0, to = 0;
  };
  std::map<long, Run> runs() const {
    std::map<long, Run> all;  // by their first members
    Run* last = nullptr;
    std::uint64_t place = head_.size();
    each_line(lines_.size(), [&](std::string_view line) {
      const long member = member_of(line);
      if (last == nullptr || last->next != member) last = &(all[member] = {member, place, place});
      last->next = member + 1;
      place = last->to = place + line.size() + 1;
    });
    return all;
  }

  static long member_of(std::string_view line) {
    long member = -1;
    std::from_chars(line.data(), line.data() + line.size(), member);
    return member;
  }

  /// Whole lines; what was cut off by a sudden end is dropped.
  void go_on() {
    std::string head;
    lines_.read_at(0, head_.size(), head);
    if (head != head_) refuse_to_go_on(path_, "it belongs to another study, or another model");
    std::uint64_t end = head_.size();
    try {
      each_line(lines_.size(), [&](std::string_view line) {
        const long member = row_of(line).member;
        if (member < 0 || member >= count_ || !there_.add({member, member + 1}))
          fail("a member stands in it that is none, or one twice");
        end += line.size() + 1;
      });
    } catch (const Error& e) {
      refuse_to_go_on(path_, e.text());
    }
    lines_.resize(end);
  }

  template <class Take>
  void each_line(std::uint64_t size, Take take) const {
    std::string bytes, rest;
    for (std::uint64_t place = head_.size(); place < size; place += bytes.size()) {
      lines_.read_at(place, block, bytes);
      if (bytes.empty()) return;
      rest += bytes;
      std::size_t from = 0;
      for (std::size_t to; (to = rest.find('\n', from)) != rest.npos; from = to + 1)
        take(std::string_view(rest).substr(from, to - from));
      rest.erase(0, from);
    }
  }

  MemberRow row_of(std::string_view line) const {
    const auto field = [&]() -> std::string_view {
      const std::size_t comma = std::min(line.find(','), line.size());
      const std::string_view text = line.substr(0, comma);
      line.remove_prefix(std::min(comma + 1, line.size()));
      return text;
    };
    const auto number = [&](auto value) {
      const std::string_view text = field();
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size())
        fail("a line has a word that is no number");
      return value;
    };
    MemberRow row;
    row.member = number(0L);
    for (std::size_t k = 0; k < varied_; ++k) row.varied.push_back(number(0.0));
    for (std::size_t k = 0; k < kept_; ++k) row.kept.push_back(number(0.0));
    row.end = end_called(field());
    return row;
  }

  std::string path_, head_;
  std::size_t varied_, kept_;
  long count_;
  AtomicFile lines_;
  Members there_;
  std::string text_;
  Portion portion_;
};

}  // namespace

std::unique_ptr<StudyFile> open_study_csv(const std::string& path, const StudyRecord& record, bool resume) {
  return std::make_unique<StudyCsv>(path, record, resume);
}

}  // namespace vinculum
