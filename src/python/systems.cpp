// Systems for Python: one state, many states, and everything about an instant.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "python/core.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum::python {

SimulateSettings Compiled::settings() const {
  const Parameters& living = system_.parameters();
  return living.names().empty() ? read_->file.simulate : settings_with(read_->file, living);
}

State Compiled::start() const {
  State start = system_.start();
  start.t = settings().from;
  return start;
}

/// By the pivots of one solve at the start, or at the state on the constraints nearest to it. Several threads
/// may find it out at once, and find the same.
bool Compiled::has_dependent_rows() const {
  enum : int { unknown, none, some };
  if (int known = dependent_rows_; known != unknown) return known == some;
  bool found = false;
  if (!system_.row_names().empty()) {
    const Assembly on = assemble(system_, start());
    Solution at_start;
    SolveOptions how;
    how.detail = Detail::motion;
    how.within_step = true;
    const auto work = workspace();
    if (on.repaired) solve(system_, on.state, *work, at_start, how);
    found = on.repaired && at_start.status == Status::solved && at_start.rank >= 0 &&
            at_start.rank < static_cast<int>(system_.row_names().size());
  }
  dependent_rows_ = found ? some : none;
  return found;
}

/// Why a state has no acceleration, in words.
void Compiled::fail_at(const StateView& at, const std::string& which) const {
  const Instant instant = examine(model(), system_, at.copy());
  throw Unsolved{std::string(status_word(status_of(instant))), which + reason_of(system_, instant),
                 names_of(system_, instant.solution), at.t};
}

namespace {

using Shared = std::shared_ptr<Compiled>;

/// Eight sums at a time: x * 0 is 0 for what is finite, and stays no number for what is not.
bool are_finite(std::span<const double> x) {
  std::array<double, 8> zero{};
  std::size_t i = 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t k = 0; k < 8; ++k) zero[k] += x[i + k] * 0.0;
  for (; i < x.size(); ++i) zero[0] += x[i] * 0.0;
  double sum = 0;
  for (const double z : zero) sum += z;
  return sum == 0.0;
}
bool all_finite(const Numbers& numbers) { return are_finite({numbers.data(), numbers.size()}); }

Shared compile(std::shared_ptr<const ReadModel> read, const std::vector<std::string>& living) {
  const Away free;
  return std::make_shared<Compiled>(std::move(read), living);
}

Shared with_values(const Compiled& c, const std::vector<std::pair<std::string, double>>& values) {
  Parameters changed = c.system().parameters();
  for (const auto& [name, value] : values) changed[name] = value;
  return std::make_shared<Compiled>(c.shared_read(), c.system().with(changed));
}

void require_size(const char* what, std::size_t size, std::size_t wanted, const char* of) {
  if (size != wanted)
    fail(std::string(what) + " has " + std::to_string(size) + " numbers, and the system has " +
         std::to_string(wanted) + " " + of);
}

void require_state(const Compiled& c, std::size_t q, std::size_t v) {
  require_size("q", q, c.system().coordinate_names().size(), "coordinates");
  require_size("v", v, c.system().velocity_names().size(), "velocities");
}

StateView view_of(const Compiled& c, const Numbers& q, const Numbers& v, double t) {
  require_state(c, q.size(), v.size());
  return {t, {q.data(), q.size()}, {v.data(), v.size()}};
}

void accelerate_into(const Compiled& c, const StateView& at, std::span<double> out) {
  static const Mode open;
  Status status;
  {
    const auto work = c.workspace();
    status = accelerate(c.system(), at, open, *work, out, false).status;
  }
  if (status != Status::solved) c.fail_at(at);
}

/// Small systems are done before another thread could begin.
bool is_long(const Compiled& c) { return c.system().velocity_names().size() > 24; }

/// Python says what is wrong with it.
void require_time(double t) {
  if (!std::isfinite(t)) throw nb::type_error("t must be finite");
}

void acceleration(const Compiled& c, const Numbers& q, const Numbers& v, double t, const NumbersOut& out) {
  require_time(t);
  const StateView at = view_of(c, q, v, t);
  require_size("out", out.size(), v.size(), "velocities");
  const std::span<double> into(out.data(), out.size());
  if (!is_long(c)) {
    accelerate_into(c, at, into);
    return;
  }
  const Away free;
  accelerate_into(c, at, into);
}

/// Many states, one a row.
struct Rows {
  const double *q, *v, *t;
  std::size_t nq, nv;
  bool one_time;
  StateTable table() const { return {q, v, t, one_time}; }
  StateView operator[](std::size_t k) const {
    return {t[one_time ? 0 : k], {q + k * nq, nq}, {v + k * nv, nv}};
  }
};

Rows rows_of(const Compiled& c, const Table& q, const Table& v, const Numbers& t, const TableOut& out) {
  const std::size_t count = q.shape(0), nq = q.shape(1), nv = v.shape(1);
  require_state(c, nq, nv);
  if (v.shape(0) != count || (t.size() != 1 && t.size() != count) || out.shape(0) != count ||
      out.shape(1) != nv)
    fail("q has " + std::to_string(count) + " states, v " + std::to_string(v.shape(0)) + ", t " +
         std::to_string(t.size()) + " and out " + std::to_string(out.shape(0)) + " x " +
         std::to_string(out.shape(1)) + ": one row for each state");
  return {q.data(), v.data(), t.data(), nq, nv, t.size() == 1};
}

std::string state_text(std::size_t k) { return "state " + std::to_string(k) + ": "; }

void accelerations(const Compiled& c, const Table& q, const Table& v, const Numbers& t, const TableOut& out) {
  const Rows rows = rows_of(c, q, v, t, out);
  const Away free;
  const auto work = c.table_workspace();
  if (const auto failed = (*work).accelerate(c.system(), rows.table(), 0, q.shape(0), out.data()))
    c.fail_at(rows[*failed], state_text(*failed));
}

/// The same where each state has values of parameters of its own, a row of `values` for each. States with
/// equal values stand side by side, and are computed together; `place` is where each is known from.
void accelerations_of(const Compiled& c, const Table& q, const Table& v, const Numbers& t,
                      const std::vector<std::string>& names, const Table& values, const Places& place,
                      const TableOut& out) {
  const Rows rows = rows_of(c, q, v, t, out);
  const std::size_t count = q.shape(0), width = names.size();
  if (values.shape(0) != count || values.shape(1) != width || place.size() != count)
    fail("parameters have one value for each of " + std::to_string(count) + " states");
  const Away free;
  const auto work = c.table_workspace();
  Parameters changed = c.system().parameters();
  const auto of = [&](std::size_t k) { return std::span(values.data() + k * width, width); };
  const auto known_as = [&](std::size_t k) { return state_text(static_cast<std::size_t>(place.data()[k])); };
  for (std::size_t first = 0, end = 0; first < count; first = end) {
    while (end < count && std::ranges::equal(of(first), of(end))) ++end;
    for (std::size_t p = 0; p < width; ++p) changed[names[p]] = of(first)[p];
    const System system = [&] {
      try {
        return c.system().with(changed);
      } catch (const Error& e) {
        fail(known_as(first) + e.text());
      }
    }();
    if (const auto failed = (*work).accelerate(system, rows.table(), first, end, out.data()))
      Compiled(c.shared_read(), system).fail_at(rows[*failed], known_as(*failed));
  }
}

/// In vakonomic motion mu' = -lambda.
void vakonomic_rhs(const Compiled& c, const StateView& at, Workspace& work, std::span<double> out) {
  Solution found;
  solve(c.system(), at, work, found);
  if (found.status != Status::solved) c.fail_at(at);
  std::ranges::copy(found.acceleration, out.begin() + static_cast<std::ptrdiff_t>(at.q.size()));
  for (int r = 0; r < static_cast<int>(found.multipliers.size()); ++r)
    if (const int mu = c.system().multiplier_coordinate(r); mu >= 0) out[mu] = -found.multipliers[r];
}

/// q' and q'' at the state on the constraints that is nearest; false where there is none. Loops that must
/// stay open by the noise of a drawing pass rows over, as a motion does.
bool rhs_on_constraints(const Compiled& c, const StateView& at, std::span<double> out) {
  const auto work = c.workspace();
  AssembleOptions how;
  how.closure = 0.0;
  Assembly nearest = assemble(c.system(), at.copy(), how, *work);
  if (!nearest.repaired && c.settings().closure > 0) {
    how.closure = c.settings().closure;
    nearest = assemble(c.system(), at.copy(), how, *work);
  }
  if (!nearest.repaired) return false;
  Mode mode;
  for (const PassedOver& p : nearest.passed_over) {
    mode.passed_over.resize(c.system().row_names().size(), 0);
    mode.passed_over[p.row] = 1;
  }
  const std::span<double> rate = out.first(at.q.size()), acceleration = out.subspan(at.q.size());
  rates(c.system(), nearest.state, *work, rate);
  return accelerate(c.system(), nearest.state, mode, *work, acceleration, false).status == Status::solved;
}

/// Where a solver has lost the constraints, this is what is wrong, and not that they contradict each other.
[[noreturn]] void fail_off_constraints(const Compiled& c, const StateView& at) {
  const Assembly nearest = assemble(c.system(), at.copy());
  if (nearest.consistent || nearest.not_finite) c.fail_at(at);
  if (nearest.repaired) c.fail_at(nearest.state);
  std::vector<std::string> names;
  for (const Violation& v : nearest.violations)
    if (std::ranges::find(names, v.constraint) == names.end()) names.push_back(v.constraint);
  throw Unsolved{"step",
                 "the state breaks " + list_text(names, 6) + ", '" + names.front() + "' by " +
                     number_text(nearest.violations.front().miss, 3) +
                     ", and no state on the constraints was found near it: a solver with smaller tolerances, "
                     "or an implicit one where the motion is stiff, stays nearer to them",
                 names, at.t};
}

/// y' = (q', q'') as it stands at y itself.
bool rhs_at(const Compiled& c, const StateView& at, std::span<double> out) {
  static const Mode open;
  const auto work = c.workspace();
  rates(c.system(), at, *work, out.first(at.q.size()));
  return accelerate(c.system(), at, open, *work, out.subspan(at.q.size()), false).status == Status::solved;
}

/// y = (q, v): what solvers of differential equations ask for. A solver leaves the constraints by its own
/// error. Rows that depend on others contradict them there, by what the state misses, and mean the more the
/// less they are independent: where there are such rows, forces are taken on the constraints.
void rhs(const Compiled& c, double t, const Numbers& y, const NumbersOut& out) {
  require_time(t);
  const std::size_t nq = c.system().coordinate_names().size(), nv = c.system().velocity_names().size();
  require_size("y", y.size(), nq + nv, "coordinates and velocities");
  require_size("out", out.size(), nq + nv, "coordinates and velocities");
  const StateView at(t, {y.data(), nq}, {y.data() + nq, nv});
  const std::span<double> into(out.data(), out.size());
  if (c.system().mechanics() == Mechanics::vakonomic) {
    const auto work = c.workspace();
    rates(c.system(), at, *work, into.first(nq));
    vakonomic_rhs(c, at, *work, into);
    return;
  }
  const auto evaluate_there = [&] {
    if (!c.has_dependent_rows() && rhs_at(c, at, into)) return;
    if (!rhs_on_constraints(c, at, into)) fail_off_constraints(c, at);
  };
  if (is_long(c)) {
    const Away free;
    evaluate_there();
  } else {
    evaluate_there();
  }
}

/// Everything about one state.
class Moment {
 public:
  Moment(Shared c, const StateView& at, const std::string& road, const std::vector<PassedOver>& passed_over)
      : compiled_(std::move(c)), instant_(make(*compiled_, at, road, passed_over)) {}

  std::string json() const { return explain_json(compiled_->system(), instant_); }
  std::string page() const { return explain(compiled_->system(), instant_); }
  std::string status() const { return std::string(status_word(status_of(instant_))); }
  std::string reason() const { return reason_of(compiled_->system(), instant_); }
  std::vector<std::string> names() const { return names_of(compiled_->system(), instant_.solution); }
  /// On the velocities.
  nb::object force_of(int constraint) const {
    const auto work = compiled_->workspace();
    return array_of(
        force_of_constraint(compiled_->system(), instant_.state, instant_.solution, constraint, *work));
  }
  nb::object outputs() const {
    const auto work = compiled_->workspace();
    std::vector<double> values(compiled_->system().output_names().size());
    observe(compiled_->system(), instant_.state, Mode(), instant_.solution, *work, values);
    return array_of(std::move(values));
  }

 private:
  static Instant make(const Compiled& c, const StateView& at, const std::string& word,
                      const std::vector<PassedOver>& passed_over) {
    SolveOptions how;
    bool known = false;
    for (const Road road : {Road::automatic, Road::fast, Road::robust, Road::lagrange, Road::gauss})
      if (word == road_name(road)) {
        how.road = road;
        known = true;
      }
    if (!known) fail("road '" + word + "': roads are automatic, fast, robust, lagrange and gauss");
    const Away free;
    return examine(c.model(), c.system(), at.copy(), how, passed_over);
  }
  Shared compiled_;
  Instant instant_;
};

nb::dict assembled(const Compiled& c, const StateView& at, const std::vector<std::string>& fixed) {
  Assembly found;
  {
    const Away free;
    AssembleOptions how;
    how.fixed = fixed;
    how.closure = c.settings().closure;
    found = assemble(c.system(), at.copy(), how);
  }
  nb::dict all;
  all["consistent"] = found.consistent;
  all["repaired"] = found.repaired;
  all["text"] = found.text;
  all["fighting"] = found.fighting;
  all["q"] = array_of(found.state.q);
  all["v"] = array_of(found.state.v);
  nb::dict changes;
  for (const Change& change : found.changes) changes[change.name.c_str()] = change.by;
  all["changes"] = changes;
  return all;
}

nb::tuple checked(const Compiled& c, const State& start) {
  const CheckReport report = [&] {
    const Away free;
    return check(c.model(), c.system(), start, motion_options(c.settings()));
  }();
  return nb::make_tuple(check_json(c.system(), report), check_page(c.system(), report), report.fine,
                        report.reason);
}

std::vector<std::string> events_of(const Compiled& c) {
  std::vector<std::string> names;
  for (const EventInfo& event : c.system().events()) names.push_back(event.name);
  return names;
}

/// name, order, first row, number of rows, servo
nb::list constraints_of(const Compiled& c) {
  nb::list all;
  for (const ConstraintInfo& one : c.system().constraints())
    all.append(nb::make_tuple(one.name, one.order, one.first_row, one.row_count, one.servo));
  return all;
}

/// The first of the four coordinates of each.
std::vector<int> quaternions_of(const Compiled& c) {
  std::vector<int> first;
  for (const Rotation& one : c.system().rotations()) first.push_back(one.coordinate);
  return first;
}

nb::dict parameters_of(const Compiled& c) {
  nb::dict all;
  const Parameters& p = c.system().parameters();
  for (std::size_t k = 0; k < p.names().size(); ++k) all[p.names()[k].c_str()] = p.values()[k];
  return all;
}

/// Those that are made of others follow them.
nb::dict all_parameters_of(const Compiled& c) {
  nb::dict all;
  const Parameters& living = c.system().parameters();
  const auto& known = c.model().parameters();
  const std::vector<double> values = c.model().stated().parameter_values(living.names(), living.values());
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k].kind == Model::ParameterData::Kind::number) all[known[k].name.c_str()] = values[k];
  return all;
}

/// Where joints say where they start: the state that does as they say, or, where there is none, the same
/// model with these starts as constraints, of which a motion tells what is in the way. Nothing where none
/// says so.
nb::object started_in_joints(const Shared& c) {
  if (!has_joint_starts(c->model())) return nb::none();
  const SimulateSettings settings = c->settings();
  AssembleOptions how;
  how.closure = settings.closure;
  if (settings.until) how.time = std::fabs(*settings.until - settings.from);
  const Parameters& living = c->system().parameters();
  StartInJoints found = [&] {
    const Away free;
    return assemble_in_joints(
        living.names().empty() ? c->model() : c->model().with_values(living.names(), living.values()),
        c->system(), settings.from, how);
  }();
  Shared held = c;
  if (found.held) {
    auto other = std::make_shared<ReadModel>(c->read());
    other->file.model = std::move(found.held->model);
    held = std::make_shared<Compiled>(std::move(other), std::move(found.held->system));
  }
  const State& start = found.assembly.repaired ? found.assembly.state : c->start();
  return nb::make_tuple(nb::cast(held), array_of(start.q), array_of(start.v), found.assembly.repaired,
                        found.assembly.text);
}

}  // namespace

void bind_systems(nb::module_& m) {
  nb::class_<Compiled>(m, "Compiled")
      .def_prop_ro("coordinate_names", [](const Compiled& c) { return c.system().coordinate_names(); })
      .def_prop_ro("velocity_names", [](const Compiled& c) { return c.system().velocity_names(); })
      .def_prop_ro("row_names", [](const Compiled& c) { return c.system().row_names(); })
      .def_prop_ro("output_names", [](const Compiled& c) { return c.system().output_names(); })
      .def_prop_ro("event_names", events_of)
      .def_prop_ro("constraints", constraints_of)
      .def_prop_ro("quaternions", quaternions_of)
      .def_prop_ro("parameters", parameters_of)
      .def_prop_ro("all_parameters", all_parameters_of)
      .def_prop_ro("settings", [](const Compiled& c) { return settings_of(c.settings()); })
      .def_prop_ro("why_interpreted", [](const Compiled& c) { return c.system().why_interpreted(); })
      .def("start",
           [](const Compiled& c) {
             State start = c.start();
             return nb::make_tuple(start.t, array_of(std::move(start.q)), array_of(std::move(start.v)));
           })
      .def("with_values", with_values)
      .def("acceleration", acceleration, nb::arg("q").noconvert(), nb::arg("v").noconvert(), nb::arg("t"),
           nb::arg("out").noconvert())
      .def("accelerations", accelerations, nb::arg("q").noconvert(), nb::arg("v").noconvert(),
           nb::arg("t").noconvert(), nb::arg("out").noconvert())
      .def("accelerations_of", accelerations_of, nb::arg("q").noconvert(), nb::arg("v").noconvert(),
           nb::arg("t").noconvert(), nb::arg("names"), nb::arg("values").noconvert(),
           nb::arg("place").noconvert(), nb::arg("out").noconvert())
      .def("rhs", rhs, nb::arg("t"), nb::arg("y").noconvert(), nb::arg("out").noconvert())
      .def("energy",
           [](const Compiled& c, const Numbers& q, const Numbers& v, double t) {
             const StateView at = view_of(c, q, v, t);
             const auto work = c.workspace();
             return energy(c.system(), at, *work);
           })
      .def("residuals",
           [](const Compiled& c, const Numbers& q, const Numbers& v, double t) {
             const StateView at = view_of(c, q, v, t);
             const auto work = c.workspace();
             Residuals found;
             residuals(c.system(), at, *work, found);
             return nb::make_tuple(array_of(std::move(found.position)), array_of(std::move(found.velocity)));
           })
      .def("assemble",
           [](const Compiled& c, const Numbers& q, const Numbers& v, double t,
              const std::vector<std::string>& fixed) { return assembled(c, view_of(c, q, v, t), fixed); })
      .def("check", [](const Compiled& c, const Numbers& q, const Numbers& v, double t) {
        return checked(c, view_of(c, q, v, t).copy());
      });
  m.def("all_finite", all_finite, nb::arg("numbers").noconvert());
  m.def("compile", compile);
  m.def("started_in_joints", started_in_joints);
  nb::class_<Moment>(m, "Moment")
      .def(
          "__init__",
          [](Moment* place, Shared c, const Numbers& q, const Numbers& v, double t, const std::string& road) {
            const StateView at = view_of(*c, q, v, t);
            new (place) Moment(std::move(c), at, road, {});
          })
      .def("json", &Moment::json)
      .def("page", &Moment::page)
      .def("force_of", &Moment::force_of)
      .def("outputs", &Moment::outputs)
      .def_prop_ro("status", &Moment::status)
      .def_prop_ro("reason", &Moment::reason)
      .def_prop_ro("names", &Moment::names);
}

}  // namespace vinculum::python
