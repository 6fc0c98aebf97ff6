#include "vinculum/system/batch.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "equation/sparse/schur.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
constexpr int most_refinements = 4;  // as on the fast road for one state

struct EightNumbers {
  explicit EightNumbers(std::size_t count) : memory(count) {}
  Eight* data() { return memory.data(); }
  double* numbers() { return reinterpret_cast<double*>(memory.data()); }
  void spread(const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) std::fill_n(numbers() + 8 * k, 8, values[k]);
  }
  std::vector<Eight> memory;
};

}  // namespace

struct BatchWorkspace::Impl {
  explicit Impl(const System& system)
      : owner(&system.impl()),
        single(system),
        scratch(system.impl().equations, system.values().numbers, States::eight),
        closed_scratch(system.impl().closed, system.values().numbers, States::eight),
        M(system.values().pattern.M.entries()),
        Q(system.values().pattern.Q.size()),
        C(system.values().pattern.C.size()),
        A(system.values().pattern.A.entries()),
        b(system.values().pattern.b.size()),
        inverse(lanes(system) ? system.structure().impl().inverse_start.back() : 0),
        y(lanes(system) ? system.structure().impl().y_size : 0),
        factor(lanes(system) ? b_size(system) * b_size(system) : 0),
        pivot(b_size(system)),
        residual(b_size(system)),
        step(b_size(system)),
        free(Q_size(system)),
        change(Q_size(system)),
        motion(Q_size(system)),
        push(Q_size(system)) {
    at = system.start();
    take_numbers(system);
  }
  void take_numbers(const System& system) {
    serial = system.values().serial;
    M.spread(system.values().pattern.M.value);
    Q.spread(system.values().pattern.Q);
    C.spread(system.values().pattern.C);
    A.spread(system.values().pattern.A.value);
    b.spread(system.values().pattern.b);
    mass_ready = false;
  }
  /// To the values of a system that shares what is compiled.
  void bind(const System& system) {
    take_numbers(system);
    scratch.bind(system.impl().equations, system.values().numbers);
    closed_scratch.bind(system.values().numbers);
  }
  /// Small systems are solved on lanes; for large ones the kernels alone fill them.
  static bool lanes(const System& system) {
    const Method method = system.structure().impl().method;
    return method == Method::dense || method == Method::free;
  }
  static std::size_t b_size(const System& system) { return system.impl().row_names.size(); }
  static std::size_t Q_size(const System& system) { return system.impl().velocity_names.size(); }

  const System::Impl* owner;  // the system it was made for
  std::uint64_t serial = 0;   // of the values it is bound to
  Workspace single;
  Solution solution;
  State at;
  ElementKernels::Scratch scratch;
  ClosedForm::Scratch closed_scratch;
  EightNumbers M, Q, C, A, b, inverse, y, factor, pivot, residual, step, free, change, motion, push;
  bool mass_ready = false;
};

namespace {

using Work = BatchWorkspace::Impl;

[[gnu::always_inline]] inline bool all(const Eight& good) {
  double product = 1.0;
  for (const double g : good.lane) product *= g;
  return product == 1.0;
}

/// 1 in the lanes where either is.
[[gnu::always_inline]] inline Eight good_or(Eight a, const Eight& b) {
  for (int k = 0; k < 8; ++k) a.lane[k] = a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k];
  return a;
}

/// The same steps, in the same order, as the fast road takes for one state. A lane that meets its rows rests.
[[gnu::always_inline]] inline Eight meet_rows(const Structure::Impl& s, const SparseMatrix& pattern, Work& w,
                                              const Eight* b, const Eight* free, Eight* q) {
  const int *start = pattern.start.data(), *column = pattern.column.data();
  Eight *step = w.step.data(), *r = w.residual.data(), *change = w.change.data();
  residual(s.rows, start, column, w.A.data(), b, free, r);
  Eight good = 0.0;
  for (int pass = 0; pass <= most_refinements; ++pass) {
    for (int i = 0; i < s.rows; ++i) step[i] = r[i];
    solve_dense(s, w.factor.data(), w.pivot.data(), step);
    for (int i = 0; i < s.rows; ++i)
      for (int k = 0; k < 8; ++k)
        if (good.lane[k] == 1.0) step[i].lane[k] = 0.0;
    for (int i = 0; i < s.coordinates; ++i) change[i] = Eight(0.0);
    add_transposed(s.rows, start, column, w.A.data(), step, change);
    push_from(s, w.inverse.data(), pass == 0 ? free : q, change, q);
    good = checked_residual(s.rows, start, column, w.A.data(), b, q, r);
    if (all(good)) return good;
    if (pass > 0) good = good_or(good, within_cancellation(s.rows, start, column, w.A.data(), b, q, free, r));
    if (all(good)) return good;
  }
  return good;
}

VINCULUM_CLONES
Eight solve_lanes(const Structure::Impl& s, const Equations& pattern, bool mass_constant, Work& w) {
  Eight good = 1.0;
  if (!(mass_constant && w.mass_ready)) {
    good = invert_mass(s, w.M.data(), w.inverse.data());
    w.mass_ready = true;
    for (const double g : good.lane) w.mass_ready = w.mass_ready && g == 1.0;
  }
  apply_inverse_mass(s, w.inverse.data(), w.Q.data(), w.free.data());
  for (int i = 0; i < s.coordinates; ++i) w.motion.data()[i] = w.free.data()[i];
  if (s.rows > 0) {
    fill_y(s, w.inverse.data(), w.A.data(), w.y.data());
    factorize_dense(s, w.A.data(), w.y.data(), w.factor.data(), w.pivot.data());
    good *= meet_rows(s, pattern.A, w, w.b.data(), w.free.data(), w.motion.data());
  }
  if (!pattern.C.empty()) {
    apply_inverse_mass(s, w.inverse.data(), w.C.data(), w.free.data());
    for (int i = 0; i < s.coordinates; ++i) w.push.data()[i] = w.free.data()[i];
    if (s.rows > 0) good *= meet_rows(s, pattern.A, w, nullptr, w.free.data(), w.push.data());
    for (int i = 0; i < s.coordinates; ++i) w.motion.data()[i] += w.push.data()[i];
  }
  for (int i = 0; i < s.coordinates; ++i)  // a lane that is not finite is not good
    good *= at_most(magnitude(w.motion.data()[i]), Eight(std::numeric_limits<double>::max()));
  return good;
}

void require_sizes(const System::Impl& s, const StateBatch& states, std::span<const double> acceleration) {
  if (states.q.size() != 8 * s.coordinate_names.size() || states.v.size() != 8 * s.velocity_names.size() ||
      acceleration.size() != states.v.size())
    fail("a batch holds eight states: 8 numbers for each of " + std::to_string(s.coordinate_names.size()) +
         " coordinates, " + std::to_string(s.velocity_names.size()) +
         " velocities and as many accelerations");
}

/// Kernels and elimination on lanes, for systems too large for the closed form.
Eight general_lanes(const System& system, const StateBatch& states, Work& w, std::span<double> acceleration) {
  const System::Impl& s = system.impl();
  const Equations& pattern = system.values().pattern;
  if (s.equations.sums(Where::mass)) w.M.spread(pattern.M.value);
  if (s.equations.sums(Where::force)) w.Q.spread(pattern.Q);
  if (s.equations.sums(Where::nonideal)) w.C.spread(pattern.C);
  const Numbers to{w.M.numbers(), w.Q.numbers(), w.C.numbers(), w.A.numbers(),
                   w.b.numbers(), nullptr,       nullptr,       nullptr};
  s.equations.evaluate_batch({{states.t.data(), states.q.data(), states.v.data()}}, to, w.scratch);
  const Eight good = solve_lanes(system.structure().impl(), pattern, s.mass_constant, w);
  std::copy_n(w.motion.numbers(), acceleration.size(), acceleration.begin());
  return good;
}

const State& state_of(const StateBatch& states, int lane, Work& w) {
  w.at.t = states.t[lane];
  for (std::size_t i = 0; i < w.at.q.size(); ++i) w.at.q[i] = states.q[8 * i + lane];
  for (std::size_t i = 0; i < w.at.v.size(); ++i) w.at.v[i] = states.v[8 * i + lane];
  return w.at;
}

/// Lanes on a switch have the forces of neither side: the law of switches decides them, one by one.
void leave_to_switches(const System& system, const StateBatch& states, Work& w, Eight& good) {
  if (system.impl().sliding.empty()) return;
  Workspace::Impl& single = w.single.impl();
  fit(system, single);
  for (int lane = 0; lane < 8; ++lane)
    if (single.sliding->intervenes(state_of(states, lane, w), Mode{})) good.lane[lane] = 0.0;
}

void solve_one(const System& system, const StateBatch& states, int lane, Work& w, BatchReport& report,
               std::span<double> acceleration) {
  state_of(states, lane, w);
  SolveOptions options;
  options.detail = Detail::motion;
  solve(system, w.at, w.single, w.solution, options);
  report.status[lane] = w.solution.status;
  report.road_used[lane] = w.solution.road_used;
  for (std::size_t i = 0; i < w.at.v.size(); ++i)
    acceleration[8 * i + lane] = w.solution.acceleration.empty() ? NAN : w.solution.acceleration[i];
}

}  // namespace

BatchWorkspace::BatchWorkspace(const System& system) : impl_(std::make_unique<Impl>(system)) {}
BatchWorkspace::~BatchWorkspace() = default;
BatchWorkspace::BatchWorkspace(BatchWorkspace&&) noexcept = default;
BatchWorkspace& BatchWorkspace::operator=(BatchWorkspace&&) noexcept = default;

BatchReport accelerate(const System& system, const StateBatch& states, BatchWorkspace& work,
                       std::span<double> acceleration) {
  const System::Impl& s = system.impl();
  Work& w = work.impl();
  if (w.owner != &s) fail("the workspace was made for another system; make one for each");
  if (w.serial != system.values().serial) w.bind(system);
  require_sizes(s, states, acceleration);
  BatchReport report;
  report.status.fill(Status::solved);
  report.road_used.fill(Road::fast);
  Eight good = 0.0;
  if (s.closed.exists()) {
    const bool all_good = s.closed.solve_lanes(states.t.data(), states.q.data(), states.v.data(),
                                               w.closed_scratch, acceleration.data(), good.lane);
    if (all_good && s.sliding.empty()) return report;
  } else if (Work::lanes(system) && !s.nonideal_needs_reactions && !s.drive) {
    good = general_lanes(system, states, w, acceleration);
  }
  leave_to_switches(system, states, w, good);
  for (int lane = 0; lane < 8; ++lane)
    if (good.lane[lane] != 1.0) solve_one(system, states, lane, w, report, acceleration);
  return report;
}

}  // namespace vinculum
