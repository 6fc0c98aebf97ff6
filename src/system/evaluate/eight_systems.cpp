#include "system/evaluate/eight_systems.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "system/system_impl.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

double* numbers(std::vector<Eight>& memory) { return reinterpret_cast<double*>(memory.data()); }
double* number(Eight& one) { return one.lane; }

/// What does not depend on the state, of each lane, and what does.
struct OfEach {
  explicit OfEach(std::size_t size) : constant(size, Eight(0.0)), value(size, Eight(0.0)) {}
  void bind(int lane, std::span<const double> constants) {
    for (std::size_t k = 0; k < constants.size(); ++k)
      constant[k].lane[lane] = value[k].lane[lane] = constants[k];
  }
  /// Sums begin anew.
  double* begin(bool sums) {
    for (std::size_t k = 0; sums && k < value.size(); ++k) value[k] = constant[k];
    return numbers(value);
  }
  std::vector<Eight> constant, value;
};

StateParts parts_of(const EightSystems::At& at) {
  return {{at.t.lane, reinterpret_cast<const double*>(at.q), reinterpret_cast<const double*>(at.v)}};
}

}  // namespace

struct EightSystems::Impl {
  explicit Impl(const System& like)
      : system(like),
        s(system.impl()),
        closed(s.closed, like.values().numbers, States::eight),
        places(s.closed_position, like.values().numbers, States::eight),
        velocities(s.closed_velocity, like.values().numbers, States::eight),
        equations(s.equations, like.values().numbers, States::eight),
        residuals(s.residuals, like.values().numbers, States::eight),
        powers(s.powers, like.values().numbers, States::eight),
        M(like.values().pattern.M.value.size()),
        Q(like.values().pattern.Q.size()),
        C(like.values().pattern.C.size()),
        A(like.values().pattern.A.value.size()),
        b(like.values().pattern.b.size()),
        position(s.row_names.size()),
        velocity(s.row_names.size()),
        work(2),
        mass(s.velocity_names.size()),
        force(s.velocity_names.size()) {
    const SparseMatrix& m = like.values().pattern.M;
    diagonal.assign(mass.size(), -1);
    for (int i = 0; i < m.rows; ++i)
      for (int k = m.start[i]; k < m.start[i + 1]; ++k)
        if (m.column[k] == i) diagonal[i] = k;
  }

  const System system;  // one of them
  const System::Impl& s;
  ClosedForm::Scratch closed, places, velocities;
  ElementKernels::Scratch equations, residuals, powers;
  OfEach M, Q, C, A, b, position, velocity, work;
  std::vector<int> diagonal;  // where M_ii stands; -1: nowhere
  std::vector<Eight> mass, force;
};

bool EightSystems::possible(const System& system) {
  const System::Impl& s = system.impl();
  for (const ElementKernels* kernels : {&s.equations, &s.residuals, &s.powers})
    if (kernels->instances_live() || kernels->calls_functions()) return false;
  const bool corrects = (s.position_rows.empty() || s.closed_position.exists()) &&
                        (s.velocity_rows.empty() || s.closed_velocity.exists());
  const bool decides = !s.sliding.empty() || !s.frictions.empty() || s.drive || !s.programmes.empty();
  return s.closed.exists() && corrects && !decides && !s.nonideal_needs_reactions;
}

EightSystems::EightSystems(const System& system) : impl_(std::make_unique<Impl>(system)) {
  for (int lane = 0; lane < 8; ++lane) bind(lane, system);
}
EightSystems::~EightSystems() = default;

void EightSystems::bind(int lane, const System& system) {
  Impl& w = *impl_;
  const System::Values& values = system.values();
  for (ClosedForm::Scratch* scratch : {&w.closed, &w.places, &w.velocities})
    scratch->bind_lane(lane, values.numbers);
  for (ElementKernels::Scratch* scratch : {&w.equations, &w.residuals, &w.powers})
    scratch->bind_lane(lane, values.numbers);
  const Equations& pattern = values.pattern;
  w.M.bind(lane, pattern.M.value);
  w.Q.bind(lane, pattern.Q);
  w.C.bind(lane, pattern.C);
  w.A.bind(lane, pattern.A.value);
  w.b.bind(lane, pattern.b);
  w.position.bind(lane, values.constant_position);
  w.velocity.bind(lane, values.constant_velocity);
  w.work.bind(lane, std::array{values.constant_power, values.constant_power_explicit});
}

Eight EightSystems::accelerate(const At& at, Eight* acceleration) {
  Eight good;
  const StateParts state = parts_of(at);
  impl_->s.closed.solve_lanes(state.part[0], state.part[1], state.part[2], impl_->closed, acceleration->lane,
                              good.lane);
  return good;
}

EightSystems::Powers EightSystems::powers(const At& at) {
  Impl& w = *impl_;
  w.work.begin(true);
  vinculum::Numbers to;
  to[static_cast<int>(Where::power)] = number(w.work.value[0]);
  to[static_cast<int>(Where::power_explicit)] = number(w.work.value[1]);
  w.s.powers.evaluate_batch(parts_of(at), to, w.powers);
  return {&w.work.value[0], &w.work.value[1]};
}

Eight EightSystems::correct(Level level, const At& at, Eight* x) {
  Impl& w = *impl_;
  const bool of_position = level == Level::position;
  const ClosedForm& closed = of_position ? w.s.closed_position : w.s.closed_velocity;
  Eight good = 1.0;
  if ((of_position ? w.s.position_rows : w.s.velocity_rows).empty()) {
    std::fill_n(x, w.mass.size(), Eight(0.0));
    return good;
  }
  const StateParts state = parts_of(at);
  closed.solve_lanes(state.part[0], state.part[1], state.part[2], of_position ? w.places : w.velocities,
                     x->lane, good.lane);
  return good;
}

void EightSystems::misses(const At& at, Eight* position, Eight* velocity) {
  Impl& w = *impl_;
  vinculum::Numbers to;
  to[static_cast<int>(Where::position)] = w.position.begin(true);
  to[static_cast<int>(Where::velocity)] = w.velocity.begin(true);
  w.s.residuals.evaluate_batch(parts_of(at), to, w.residuals);
  std::ranges::copy(w.position.value, position);
  std::ranges::copy(w.velocity.value, velocity);
}

EightSystems::Numbers EightSystems::evaluate(const At& at) {
  Impl& w = *impl_;
  vinculum::Numbers to;
  to[static_cast<int>(Where::mass)] = w.M.begin(w.s.equations.sums(Where::mass));
  to[static_cast<int>(Where::force)] = w.Q.begin(w.s.equations.sums(Where::force));
  to[static_cast<int>(Where::nonideal)] = w.C.begin(w.s.equations.sums(Where::nonideal));
  to[static_cast<int>(Where::row)] = w.A.begin(w.s.equations.sums(Where::row));
  to[static_cast<int>(Where::right)] = w.b.begin(w.s.equations.sums(Where::right));
  w.s.equations.evaluate_batch(parts_of(at), to, w.equations);
  for (std::size_t i = 0; i < w.mass.size(); ++i) {
    w.mass[i] = w.diagonal[i] >= 0 ? w.M.value[w.diagonal[i]] : Eight(0.0);
    w.force[i] = magnitude(w.Q.value[i]);
    if (!w.C.value.empty()) w.force[i] = larger(w.force[i], magnitude(w.C.value[i]));
  }
  return {w.mass.data(), w.force.data(), w.A.value.data()};
}

}  // namespace vinculum
