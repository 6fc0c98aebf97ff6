// Motions for Python: computed while other threads go on, told of as they go, kept when they are interrupted.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "io/results/columns.hpp"
#include "python/core.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/motion/verify.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/report/page.hpp"
#include "vinculum/report/picture.hpp"
#include "vinculum/report/view.hpp"

namespace vinculum::python {
namespace {

using Shared = std::shared_ptr<Compiled>;

/// A progress that Python hears of, a few times a second, and that sees its Ctrl-C.
class Listener {
 public:
  explicit Listener(nb::object told) : told_(std::move(told)) { hearing_here() = {.any = true}; }
  ~Listener() { hearing_here() = {}; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  bool hear(const Progress& p) {
    if (Away::is_closing() || hearing_here().interrupted) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
      interrupted_.emplace();
      return false;
    }
    if (told_.is_none()) return true;
    try {
      const nb::object goes_on = told_(p.t, p.fraction, p.seconds_left, p.steps);
      const int truth = goes_on.is_none() ? 1 : PyObject_IsTrue(goes_on.ptr());
      if (truth < 0) throw nb::python_error();
      return truth == 1;
    } catch (nb::python_error& e) {
      interrupted_.emplace(std::move(e));
      return false;
    }
  }
  /// Ctrl-C keeps what is done; what else Python raised goes on.
  void raise_others() {
    if (interrupted_ && !interrupted_->matches(PyExc_KeyboardInterrupt)) throw std::move(*interrupted_);
  }

 private:
  nb::object told_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<nb::python_error> interrupted_;
};

template <class T>
void take(const nb::dict& how, const char* name, T& into) {
  if (how.contains(name)) into = nb::cast<T>(how[name]);
}

MotionOptions options_of(const Compiled& c, const nb::dict& how) {
  MotionOptions options = motion_options(c.settings());
  take(how, "until", options.until);
  take(how, "tolerance", options.tolerance);
  take(how, "absolute_tolerance", options.absolute_tolerance);
  take(how, "step", options.step);
  take(how, "closure", options.closure);
  take(how, "samples", options.samples);
  take(how, "instants", options.instants);
  take(how, "step_limit", options.step_limit);
  if (how.contains("integrator")) {
    const std::string word = nb::cast<std::string>(how["integrator"]);
    const auto method = integrator_named(word);
    if (!method) fail("integrator '" + word + "' is not known");
    options.integrator = *method;
  }
  return options;
}

/// The settings of a file as this run had them: what results say of themselves.
SimulateSettings settings_of_run(SimulateSettings settings, double from, const MotionOptions& options) {
  settings.from = from;
  settings.until = options.until;
  settings.tolerance = options.tolerance;
  settings.absolute_tolerance = options.absolute_tolerance;
  settings.step = options.step;
  settings.closure = options.closure;
  settings.samples = options.samples;
  settings.integrator = options.integrator;
  return settings;
}

/// A motion, and where it was asked for the polynomials of its steps.
class Motion {
 public:
  Motion(Shared c, const State& start, const nb::dict& how, nb::object progress, bool dense)
      : compiled_(std::move(c)), options_(options_of(*compiled_, how)) {
    Listener listener(std::move(progress));
    options_.progress = [&listener](const Progress& p) { return listener.hear(p); };
    {
      const Away free;
      if (dense) {
        dense_.emplace(compiled_->system(), start, options_);
        plain_ = dense_->trajectory();
      } else {
        plain_ = simulate(compiled_->system(), start, options_);
      }
    }
    options_.progress = nullptr;
    listener.raise_others();
  }

  const Trajectory& trajectory() const { return plain_; }
  const Compiled& compiled() const { return *compiled_; }

  /// One quantity of every recorded instant, an instant a row.
  nb::object table(const std::string& name) const {
    const Quantity quantity = quantity_named(name);
    std::vector<double> all;
    const std::size_t count = plain_.size();
    all.reserve(count * quantity.names.size());
    for (std::size_t k = 0; k < count; ++k) quantity.append(plain_[static_cast<int>(k)], all);
    return table_of(std::move(all), count, quantity.names.size());
  }
  /// name, names of its columns, what these are, their units: as files have them
  nb::list quantities_told() const {
    const RunRecord about = record();
    nb::list all;
    for (const Quantity& q : quantities(compiled_->system())) {
      std::vector<std::string> units;
      for (const std::string& name : q.names) units.push_back(about.units.of(name));
      all.append(nb::make_tuple(q.name, q.names, q.axis, units));
    }
    return all;
  }
  nb::object times() const { return array_of(plain_.times()); }
  nb::object energies() const {
    std::vector<double> all;
    for (int k = 0; k < plain_.size(); ++k) all.push_back(plain_[k].energy);
    return array_of(std::move(all));
  }
  std::vector<int> ranks() const {
    std::vector<int> all;
    for (int k = 0; k < plain_.size(); ++k) all.push_back(plain_[k].rank);
    return all;
  }
  /// What one constraint adds to the forces, at every recorded instant.
  nb::object force_of(int constraint) const {
    const auto work = compiled_->workspace();
    std::vector<double> all;
    Solution known;
    const std::size_t width = compiled_->system().velocity_names().size();
    for (int k = 0; k < plain_.size(); ++k) {
      const Sample at = plain_[k];
      if (compiled_->system().mechanics() ==
          Mechanics::vakonomic) {  // multipliers are told as mu, not as lambda
        solve(compiled_->system(), plain_.state(k), *work, known);
      } else {
        known.multipliers.assign(at.multipliers.begin(), at.multipliers.end());
        known.acceleration.assign(at.acceleration.begin(), at.acceleration.end());
      }
      const std::vector<double> force =
          force_of_constraint(compiled_->system(), plain_.state(k), known, constraint, *work);
      all.insert(all.end(), force.begin(), force.end());
    }
    return table_of(std::move(all), plain_.size(), width);
  }
  /// (q, v) at times it covers, a time a row.
  nb::object at(const Numbers& times) const {
    if (!dense_) fail("the motion was computed without dense_output=True");
    std::vector<double> all;
    std::size_t width =
        compiled_->system().coordinate_names().size() + compiled_->system().velocity_names().size();
    for (std::size_t k = 0; k < times.size(); ++k) {
      const State state = dense_->at(times.data()[k]);
      all.insert(all.end(), state.q.begin(), state.q.end());
      all.insert(all.end(), state.v.begin(), state.v.end());
    }
    return table_of(std::move(all), times.size(), width);
  }
  /// name, time, rising, q, v
  nb::list events() const {
    nb::list all;
    for (const EventRecord& e : plain_.events)
      all.append(nb::make_tuple(e.name, e.time, e.rising, array_of(e.state.q), array_of(e.state.v)));
    return all;
  }
  nb::dict residuals() const {
    nb::dict all;
    const auto& constraints = compiled_->system().constraints();
    for (std::size_t k = 0; k < plain_.worst.size(); ++k)
      all[constraints[k].name.c_str()] =
          nb::make_tuple(plain_.worst[k].position, plain_.worst[k].velocity, plain_.worst[k].acceleration);
    return all;
  }
  /// What a file of results says of itself.
  nb::dict told_of_it() const {
    const RunRecord about = record();
    nb::dict all;
    all["title"] = about.title;
    all["description"] = about.description;
    all["model_path"] = about.path;
    all["model"] = about.text;
    all["version"] = about.version;
    all["settings"] = about.settings;
    all["units_told"] = !about.units.told.empty();
    all["time_unit"] = about.units.of("t");
    all["complete"] = is_complete(plain_);
    return all;
  }
  /// time, sticks, constraint
  nb::list grip_changes() const {
    nb::list all;
    for (const GripChange& change : plain_.grip_changes)
      all.append(nb::make_tuple(change.time, change.sticks, change.constraint));
    return all;
  }
  /// time, rank before, at and after, constraints
  nb::list rank_changes() const {
    nb::list all;
    for (const RankChange& change : plain_.rank_changes)
      all.append(nb::make_tuple(change.time, change.before, change.at, change.after,
                                list_text(change.constraints, change.constraints.size())));
    return all;
  }
  nb::object last() const {
    return nb::make_tuple(plain_.last.t, array_of(plain_.last.q), array_of(plain_.last.v));
  }

  void verify_it(bool thorough) {
    Listener listener{nb::object(nb::none())};
    options_.progress = [&listener](const Progress& p) { return listener.hear(p); };
    {
      const Away free;
      plain_.verification = thorough ? verify(compiled_->system(), plain_, options_)
                                     : verify(compiled_->system(), plain_, options_, small_work);
    }
    options_.progress = nullptr;
    listener.raise_others();
  }

  std::string json() const { return run_json(compiled_->system(), plain_, compiled_->read().file.path); }
  std::string summarised() const { return summary(compiled_->system(), plain_); }
  std::string report() const {
    const ReadModel& read = compiled_->read();
    return page(read.file.model, compiled_->system(), complete_view(read.file.model, read.file.view), plain_,
                record());
  }
  std::string moving_picture() const {
    const ReadModel& read = compiled_->read();
    PictureOptions how;
    how.title = read.file.title;
    return picture(read.file.model, complete_view(read.file.model, read.file.view), plain_, how);
  }
  void write_csv(const std::string& path, int first) const {
    const auto stream = stream_csv(path, compiled_->system(), record());
    for (int k = first; k < plain_.size(); ++k) stream->append(plain_[k]);
    stream->finish(plain_, json());
  }

 private:
  Quantity quantity_named(const std::string& name) const {
    for (Quantity& q : quantities(compiled_->system()))
      if (q.name == name) return std::move(q);
    fail("a motion has no '" + name + "'");
  }
  /// With the settings of this run, and the values that parameters have in it.
  RunRecord record() const {
    ModelFile file = compiled_->read().file;
    file.simulate = settings_of_run(compiled_->settings(), plain_.first.t, options_);
    Overrides overrides = compiled_->read().overrides;
    const Parameters& living = compiled_->system().parameters();
    const auto& stated = compiled_->read().file.model.parameters();
    for (std::size_t k = 0; k < living.names().size(); ++k) {
      const std::string& name = living.names()[k];
      const auto given = std::ranges::find(overrides, name, &Overrides::value_type::first);
      const auto known = std::ranges::find(stated, name, &Model::ParameterData::name);
      if (given == overrides.end())
        overrides.emplace_back(name, number_text(living.values()[k]));
      else if (known == stated.end() || known->value != living.values()[k])
        given->second = number_text(living.values()[k]);
    }
    return record_of(file, overrides);
  }

  Shared compiled_;
  MotionOptions options_;
  std::optional<DenseTrajectory> dense_;
  Trajectory plain_;
};

State state_of(const Compiled& c, double t, const Numbers& q, const Numbers& v) {
  const std::size_t nq = c.system().coordinate_names().size(), nv = c.system().velocity_names().size();
  if (q.size() != nq || v.size() != nv)
    fail("the start has " + std::to_string(q.size()) + " coordinates and " + std::to_string(v.size()) +
         " velocities, the system " + std::to_string(nq) + " and " + std::to_string(nv));
  return {t, {q.data(), q.data() + nq}, {v.data(), v.data() + nv}};
}

}  // namespace

void bind_motions(nb::module_& m) {
  nb::class_<Motion>(m, "Motion")
      .def(
          "__init__",
          [](Motion* place, Shared c, double t, const Numbers& q, const Numbers& v, const nb::dict& how,
             nb::object progress, bool dense) {
            const State start = state_of(*c, t, q, v);
            new (place) Motion(std::move(c), start, how, std::move(progress), dense);
          },
          nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("how"),
          nb::arg("progress").none(), nb::arg("dense"))
      .def_prop_ro("stop", [](const Motion& s) { return std::string(status_word(s.trajectory().stop)); })
      .def_prop_ro("reason", [](const Motion& s) { return s.trajectory().reason; })
      .def_prop_ro("names", [](const Motion& s) { return s.trajectory().names; })
      .def_prop_ro("notes", [](const Motion& s) { return s.trajectory().notes; })
      .def_prop_ro("steps", [](const Motion& s) { return s.trajectory().steps; })
      .def_prop_ro("rejected", [](const Motion& s) { return s.trajectory().rejected; })
      .def_prop_ro("evaluations", [](const Motion& s) { return s.trajectory().evaluations; })
      .def_prop_ro("seconds", [](const Motion& s) { return s.trajectory().seconds; })
      .def_prop_ro("times", &Motion::times)
      .def_prop_ro("energies", &Motion::energies)
      .def_prop_ro("ranks", &Motion::ranks)
      .def_prop_ro("events", &Motion::events)
      .def_prop_ro("residuals", &Motion::residuals)
      .def_prop_ro("last", &Motion::last)
      .def_prop_ro("quantities", &Motion::quantities_told)
      .def_prop_ro("record", &Motion::told_of_it)
      .def_prop_ro("grip_changes", &Motion::grip_changes)
      .def_prop_ro("rank_changes", &Motion::rank_changes)
      .def("table", &Motion::table)
      .def("force_of", &Motion::force_of)
      .def("at", &Motion::at)
      .def("verify", &Motion::verify_it)
      .def("json", &Motion::json)
      .def("summary", &Motion::summarised)
      .def("report", &Motion::report)
      .def("picture", &Motion::moving_picture)
      .def("write_csv", &Motion::write_csv);
  m.def("integrators", [] {
    std::vector<std::string> names;
    for (const IntegratorInfo& one : integrators()) names.push_back(one.name);
    return names;
  });
}

}  // namespace vinculum::python
