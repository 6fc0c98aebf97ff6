#include "cli/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <thread>

#include "cli/outputs.hpp"
#include "cli/study.hpp"
#include "cli/terminal.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum::cli {
namespace {

constexpr std::size_t most_bytes = 24 << 20;  // of all motions in a page
constexpr int steps_shown = 600;              // of a motion that did not reach its end

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./=:,+-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// The motion of a member as the page holds it; nothing where it was interrupted, or where there is no model
/// with these values.
std::optional<std::string> motion_of(const Family& family, const MemberRow& row, const Units& units) {
  try {
    const Beginning made = family.apart(row.varied);
    MotionOptions how = motion_options(made.file.simulate);
    how.progress = [](const Progress&) { return !asked_to_stop(); };
    how.samples = is_reached(row.end) ? instants_shown : 0;
    if (how.samples == 0) {
      how.sink = [](const Sample&) {};  // every step counts where something goes wrong, and memory is bounded
      how.kept = steps_shown;
    }
    const Trajectory motion = simulate(made.system, made.start, how);
    if (motion.stop == Stop::cancelled) return std::nullopt;
    return shown_motion(made.file.model, made.system, complete_view(made.file.model, made.file.view), motion,
                        units);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

StudyPage::StudyPage(const Options& options, const Study& study, const std::vector<std::string>& kept)
    : options_(options), told_(told_one_by_one(kept)) {
  if (options.report.empty()) return;
  require_report_place(options);
  if (options.motions && *options.motions < 0) fail(fmt::format("--motions {}: 0 or more", *options.motions));
  portrait_.emplace(study.count(), study.names().size(), told_.size());
}

void StudyPage::add(std::span<const MemberRow> rows) {
  if (!portrait_) return;
  for (const MemberRow& row : rows) {
    if (told_.size() == row.kept.size()) {
      portrait_->add(row);
      continue;
    }
    MemberRow told = row;
    told.kept.clear();
    for (const std::size_t k : told_) told.kept.push_back(row.kept[k]);
    portrait_->add(told);
  }
}

/// By its number where a file or the model says what the study is; else by its values.
MemberCommand StudyPage::command(const Family& family, bool complete) const {
  MemberCommand command{"vinculum run " + quoted(options_.model), "", false, "", {}};
  for (std::size_t k = 0; k < portrait_->varied().size(); ++k)
    command.is_start.push_back(family.is_start(k) ? 1 : 0);
  const std::string path = options_.out.empty() ? "" : options_.out.front();
  if (complete && (path.ends_with(".h5") || path.ends_with(".hdf5"))) {
    command.before += " --member ";
    command.after = " --of " + quoted(path);
    return command;
  }
  const bool own = options_.table.empty() && options_.columns.empty() && options_.vary.empty() &&
                   options_.random.empty() && !options_.count && !options_.seed && !options_.sobol;
  for (const std::string& set : options_.set) command.before += " --set " + quoted(set);
  for (const auto& [name, value] : settings_said(options_)) {
    if (name == "--start" && !own)
      command.start = value;
    else
      command.before += " " + name + (value.empty() ? "" : " " + quoted(value));
  }
  command.by_values = !own;
  if (own) command.before += " --member ";
  return command;
}

namespace {

using Chosen = std::vector<StudyPortrait::Chosen>;
using Motions = std::vector<std::optional<std::string>>;  // of those chosen

Motions compute(const Family& family, const Chosen& chosen, const Units& units, const Options& options) {
  Motions motions(chosen.size());
  std::atomic<std::size_t> next = 0, ready = 0;
  const int wanted =
      options.threads.value_or(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  ProgressBar bar(!options.quiet);
  std::vector<std::jthread> workers;
  for (std::size_t k = 0; k < std::min(chosen.size(), static_cast<std::size_t>(wanted)); ++k)
    workers.emplace_back([&] {
      for (std::size_t i; (i = next++) < chosen.size(); ++ready) {
        if (asked_to_stop()) continue;
        try {
          motions[i] = motion_of(family, chosen[i].row, units);
        } catch (const std::bad_alloc&) {  // then the page has one motion less
        }
      }
    });
  for (int wait = 0; ready < chosen.size(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(wait < 20 ? 2 : 50));
    bar.show(StudyProgress{static_cast<long>(ready), static_cast<long>(chosen.size()), 0, 0.0});
  }
  return motions;
}

/// Leaves out what would make the page too large: what is there for a reason goes last. How many.
long leave_out_of_page(const Chosen& chosen, Motions& motions) {
  std::size_t bytes = 0;
  long left_out = 0;
  for (const bool named : {true, false})
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].why.empty() == named || !motions[i]) continue;
      if (bytes + motions[i]->size() > most_bytes) {
        motions[i].reset();
        ++left_out;
      } else {
        bytes += motions[i]->size();
      }
    }
  return left_out;
}

}  // namespace

std::vector<ShownMember> StudyPage::motions(const Family& family, const RunRecord& record,
                                            const StudySummary& summary,
                                            std::vector<std::string>& told) const {
  const auto most = static_cast<std::size_t>(options_.motions.value_or(motions_unless_said));
  std::vector<std::string> names;
  for (const std::size_t k : told_) names.push_back(summary.kept[k]);
  const Chosen chosen = portrait_->choose(most, names);
  Motions motions = compute(family, chosen, record.units, options_);
  if (asked_to_stop()) told.emplace_back("The program was interrupted: motions are missing.");
  if (const long n = leave_out_of_page(chosen, motions); n > 0)
    told.push_back(fmt::format("Of the motions {} {} left out, or this page would be larger than {} MiB.", n,
                               n == 1 ? "is" : "are", most_bytes >> 20));
  std::vector<ShownMember> shown;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (motions[i]) shown.push_back({chosen[i].row.member, chosen[i].why, std::move(*motions[i])});
  return shown;
}

bool StudyPage::write(const Family& family, const RunRecord& record, const StudySummary& summary) const {
  if (!portrait_) return true;
  const std::string& path = options_.report;
  try {
    StudyReport report{summary, record, &*portrait_, {}, command(family, summary.complete), {}};
    report.shown = motions(family, record, summary, report.told);
    write_file(path, study_report(report));
    for (const std::string& name : sweep_partial(path))
      if (!options_.quiet)
        say("note", fmt::format("removed '{}', which a run that was ended from outside had left", name));
    if (!options_.quiet) say("note", "wrote " + path);
    return true;
  } catch (const std::bad_alloc&) {
    say("error", fmt::format("cannot write '{}': there is not enough memory", path));
  } catch (const std::exception& e) {
    say("error", e.what());
  }
  return false;
}

}  // namespace vinculum::cli
