// Studies for Python: members computed on threads while other threads go on, into arrays of NumPy's.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>

#include "python/core.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/beginning.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/read_table.hpp"
#include "vinculum/io/study_file.hpp"
#include "vinculum/report/study.hpp"

namespace vinculum::python {
namespace {

using Codes = nb::ndarray<std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using KnownCodes = nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reasons = std::vector<std::pair<long, std::string>>;

constexpr std::int8_t not_computed = -1;
constexpr std::size_t most_named = 3;  // of the members that ended alike, as in the sum of a study

std::vector<double> vector_of(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

// --- what a study is, in plain things: these go to other processes

constexpr std::pair<const char*, Distribution> distributions[] = {
    {"normal", Distribution::normal}, {"uniform", Distribution::uniform}, {"log", Distribution::log_uniform}};

struct Parts {
  vinculum::Table table;
  std::vector<Axis> axes;
  std::vector<Draw> draws;
};

/// {"table": (names, values row by row), "axes": [(name, values)], "draws": [(name, kind, a, b)]}
Parts parts_of(const nb::dict& said) {
  Parts parts;
  const auto table = nb::cast<nb::tuple>(said["table"]);
  parts.table = {nb::cast<std::vector<std::string>>(table[0]), vector_of(nb::cast<Numbers>(table[1]))};
  for (const nb::handle one : nb::cast<nb::list>(said["axes"])) {
    const auto axis = nb::cast<nb::tuple>(one);
    parts.axes.push_back({nb::cast<std::string>(axis[0]), vector_of(nb::cast<Numbers>(axis[1]))});
  }
  for (const nb::handle one : nb::cast<nb::list>(said["draws"])) {
    const auto draw = nb::cast<nb::tuple>(one);
    const auto kind = nb::cast<std::string>(draw[1]);
    const auto* const known = std::ranges::find(distributions, kind, [](const auto& d) { return d.first; });
    if (known == std::end(distributions)) fail("there is no distribution '" + kind + "'");
    parts.draws.push_back({nb::cast<std::string>(draw[0]), known->second, nb::cast<double>(draw[2]),
                           nb::cast<double>(draw[3])});
  }
  return parts;
}

/// The same with {"count": draws at each place, "seed": .., "sobol": ..}
nb::dict plain(const Study& study) {
  nb::dict said;
  said["table"] = nb::make_tuple(study.table.names, array_of(study.table.values));
  nb::list axes, draws;
  for (const Axis& axis : study.axes) axes.append(nb::make_tuple(axis.name, array_of(axis.values)));
  for (const Draw& d : study.draws) {
    const auto* const kind =
        std::ranges::find(distributions, d.distribution, [](const auto& known) { return known.second; });
    draws.append(nb::make_tuple(d.name, kind->first, d.a, d.b));
  }
  said["axes"] = axes;
  said["draws"] = draws;
  said["count"] = study.draws_each;
  said["seed"] = study.seed;
  said["sobol"] = study.sampling == Sampling::sobol;
  return said;
}

Study study_of(const nb::dict& said) {
  Parts parts = parts_of(said);
  return {std::move(parts.table),
          std::move(parts.axes),
          std::move(parts.draws),
          nb::cast<long>(said["count"]),
          nb::cast<bool>(said["sobol"]) ? Sampling::sobol : Sampling::random,
          nb::cast<std::uint64_t>(said["seed"])};
}

/// What the model states with what is said beside it; `columns` are those of the model's own table.
nb::dict study_with(const ReadModel& read, const nb::dict& said, const std::optional<long>& count,
                    const std::optional<std::uint64_t>& seed, const std::optional<bool>& sobol,
                    const std::vector<std::string>& columns) {
  const EnsembleSettings& stated = read.file.ensemble;
  Parts parts = parts_of(said);
  Study beside = stated.study;
  if (!stated.table.empty() && parts.table.names.empty())
    beside.table =
        read_table(path_beside(read.file.path, stated.table), columns.empty() ? stated.columns : columns);
  StudySaid more{std::move(parts.table), std::move(parts.axes), std::move(parts.draws), count, seed, {}};
  if (sobol) more.sampling = *sobol ? Sampling::sobol : Sampling::random;
  return plain(with(std::move(beside), more));
}

// --- what is said of the motions

/// Settings by the names of m.run, and where members start.
struct Asked {
  std::optional<double> until, tolerance, absolute_tolerance, step, closure;
  std::optional<Integrator> integrator;
  std::optional<int> samples;  // of what is kept at them
  Named starts;
  bool assemble = false;

  void apply_to(SimulateSettings& s) const {
    if (until) s.until = until;
    s.tolerance = tolerance.value_or(s.tolerance);
    s.absolute_tolerance = absolute_tolerance.value_or(s.absolute_tolerance);
    s.step = step.value_or(s.step);
    s.closure = closure.value_or(s.closure);
    s.integrator = integrator.value_or(s.integrator);
    s.samples = samples.value_or(s.samples);
  }
  /// In the words of the command line, which reads them in files.
  std::vector<std::pair<std::string, std::string>> settings_said() const {
    std::vector<std::pair<std::string, std::string>> said;
    const auto number = [&](const char* name, const std::optional<double>& value) {
      if (value) said.emplace_back(name, number_text(*value));
    };
    number("--until", until);
    number("--tolerance", tolerance);
    number("--absolute-tolerance", absolute_tolerance);
    number("--step", step);
    number("--closure", closure);
    if (integrator) said.emplace_back("--integrator", integrator_name(*integrator));
    std::string start;
    for (const auto& [name, value] : starts)
      start += (start.empty() ? "" : ", ") + name + "=" + number_text(value);
    if (!start.empty()) said.emplace_back("--start", start);
    if (assemble) said.emplace_back("--assemble", "");
    return said;
  }
};

Asked asked_of(const nb::dict& how) {
  Asked asked;
  const auto number = [&](const char* name, std::optional<double>& into) {
    if (how.contains(name)) into = nb::cast<double>(how[name]);
  };
  number("until", asked.until);
  number("tolerance", asked.tolerance);
  number("absolute_tolerance", asked.absolute_tolerance);
  number("step", asked.step);
  number("closure", asked.closure);
  if (how.contains("integrator"))
    asked.integrator = integrator_named(nb::cast<std::string>(how["integrator"]));
  if (how.contains("samples")) asked.samples = nb::cast<int>(how["samples"]);
  if (how.contains("starts")) asked.starts = nb::cast<Named>(how["starts"]);
  if (how.contains("assemble")) asked.assemble = nb::cast<bool>(how["assemble"]);
  return asked;
}

/// Parameters that were given values are kept as such, as the command line does it, so that a motion has the
/// same bits by whatever way they come.
std::vector<std::string> living_of(const ReadModel& read) {
  std::vector<std::string> names;
  for (const auto& [name, value] : read.overrides) names.push_back(name);
  std::vector<std::string> living = parameters_among(read.file.model, names);
  std::ranges::sort(living);
  return living;
}

void require_step(const SimulateSettings& s) {
  for (const IntegratorInfo& i : integrators())
    if (i.integrator == s.integrator && !i.adaptive && !(s.step > 0))
      fail("'" + std::string(i.name) + "' has a fixed step: say which, by step=..");
}

/// The text a model was read from, for members that are read by themselves, and what is put into it that is
/// written in Python.
struct Source {
  std::string text, shown;
  bool includes = false;
  std::shared_ptr<nb::list> functions;
};

/// Any thread may let it go.
std::shared_ptr<nb::list> kept_list(const nb::list& list) {
  return {new nb::list(list), [](nb::list* p) {
            const nb::gil_scoped_acquire gil;
            delete p;
          }};
}

Family::Reading reading(const Source& source, std::shared_ptr<const ReadModel> read, const Asked& asked) {
  return [source, read = std::move(read), asked](const Overrides& values) {
    Overrides all = read->overrides;
    all.insert(all.end(), values.begin(), values.end());
    const std::string& path = read->file.path;
    std::vector<Remark> ignored;
    ReadResult found = is_robot_file(path)
                           ? read_robot(source.text, path, all, OpenNames::refused, ignored)
                           : read_model(source.text, path, all, OpenNames::refused,
                                        source.includes ? files_beside(path) : IncludeFiles());
    if (!found.file) fail(found.faults.front().text, found.faults.front().place);
    ReadModel again{std::move(*found.file), std::move(all)};
    {
      const nb::gil_scoped_acquire gil;
      if (nb::len(*source.functions) > 0) add_functions(again, source.shown, *source.functions);
    }
    asked.apply_to(again.file.simulate);
    return std::move(again.file);
  };
}

ModelFile with_settings(ModelFile file, const Asked& asked) {
  asked.apply_to(file.simulate);
  require_step(file.simulate);
  return file;
}

/// What Python hears of a study, and its Ctrl-C; called by the thread that waits for the members.
class Told {
 public:
  explicit Told(nb::object told) : told_(std::move(told)) {}
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  bool hear(long done, const StudyProgress& p) {
    if (Away::is_closing()) return false;
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (told_.is_none()) return true;
      const nb::object goes_on = told_(done, p.failed, p.seconds_left);
      const int truth = goes_on.is_none() ? 1 : PyObject_IsTrue(goes_on.ptr());
      if (truth < 0) throw nb::python_error();
      return truth == 1;
    } catch (nb::python_error& e) {
      raised_.emplace(std::move(e));
      return false;
    }
  }
  /// Ctrl-C keeps what is done; what else Python raised goes on.
  void raise_others() {
    if (raised_ && !raised_->matches(PyExc_KeyboardInterrupt)) throw std::move(*raised_);
  }

 private:
  nb::object told_;
  std::optional<nb::python_error> raised_;
};

/// The first few members of each end, in whatever order they come.
class FirstReasons {
 public:
  void add(const MemberRow& row, std::int8_t code) {
    auto& named = by_end_[code];
    named.emplace(row.member, row.reason);
    if (named.size() > most_named) named.erase(std::prev(named.end()));
  }
  Reasons all() const {
    Reasons found;
    for (const auto& [code, named] : by_end_) found.insert(found.end(), named.begin(), named.end());
    return found;
  }

 private:
  std::map<std::int8_t, std::map<long, std::string>> by_end_;
};

std::int8_t code_of(const MemberEnd& end) {
  return static_cast<std::int8_t>(std::ranges::find(member_ends(), end) - member_ends().begin());
}

/// The members of a model, for any number of threads.
class MembersOfModel {
 public:
  MembersOfModel(std::shared_ptr<const ReadModel> read, const std::string& text, bool includes,
                 const std::string& shown, const nb::list& functions, const nb::dict& said,
                 const std::vector<std::string>& keep, const nb::dict& how)
      : read_(std::move(read)), asked_(asked_of(how)), study_(sound(study_of(said))) {
    const Source source{text, shown, includes, kept_list(functions)};
    const ModelFile file = with_settings(read_->file, asked_);
    const Away free;
    family_.emplace(
        file, BeginOptions{.assemble = asked_.assemble, .starts = asked_.starts, .living = living_of(*read_)},
        study_.names(), reading(source, read_, asked_),
        [asked = asked_](SimulateSettings& s) { asked.apply_to(s); });
    kept_ = kept_of_study(*family_, study_, keep.empty() ? file.ensemble.keep : keep, asked_.samples);
    record_ = {record_of(file, read_->overrides), study_.names(), kept_, study_.count(), ""};
    for (const auto& one : asked_.settings_said()) record_.run.settings.push_back(one);
  }

  const Study& study() const { return study_; }
  const std::vector<std::string>& kept() const { return kept_; }
  const std::string& why_alone() const { return family_->why_alone(); }
  const RunRecord& record() const { return record_.run; }

  /// What varies, of some members: a member a row.
  nb::object values(long first, long last) const {
    const std::size_t width = study_.names().size(), rows = static_cast<std::size_t>(last - first);
    std::vector<double> all(rows * width);
    for (std::size_t k = 0; k < rows; ++k)
      study_.values_of(first + static_cast<long>(k), std::span(all).subspan(k * width, width));
    return table_of(std::move(all), rows, width);
  }

  /// Computes some members into arrays that have a row for each; those that were not, when it was cancelled,
  /// stay as they are. Whether all were; the reasons of the first that failed.
  std::pair<bool, Reasons> compute(long first, long last, int threads, const TableOut& kept,
                                   const Codes& codes, nb::object told) const {
    require_rows(first, last, kept.shape(0), kept.shape(1), codes.size());
    StudyOptions how;
    how.threads = threads;
    how.there.add({0, first});
    how.there.add({last, study_.count()});
    Told listener(std::move(told));
    const long elsewhere = study_.count() - (last - first);
    how.progress = [&](const StudyProgress& p) { return listener.hear(p.done - elsewhere, p); };
    FirstReasons reasons;
    const std::size_t width = kept_.size();
    const auto take = [&](std::span<const MemberRow> rows) {
      for (const MemberRow& row : rows) {
        const auto place = static_cast<std::size_t>(row.member - first);
        std::ranges::copy(row.kept, kept.data() + place * width);
        codes.data()[place] = code_of(row.end);
        if (!is_reached(row.end)) reasons.add(row, codes.data()[place]);
      }
    };
    bool whole = false;
    {
      const Away free;
      whole = run_study(study_, maker(), kept_, take, how);
    }
    listener.raise_others();
    return {whole, reasons.all()};
  }

  std::string reason_of(long member) const {
    const Away free;
    return run_member(study_, maker(), kept_, member).reason;
  }

  /// The sum, as JSON and as a page.
  std::pair<std::string, std::string> summary(const Table& kept, const KnownCodes& codes,
                                              const Reasons& reasons) const {
    const Away free;
    Tally tally(kept_.size());
    long computed = 0;
    each_row(kept, codes, reasons, [&](const MemberRow& row) {
      tally.add(row);
      ++computed;
    });
    StudySummary all{read_->file.path, read_->file.title,         &study_, kept_,
                     tally.sum(),      computed == study_.count()};
    if (!why_alone().empty())
      all.notes.push_back("each member is read and compiled by itself, because " + why_alone());
    return {study_json(all), study_page(all)};
  }

  void write_csv(const std::string& path, const Table& kept, const KnownCodes& codes) const {
    const Away free;
    const auto file = open_study_file(path, record_, false);
    std::vector<MemberRow> rows(1);
    each_row(kept, codes, {}, [&](MemberRow& row) {
      row.varied.resize(record_.varied.size());
      study_.values_of(row.member, row.varied);
      rows.front() = row;
      file->append(rows);
    });
    file->finish("");
  }

 private:
  static Study sound(Study study) {
    study.require_sound();
    return study;
  }
  MemberMaker maker() const {
    return [this](std::span<const double> values) { return family_->member(values); };
  }
  void require_rows(long first, long last, std::size_t rows, std::size_t width, std::size_t codes) const {
    if (first < 0 || first > last || last > study_.count() ||
        rows != static_cast<std::size_t>(last - first) || codes != rows || width != kept_.size())
      fail("arrays of members have one row for each");
  }

  /// Of those that were computed.
  template <class Take>
  void each_row(const Table& kept, const KnownCodes& codes, const Reasons& reasons, Take take) const {
    require_rows(0, study_.count(), kept.shape(0), kept.shape(1), codes.size());
    const std::map<long, std::string> known(reasons.begin(), reasons.end());
    const auto& ends = member_ends();
    for (std::size_t k = 0; k < codes.size(); ++k) {
      const std::int8_t code = codes.data()[k];
      if (code == not_computed) continue;
      MemberRow row;
      row.member = static_cast<long>(k);
      row.kept.assign(kept.data() + k * kept_.size(), kept.data() + (k + 1) * kept_.size());
      row.end = ends.at(static_cast<std::size_t>(code));
      if (const auto told = known.find(row.member); told != known.end()) row.reason = told->second;
      take(row);
    }
  }

  std::shared_ptr<const ReadModel> read_;
  Asked asked_;
  Study study_;
  std::optional<Family> family_;
  std::vector<std::string> kept_;
  StudyRecord record_;
};

/// One motion by itself, of a model that was read with its values: its system, and where it starts.
nb::tuple begun(const std::shared_ptr<const ReadModel>& read, const nb::dict& how) {
  const Asked asked = asked_of(how);
  Beginning made = [&] {
    const Away free;
    return begin(with_settings(read->file, asked),
                 {.assemble = asked.assemble, .starts = asked.starts, .living = living_of(*read)});
  }();
  auto model = std::make_shared<ReadModel>(ReadModel{std::move(made.file), read->overrides});
  return nb::make_tuple(model, std::make_shared<Compiled>(model, std::move(made.system)), made.start.t,
                        array_of(std::move(made.start.q)), array_of(std::move(made.start.v)), made.notes);
}

nb::dict record_told(const RunRecord& about) {
  nb::dict all;
  all["title"] = about.title;
  all["description"] = about.description;
  all["model_path"] = about.path;
  all["model"] = about.text;
  all["version"] = about.version;
  all["settings"] = about.settings;
  return all;
}

}  // namespace

void bind_studies(nb::module_& m) {
  nb::class_<MembersOfModel>(m, "Members")
      .def(nb::init<std::shared_ptr<const ReadModel>, const std::string&, bool, const std::string&,
                    const nb::list&, const nb::dict&, const std::vector<std::string>&, const nb::dict&>())
      .def_prop_ro("names", [](const MembersOfModel& s) { return s.study().names(); })
      .def_prop_ro("kept", &MembersOfModel::kept)
      .def_prop_ro("count", [](const MembersOfModel& s) { return s.study().count(); })
      .def_prop_ro("why_alone", &MembersOfModel::why_alone)
      .def_prop_ro("record", [](const MembersOfModel& s) { return record_told(s.record()); })
      .def("values", &MembersOfModel::values)
      .def("compute", &MembersOfModel::compute, nb::arg("first"), nb::arg("last"), nb::arg("threads"),
           nb::arg("kept").noconvert(), nb::arg("codes").noconvert(), nb::arg("told").none())
      .def("reason_of", &MembersOfModel::reason_of)
      .def("summary", &MembersOfModel::summary, nb::arg("kept").noconvert(), nb::arg("codes").noconvert(),
           nb::arg("reasons"))
      .def("write_csv", &MembersOfModel::write_csv, nb::arg("path"), nb::arg("kept").noconvert(),
           nb::arg("codes").noconvert());
  m.def("study_with", study_with, nb::arg("read"), nb::arg("said"), nb::arg("count").none(),
        nb::arg("seed").none(), nb::arg("sobol").none(), nb::arg("columns"));
  m.def("read_table", [](const std::string& path, const std::vector<std::string>& columns) {
    vinculum::Table table = read_table(path, columns);
    return nb::make_tuple(table.names, array_of(std::move(table.values)));
  });
  m.def("begun", begun);
  m.def("living_of", living_of);
  m.def("parameters_among", [](const ReadModel& read, const std::vector<std::string>& names) {
    return parameters_among(read.file.model, names);
  });
  m.def("member_words", [] {
    std::vector<std::string> words;
    for (const MemberEnd& end : member_ends()) words.emplace_back(member_status(end));
    return words;
  });
}

}  // namespace vinculum::python
