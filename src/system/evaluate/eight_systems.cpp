#include "system/evaluate/eight_systems.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "equation/sparse/schur.hpp"
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

/// The rows of eight states in their metric: what equation/sparse/fast.cpp has of one.
struct TangentRows {
  TangentRows(const Structure::Impl& structure, const SparseMatrix& rows)
      : s(structure),
        start(rows.start.data()),
        column(rows.column.data()),
        inverse(structure.inverse_start.back(), Eight(0.0)),
        y(structure.y_size, Eight(0.0)),
        dense(static_cast<std::size_t>(structure.rows) * structure.rows, Eight(0.0)),
        dense_inverse(structure.rows, Eight(0.0)),
        right(dense_inverse),
        left(dense_inverse),
        push(structure.coordinates, Eight(0.0)),
        x(push) {}
  void factorise(const Eight* mass, const Eight* rows);
  void keep(const Eight* rows, Eight* change);

  const Structure::Impl& s;
  const int *start, *column;
  std::vector<Eight> inverse, y, dense, dense_inverse, right, left, push, x;
  Eight good = 0.0;
  bool knows = false;
};

/// Pivots so small that they may be noise are looked at by each alone.
constexpr double least_pivot = 1e-3;

VINCULUM_CLONES
void TangentRows::factorise(const Eight* mass, const Eight* rows) {
  good = invert_mass(s, mass, inverse.data());
  fill_y(s, inverse.data(), rows, y.data());
  good *= vanishes(factorize_dense(s, rows, y.data(), dense.data(), dense_inverse.data()));
  for (int i = 0; i < s.rows; ++i)
    good *=
        at_most(dense[static_cast<std::size_t>(i) * s.rows + i] * dense_inverse[i], Eight(1 / least_pivot));
}

VINCULUM_CLONES
void TangentRows::keep(const Eight* rows, Eight* change) {
  for (int r = 0; r < s.rows; ++r) {
    Eight sum = 0.0;
    for (int k = start[r]; k < start[r + 1]; ++k) sum += rows[k] * change[column[k]];
    right[r] = sum;
  }
  for (Eight& v : x) v = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    residual(s.rows, start, column, rows, right.data(), x.data(), left.data());
    solve_dense(s, dense.data(), dense_inverse.data(), left.data());
    for (Eight& v : push) v = 0.0;
    add_transposed(s.rows, start, column, rows, left.data(), push.data());
    push_from(s, inverse.data(), x.data(), push.data(), x.data());
  }
  const Eight infinite = INFINITY;
  for (int i = 0; i < s.coordinates; ++i) {
    good *= select(infinite > magnitude(x[i]), Eight(1.0), Eight(0.0));
    change[i] -= x[i];
  }
}

StateParts parts_of(const EightSystems::At& at) {
  return {{at.t.lane, reinterpret_cast<const double*>(at.q), reinterpret_cast<const double*>(at.v)}};
}

}  // namespace

struct EightSystems::Impl {
  explicit Impl(const System& like)
      : system(like),
        s(system.impl()),
        closed(s.closed, like.values().numbers, States::eight),
        places(s.closed_position.scratch(like.values().numbers, 8)),
        velocities(s.closed_velocity.scratch(like.values().numbers, 8)),
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
        force(s.velocity_names.size()),
        tangent(s.structure->impl(), like.values().pattern.A) {
    const SparseMatrix& m = like.values().pattern.M;
    diagonal.assign(mass.size(), -1);
    for (int i = 0; i < m.rows; ++i)
      for (int k = m.start[i]; k < m.start[i + 1]; ++k)
        if (m.column[k] == i) diagonal[i] = k;
  }

  const System system;  // one of them
  const System::Impl& s;
  ClosedForm::Scratch closed;
  ClosedCorrection::Scratch places, velocities;
  ElementKernels::Scratch equations, residuals, powers;
  OfEach M, Q, C, A, b, position, velocity, work;
  std::vector<int> diagonal;  // where M_ii stands; -1: nowhere
  std::vector<Eight> mass, force;
  TangentRows tangent;
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
  w.closed.bind_lane(lane, values.numbers);
  for (ClosedCorrection::Scratch* scratch : {&w.places, &w.velocities})
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
  const ClosedCorrection& closed = of_position ? w.s.closed_position : w.s.closed_velocity;
  Eight good = 1.0;
  if ((of_position ? w.s.position_rows : w.s.velocity_rows).empty()) {
    std::fill_n(x, w.mass.size(), Eight(0.0));
    return good;
  }
  closed.solve_lanes(parts_of(at).part, of_position ? w.places : w.velocities, x->lane, good.lane);
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

void EightSystems::factorise_rows() {
  Impl& w = *impl_;
  const std::size_t rows = w.s.row_names.size();
  const auto some_only = [&](const std::vector<int>& of_level) {
    return !of_level.empty() && of_level.size() != rows;
  };
  w.tangent.knows =
      w.tangent.s.method == Method::dense && !some_only(w.s.position_rows) && !some_only(w.s.velocity_rows);
  w.tangent.good = 0.0;
  if (w.tangent.knows) w.tangent.factorise(w.M.value.data(), w.A.value.data());
}

void EightSystems::keep_tangent_part(Level level, Eight* change) {
  Impl& w = *impl_;
  const bool any = !(level == Level::position ? w.s.position_rows : w.s.velocity_rows).empty();
  if (any && w.tangent.knows) w.tangent.keep(w.A.value.data(), change);
}

Eight EightSystems::tangents_are_good() const { return impl_->tangent.good; }

}  // namespace vinculum
