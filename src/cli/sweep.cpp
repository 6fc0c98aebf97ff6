// vinculum sweep: many motions of one model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "cli/commands.hpp"
#include "cli/company.hpp"
#include "cli/load.hpp"
#include "cli/study.hpp"
#include "cli/study_report.hpp"
#include "cli/terminal.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/device/run_on_device.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/io/study_file.hpp"
#include "vinculum/report/study.hpp"

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

/// A list of values that stands before the model takes it for one of its own: what is no value, but a file,
/// is the model.
Options with_model(Options options) {
  for (std::vector<std::string>* list : {&options.vary, &options.random, &options.keep, &options.columns}) {
    if (!options.model.empty()) break;
    std::error_code ignored;
    const auto file = std::ranges::find_if(*list, [&](const std::string& word) {
      return word.find('=') == word.npos && fs::is_regular_file(word, ignored);
    });
    if (file == list->end()) continue;
    options.model = *file;
    list->erase(file);
  }
  if (options.model.empty()) fail("MODEL is required ('vinculum sweep --help' shows how)");
  return options;
}

/// All that decides what a member is. A model that includes others is what it is when written out.
std::string identity_of(const ModelFile& file, const Overrides& overrides, const StudyRecord& record,
                        const Study& study) {
  std::string text = file.text;
  if (text.find("include") != text.npos && !is_robot_file(file.path))
    text += expand_model(text, file.path, overrides, files_beside(file.path)).text.value_or("");
  text += "\n" + record.run.version;
  for (const auto& [name, value] : record.run.settings) text += fmt::format("\n{} = {}", name, value);
  text += "\ntable";
  for (const std::string& name : study.table.names) text += " " + name;
  for (const double value : study.table.values) text += " " + number_text(value);
  for (const Axis& axis : study.axes) {
    text += "\nvary " + axis.name;
    for (const double value : axis.values) text += " " + number_text(value);
  }
  for (const Draw& draw : study.draws)
    text += fmt::format("\ndraw {} {} {} {}", draw.name, static_cast<int>(draw.distribution),
                        number_text(draw.a), number_text(draw.b));
  text += fmt::format("\ndraws {} {} {}", study.draws_each, static_cast<int>(study.sampling), study.seed);
  for (const std::string& name : record.kept) text += "\nkeep " + name;
  return text;
}

/// One call: the study, what it writes, and what comes of it.
class Sweep {
 public:
  Sweep(const Options& options, ModelFile file, const Overrides& overrides)
      : options_(options),
        file_(std::move(file)),
        study_(study_of(options, file_.ensemble, file_.path)),
        family_(file_, begin_options(overrides), study_.names(), reading_again(options, overrides),
                [options](SimulateSettings& s) { apply_settings(options, s); }),
        kept_names_(kept_of_study(family_, study_, options.keep.empty() ? file_.ensemble.keep : options.keep,
                                  options.samples)),
        record_{record_of(file_, overrides), study_.names(), kept_names_, study_.count(), ""},
        tally_(kept_names_.size()),
        page_(options, study_, kept_names_) {
    for (const auto& said : settings_said(options_)) record_.run.settings.push_back(said);
    if (options_.device == "gpu") find_device();
    record_.identity = identity_of(file_, overrides, record_, study_);
    warn_of_values(overrides);
    if (options_.out.size() > 1) fail("--out is given twice; a study has one file");
    if (!family_.why_alone().empty())
      notes_.push_back("each member is read and compiled by itself, because " + family_.why_alone());
  }

  /// Whether it can be is said before anything begins.
  void find_device() {
    std::vector<std::string> why = why_not_on_device(example(), kept_names_);
    if (!family_.why_alone().empty())
      why.push_back("each member is compiled by itself, because " + family_.why_alone());
    if (!why.empty())
      fail(fmt::format("--device gpu: {}; without it the processor computes this study",
                       fmt::join(why, "; ")));
    std::string missing;
    device_ = open_gpu(missing);
    if (device_)
      record_.run.settings.emplace_back("--device", "gpu");
    else
      notes_.push_back(fmt::format("no GPU is used, because {}: the processor computes", missing));
  }
  Member example() const {
    return {family_.system(), family_.system().start(), motion_options(file_.simulate)};
  }

  /// The members that another process asks for.
  void help(Ranks& ranks) const {
    help_study(ranks, study_, maker(), kept_names_, record_.identity, threads(&ranks));
  }

  int run(Ranks* ranks) {
    if (!options_.out.empty()) open();
    for (const std::string& text : notes_) note(text);
    const bool whole = is_there_ || compute(ranks);
    const StudySummary summary = summary_of(whole);
    const std::string json = study_json(summary);
    if (out_) keep(whole, json);
    const bool written = page_.write(family_, record_.run, summary);
    const bool heard = options_.json    ? print_json(json)
                       : options_.quiet ? true
                                        : print_page(study_page(summary));
    return heard && written && whole && !failed_ && summary.sum.reached > 0 ? done : not_computed;
  }

 private:
  BeginOptions begin_options(const Overrides& overrides) const {
    BeginOptions how{.assemble = options_.assemble, .living = living_of(file_, overrides)};
    if (options_.start) how.starts = read_named(*options_.start);
    return how;
  }

  void warn_of_values(const Overrides& overrides) const {
    for (const auto& [name, value] : overrides)
      if (std::ranges::count(study_.names(), name) > 0)
        say("warning", fmt::format("--set {}={} does nothing: '{}' varies", name, value, name));
  }

  void open() {
    const std::string& path = options_.out.front();
    std::error_code ignored;
    if (fs::equivalent(path, options_.model, ignored))
      fail(fmt::format("cannot write '{}': this is the model", path));
    require_study_place(path);
    const auto take = [this](std::span<const MemberRow> rows) { add(rows); };
    if (options_.resume && !has_partial_study(path)) {
      is_there_ = fs::exists(path, ignored);
      if (is_there_) recall_whole_study(path, record_, take);
      note(is_there_ ? fmt::format("'{}' is there and complete: nothing is left to be computed", path)
                     : fmt::format("nothing was left of '{}': all members are computed", path));
      if (is_there_) return;
    }
    out_ = open_study_file(path, record_, options_.resume);
    out_->recall(take);
    if (const long there = out_->there().count(); there > 0)
      note(fmt::format("{} of {} members are there; the others are computed", there, study_.count()));
  }

  /// Of several processes each has one thread: who starts them says how many there are on a machine.
  int threads(const Ranks* ranks) const { return options_.threads.value_or(ranks ? 1 : 0); }

  bool compute(Ranks* ranks) {
    catch_interrupts();
    ProgressBar bar(!options_.quiet);
    StudyOptions how;
    how.threads = threads(ranks);
    how.ranks = ranks;
    how.identity = record_.identity;
    if (out_) how.there = out_->there();
    std::mutex file;
    how.progress = [&](const StudyProgress& p) {
      bar.show(p);
      if (!asked_to_stop()) return true;
      const std::lock_guard guard(file);
      if (out_) out_->flush();  // before anything is waited for
      return false;
    };
    const auto take = [&](std::span<const MemberRow> rows) {
      const std::lock_guard guard(file);
      if (out_) out_->append(rows);
      add(rows);
    };
    bool whole = false;
    try {
      whole = device_ ? run_on_device(study_, maker(), example(), kept_names_, take, how, *device_,
                                      stepped_.emplace())
                      : run_study(study_, maker(), kept_names_, take, how);
    } catch (const Error& e) {  // of the file, or of another process: what there is stays
      bar.clear();
      say("error", e.text());
      failed_ = true;
    }
    return whole;
  }

  void keep(bool whole, const std::string& json) {
    const std::string& path = options_.out.front();
    try {
      if (whole)
        out_->finish(json);
      else if (!failed_)
        out_->flush();
      if (whole && !options_.quiet) say("note", "wrote " + path);
    } catch (const Error& e) {
      say("error", e.text());
      failed_ = true;
    }
    if (!whole || failed_)
      say("note",
          fmt::format("the members so far are in '{}.partial'; the same call with --resume goes on", path));
  }

  StudySummary summary_of(bool whole) const {
    StudySummary summary{options_.model, harmless(file_.title), &study_, kept_names_, tally_.sum(), whole};
    summary.notes = notes_;
    summary.device = stepped_;
    tell_reasons(summary.sum);
    return summary;
  }
  /// Files have the status of a member, not its reason: of those that are named, it is found out again.
  void tell_reasons(Tally::Sum& sum) const {
    for (Tally::Failure& failure : sum.failures)
      for (auto& [member, reason] : failure.first)
        if (reason.empty()) reason = run_member(study_, maker(), kept_names_, member).reason;
  }
  MemberMaker maker() const {
    return [this](std::span<const double> values) { return family_.member(values); };
  }

  void add(std::span<const MemberRow> rows) {
    tally_.add(rows);
    page_.add(rows);
  }
  void note(const std::string& text) const {
    if (!options_.quiet) say("note", text);
  }

  const Options& options_;
  ModelFile file_;
  Study study_;
  Family family_;
  std::vector<std::string> kept_names_;
  StudyRecord record_;
  Tally tally_;
  StudyPage page_;
  std::unique_ptr<Device> device_;  // none: the processor computes
  std::optional<DeviceReport> stepped_;
  std::unique_ptr<StudyFile> out_;
  std::vector<std::string> notes_;  // of the study: the same however often it was gone on with
  bool is_there_ = false, failed_ = false;
};

}  // namespace

namespace {

/// What is asked for, where it can be meant.
std::optional<Sweep> asked_for(const Options& options) {
  if (options.threads && *options.threads < 1)
    fail(fmt::format("--threads {}: one or more", *options.threads));
  constexpr long most = 1L << 53;
  const auto in_range = [most](const char* option, const std::optional<long>& value, long least) {
    if (value && (*value < least || *value > most))
      fail(fmt::format("{} {}: it is a whole number from {} to {}", option, *value, least, most));
  };
  in_range("--seed", options.seed, 0);
  in_range("--count", options.count, 1);
  if (options.device != "cpu" && options.device != "gpu")
    fail(fmt::format("--device {}: it is cpu or gpu", options.device));
  if (options.resume && options.out.empty()) fail("--resume: say what to go on with, by --out FILE");
  const auto overrides = overrides_of(options);
  if (!overrides) return std::nullopt;
  auto file = read_model_file(options, *overrides);
  if (!file || !says_until_when(file->simulate, options.model)) return std::nullopt;
  return std::optional<Sweep>(std::in_place, options, std::move(*file), *overrides);
}

/// One of the processes behind the first: it says to that one what there is to be said.
int help(const Options& asked, Ranks& ranks) {
  fall_silent();
  catch_interrupts();  // the first one ends them all
  try {
    const Options options = with_model(asked);
    if (const auto sweep = asked_for(options))
      sweep->help(ranks);
    else
      refuse_to_help(ranks, "it cannot read '" + options.model + "'");
  } catch (const Error& e) {
    refuse_to_help(ranks, e.text());
  }
  return done;
}

int lead(const Options& asked, Ranks* ranks) {
  const Options options = with_model(asked);
  auto sweep = asked_for(options);
  return sweep ? sweep->run(ranks) : bad_usage;
}

}  // namespace

int sweep(const Options& asked) {
  const std::unique_ptr<Ranks> ranks = company();
  if (!ranks) return lead(asked, nullptr);
  if (asked.device == "gpu" && ranks->rank() == 0)
    fail("--device gpu: one process has the GPU; start it without mpirun");
  if (ranks->rank() > 0) return help(asked, *ranks);
  const auto let_go = [](Ranks* all) { dismiss(*all); };  // wherever it ends
  const std::unique_ptr<Ranks, decltype(let_go)> others(ranks.get(), let_go);
  return lead(asked, ranks.get());
}

}  // namespace vinculum::cli
