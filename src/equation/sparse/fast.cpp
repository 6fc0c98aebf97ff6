#include "equation/sparse/fast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.hpp"
#include "equation/row_powers.hpp"
#include "equation/sparse/kkt.hpp"
#include "equation/sparse/schur.hpp"

namespace vinculum {
namespace {

constexpr int most_refinements = 4;  // one is usual; each costs a solve
constexpr int most_passes = 12;      // where something has no mass: two or three are usual
constexpr double always = 1e300;     // raises the limit of a row so far that it is never kept

using Structured = Structure::Impl;
using Work = SolveWorkspace::Impl;

/// L^-T e_row: the combination of rows that is nothing, for a row that was dropped.
void find_null_vector(const Structured& s, const double* l, int row, std::vector<double>& u) {
  u.assign(s.rows, 0.0);
  u[row] = 1.0;
  for (int i = row; i > 0; --i)
    for (int j = s.profile[i]; j < i; ++j) u[j] -= l[i * s.rows + j] * u[i];
}
std::vector<double> null_vector_dense(const Structured& s, const double* l, int row) {
  std::vector<double> u;
  find_null_vector(s, l, row, u);
  return u;
}

/// As SparseLdl::noise_in_front, of one row; the diagonal of S has stayed in that of L.
bool is_noise_dense(const Structured& s, Work& w, int row, double pivot) {
  if (std::fabs(pivot) >= doubtful_pivot * w.dense[row * s.rows + row]) return false;
  find_null_vector(s, w.dense.data(), row, w.null);
  return std::fabs(pivot) <= noise_of_pivot(w.null, [&](int j) { return w.dense[j * s.rows + j]; });
}

/// S = A M^-1 A^T = L D L^T of a small system, and r = b - A a into w.residual.
void factorize_small(const Structured& s, const Equations& at, Work& w, const double* free) {
  const double* a = at.A.value.data();
  residual(s.rows, at.A.start.data(), at.A.column.data(), a, at.b.data(), free, w.residual.data());
  fill_y(s, w.inverse.data(), a, w.y.data());
  w.dropped = static_cast<int>(
      factorize_dense(s, a, w.y.data(), w.dense.data(), w.dense_inverse.data(),
                      w.pivot_limit.empty() ? nullptr : w.pivot_limit.data(),
                      [&](int row, double pivot) { return is_noise_dense(s, w, row, pivot); }));
}

VINCULUM_CLONES
void prepare_looked_up(const Structured& s, const Equations& at, Work& w, const double* free,
                       const SchurBlocks::Fresh& rows) {
  residual_and_y(s, rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), at.b.data(), free,
                 w.inverse.data(), w.residual.data(), w.y.data());
}

/// r and Y of the rows that this front is the first to need.
void prepare_rows(const Structured& s, const Equations& at, Work& w, const double* free, int front) {
  const SchurBlocks::Fresh* const last = s.blocks.fresh.data() + s.blocks.fronts[front + 1].fresh;
  const double *a = at.A.value.data(), *b = at.b.data(), *inverse = w.inverse.data();
  double *r = w.residual.data(), *y = w.y.data();
  for (const SchurBlocks::Fresh* f = s.blocks.fresh.data() + s.blocks.fronts[front].fresh; f != last; ++f)
    if (f->column >= 0)
      r[f->begin] = residual_and_y(f->entries, a + f->entry, b[f->begin], free + f->column,
                                   inverse + f->column, y + f->y);
    else
      prepare_looked_up(s, at, w, free, *f);
}

/// The columns of S.
void fill_front(const Structured& s, const Equations& at, Work& w, int front) {
  s.ldl.make_room(w.factor, front);
  assemble(s.blocks, front, at.A.value.data(), w.y.data(), w.factor.value.data());
}

/// The diagonal of S, which its pivots are judged by.
void set_references(const Structured& s, Work& w, int front) {
  const int first = s.ldl.first(front);
  for (int position = first; position < first + s.ldl.columns(front); ++position) {
    const int j = s.ldl.row_at(position);
    w.reference[j] = w.factor.value[s.blocks.diagonal[j]] * (w.pivot_limit.empty() ? 1.0 : w.pivot_limit[j]);
  }
}

/// The same of a large one, where the residual is eliminated along. Three stages, each one front behind the
/// one before: numbers that were written one by one are read as vectors only after they have reached memory,
/// for which a processor would have to wait.
void factorize_large(const Structured& s, const Equations& at, Work& w, const double* free) {
  if (!s.diagonal) {
    residual(s.rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), at.b.data(), free,
             w.residual.data());
    fill_y(s, w.inverse.data(), at.A.value.data(), w.y.data());
  }
  const int fronts = s.ldl.fronts();
  for (int step = 0; step < fronts + 2; ++step) {
    if (s.diagonal && step < fronts) prepare_rows(s, at, w, free, step);
    if (const int front = step - 1; front >= 0 && front < fronts) fill_front(s, at, w, front);
    if (const int front = step - 2; front >= 0) {
      set_references(s, w, front);
      s.ldl.eliminate_without_noise(w.factor, front, w.reference, row_tolerance, w.residual,
                                    [&] { fill_front(s, at, w, front); });
    }
  }
  w.dropped = w.factor.dropped;
  w.eliminated = true;
}

void factorize_schur(const Structured& s, const Equations& at, Work& w, const double* free) {
  return s.method == Method::dense ? factorize_small(s, at, w, free) : factorize_large(s, at, w, free);
}

/// x = S^+ w.residual. The residual that was there when S was factorised has gone half of the way already.
void solve_schur(const Structured& s, Work& w, std::vector<double>& x) {
  if (w.eliminated) {
    s.ldl.finish(w.factor, x);
    w.eliminated = false;
    return;
  }
  std::copy(w.residual.begin(), w.residual.end(), x.begin());
  if (s.method == Method::dense)
    solve_dense(s, w.dense.data(), w.dense_inverse.data(), x.data());
  else
    s.ldl.solve(w.factor, x);
}

bool is_dropped(const Structured& s, const Work& w, int row) {
  return (s.method == Method::dense ? w.dense_inverse[row] : s.ldl.inverse_pivot(w.factor, row)) == 0.0;
}

/// A row may have been dropped not because it depends on others, but because its square is no number: it is 0
/// or infinite in S. Others are not asked.
bool loses_a_square(const Structured& s, const Equations& at, const Work& w) {
  for (int i = 0; i < s.rows && w.dropped > 0; ++i)
    if (is_dropped(s, w, i) && is_beyond_squares(row_of(at.A, i))) return true;
  return false;
}

/// Within a step a row that was dropped may disagree by the truncation error; the rows kept hold to rounding.
bool kept_rows_hold(const Structured& s, const Equations& at, const Work& w, const double* b,
                    const std::vector<double>& q, const double* free) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (int i = 0; i < s.rows; ++i) {
    if (is_dropped(s, w, i)) continue;
    double size = b ? std::fabs(b[i]) : 0.0;
    for (int k = at.A.start[i]; k < at.A.start[i + 1]; ++k) {
      const int c = at.A.column[k];
      size += std::fabs(at.A.value[k]) * (std::fabs(q[c]) + std::fabs(free[c]));
    }
    if (!(std::fabs(w.residual[i]) <= (32 + 2 * (at.A.start[i + 1] - at.A.start[i])) * eps * size))
      return false;
  }
  return true;
}

/// Whether the rows hold to the rounding of what q is made of: pushes of all the multipliers, which cancel
/// where a mechanism does not move (across the plane of a planar one, say), so that q itself tells no size.
/// Pushes so large that their rounding is a part of the motion excuse nothing: there another road knows more.
bool within_pushes(const Structured& s, const Equations& at, Work& w, const double* b, const double* free,
                   const std::vector<double>& q, const std::vector<double>& lambda) {
  constexpr double part_of_motion = 1e-10;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const SparseMatrix& a = at.A;
  std::fill(w.change.begin(), w.change.end(), 0.0);
  for (int i = 0; i < s.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      w.change[a.column[k]] += std::fabs(a.value[k] * lambda[i]);
  w.pushes.resize(s.coordinates);
  apply_inverse_mass(s, w.inverse.data(), w.change.data(), w.pushes.data());
  for (const int i : w.massless.coordinates()) w.pushes[i] *= weight_of_massless;
  double largest = 0;
  for (int i = 0; i < s.coordinates; ++i) largest = std::max({largest, std::fabs(q[i]), std::fabs(free[i])});
  for (int i = 0; i < s.rows; ++i) {
    if (w.within_step && is_dropped(s, w, i)) continue;  // it may disagree by the truncation error
    double size = b ? std::fabs(b[i]) : 0.0, motion = size;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      size += std::fabs(a.value[k]) *
              (std::fabs(q[a.column[k]]) + std::fabs(w.pushes[a.column[k]]) + eps * largest);
      motion += std::fabs(a.value[k]) * largest;
    }
    const double most = (32 + 2 * (a.start[i + 1] - a.start[i])) * eps * size;
    if (!(std::fabs(w.residual[i]) <= std::min(most, part_of_motion * motion))) return false;
  }
  return true;
}

/// The free acceleration as a size of terms: what has no mass by the mass it is lent.
const double* terms_of_free(const Structured& s, Work& w, const double* free) {
  if (!w.massless.any()) return free;
  w.free_terms.assign(free, free + s.coordinates);
  for (const int i : w.massless.coordinates()) w.free_terms[i] *= weight_of_massless;
  return w.free_terms.data();
}

/// From the free acceleration with r = b - A a to the nearest q (in the norm of M) with A q = b:
///     lambda += S^+ r,   F += A^T S^+ r,   q = a + M^-1 F,   until r is rounding.
/// The residual is taken from A itself, never from S, so nothing is lost by squaring; and later steps are
/// added to q, not to a, so nothing is lost where a is large and cancels. b may be null (b = 0).
/// `pushes`: the forces that `free` comes from; what has no mass must be left without any, see massless.hpp.
bool meet_rows(const Structured& s, const Equations& at, Work& w, const double* b, const double* free,
               const std::vector<double>& pushes, std::vector<double>& q, std::vector<double>& lambda,
               std::vector<double>& force) {
  const int *start = at.A.start.data(), *column = at.A.column.data();
  const double* a = at.A.value.data();
  const double* terms = terms_of_free(s, w, free);
  const int last = w.massless.any() ? most_passes : most_refinements;
  for (int pass = 0; pass <= last; ++pass) {
    solve_schur(s, w, w.step);
    for (int i = 0; i < s.rows; ++i) lambda[i] += w.step[i];
    if (pass == 0) {
      add_transposed(s.row_runs, start, column, a, w.step.data(), force.data());
      push_from(s, w.inverse.data(), free, force.data(), q.data());
    } else {
      std::fill(w.change.begin(), w.change.end(), 0.0);
      add_transposed(s.rows, start, column, a, w.step.data(), w.change.data());
      for (int i = 0; i < s.coordinates; ++i) force[i] += w.change[i];
      push_from(s, w.inverse.data(), q.data(), w.change.data(), q.data());
    }
    const bool exact = checked_residual(s.row_runs, start, column, a, b, q.data(), w.residual.data()) == 1.0;
    if (w.massless.any() && !w.massless.are_balanced(at.A, pushes, lambda) &&
        !w.massless.is_left_of_rounding(pushes, force, pass == 0)) {
      w.massless.put_back(at.A, q, w.residual);
      continue;
    }
    if (exact) return true;
    if (pass > 0 &&
        within_cancellation(s.rows, start, column, a, b, q.data(), terms, w.residual.data()) == 1.0)
      return true;
    if (w.within_step && w.dropped > 0 && kept_rows_hold(s, at, w, b, q, terms)) return true;
    // Small systems are refined as far as it goes, which costs little: on lanes each has the same bits.
    if (pass > 0 && (pass == last || s.method != Method::dense) &&
        within_pushes(s, at, w, b, terms, q, lambda))
      return true;
  }
  return false;
}

/// d = q - a, and its product with the force, in four partial sums so that no addition waits for the one
/// before it.
double deviate(const std::vector<double>& q, const std::vector<double>& a, const std::vector<double>& force,
               std::vector<double>& d) {
  double sum[4] = {0, 0, 0, 0};
  const std::size_t whole = q.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4)
    for (std::size_t k = 0; k < 4; ++k) {
      d[i + k] = q[i + k] - a[i + k];
      sum[k] += d[i + k] * force[i + k];
    }
  for (std::size_t i = whole; i < q.size(); ++i) {
    d[i] = q[i] - a[i];
    sum[0] += d[i] * force[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// C's part that no row can take up: acceleration M^-1 C - M^-1 A^T mu and force F^C = C - A^T mu, A (M^-1
/// F^C) = 0.
bool add_nonideal(const Structured& s, const Equations& at, Work& w, Solution& out) {
  apply_inverse_mass(s, w.inverse.data(), at.C.data(), w.push.data());
  out.nonideal_force.assign(s.coordinates, 0.0);
  if (s.rows > 0) {
    std::fill(w.reference.begin(), w.reference.end(), 0.0);  // not needed any more: holds mu
    residual<double>(s.rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), nullptr, w.push.data(),
                     w.residual.data());
    if (!meet_rows(s, at, w, nullptr, w.push.data(), at.C, w.scratch, w.reference, out.nonideal_force))
      return false;
  } else {
    w.scratch = w.push;
  }
  for (int i = 0; i < s.coordinates; ++i) {
    out.nonideal_force[i] += at.C[i];
    out.acceleration[i] += w.scratch[i];
  }
  return true;
}

/// (M + W)^-1. False where M is singular otherwise.
bool invert_weighted_mass(const Structured& s, const SparseMatrix& M, Work& w) {
  invert_mass(s, w.massless.weighted().data(), w.inverse.data());
  for (std::size_t k = 0; k + 1 < s.block_start.size(); ++k) {
    const int size = s.block_start[k + 1] - s.block_start[k], first = s.block_coordinate[s.block_start[k]];
    double* inverse = w.inverse.data() + s.inverse_start[k];
    if (size == 1 && s.mass_entry[s.inverse_start[k]] < 0) *inverse = 1.0 / w.massless.weight(first);
    for (int i = 0; i < size; ++i)
      if (!(inverse[i * size + i] > 0.0)) return false;
  }
  w.find_masses(M);
  return true;
}

/// M^-1, or that of M + W where something has no mass and the rows hold it. False where there is none, or
/// where that is in doubt.
bool prepare_mass(const Structured& s, const Equations& at, Work& w) {
  const bool ready = w.mass_constant && w.mass_ready;
  if (ready && !w.massless.any()) return true;
  if (!ready && !w.massless.any()) {
    w.mass_ready = invert_mass(s, at.M.value.data(), w.inverse.data()) == 1.0;
    if (w.mass_ready) w.find_masses(at.M);
    if (w.mass_ready) return true;
  }
  if (!ready || !w.massless.is_constant()) {
    w.mass_ready = false;
    if (!w.massless.find(at.M, at.A, s.kin)) {
      w.mass_ready = invert_mass(s, at.M.value.data(), w.inverse.data()) == 1.0;
      w.find_masses(at.M);
      return w.mass_ready;
    }
    w.mass_ready = invert_weighted_mass(s, at.M, w);
  }
  return w.mass_ready && w.massless.are_held(at.A);
}

bool schur_road(const Structured& s, const Equations& at, Work& w, Solution& out) {
  if (!prepare_mass(s, at, w)) {
    w.doubt = Doubt::mass;
    return false;
  }
  apply_inverse_mass(s, w.inverse.data(), at.Q.data(), out.free_acceleration.data());
  std::fill(out.multipliers.begin(), out.multipliers.end(), 0.0);
  std::fill(out.constraint_force.begin(), out.constraint_force.end(), 0.0);
  w.dropped = 0;
  if (s.rows == 0) {
    out.acceleration = out.free_acceleration;
  } else {
    factorize_schur(s, at, w, out.free_acceleration.data());
    if (loses_a_square(s, at, w)) return false;
    out.dissatisfaction = w.residual;
    if (!meet_rows(s, at, w, at.b.data(), out.free_acceleration.data(), at.Q, out.acceleration,
                   out.multipliers, out.constraint_force))
      return false;
  }
  return at.C.empty() || add_nonideal(s, at, w, out);
}

}  // namespace

SolveWorkspace::Impl::Impl(const Structure::Impl& s, bool constant) : mass_constant(constant) {
  scratch.resize(s.coordinates);
  residual.resize(s.rows);
  if (s.method == Method::kkt) {
    factor = s.ldl.make_factor();
    mass_factor = s.mass_ldl.make_factor();
    reference.resize(s.coordinates + s.rows);
    step.resize(s.coordinates + s.rows);
    return;
  }
  inverse.resize(s.inverse_start.back());
  push.resize(s.coordinates);
  change.resize(s.coordinates);
  y.resize(s.y_size);
  reference.resize(s.rows);
  step.resize(s.rows);
  if (s.method == Method::dense) {
    dense.resize(static_cast<std::size_t>(s.rows) * s.rows);
    dense_inverse.resize(s.rows);
  } else if (s.method == Method::schur) {
    factor = s.ldl.make_factor();
  }
}

void SolveWorkspace::Impl::find_masses(const SparseMatrix& m) {
  lightest = std::numeric_limits<double>::infinity();
  heaviest = 0.0;
  for (int i = 0; i < m.rows; ++i)
    for (int k = m.start[i]; k < m.start[i + 1]; ++k) {
      if (m.column[k] != i || m.value[k] == 0.0) continue;
      lightest = std::min(lightest, m.value[k]);
      heaviest = std::max(heaviest, m.value[k]);
    }
}

SolveWorkspace::SolveWorkspace(const Structure& structure, bool mass_constant)
    : impl_(std::make_unique<Impl>(structure.impl(), mass_constant)) {}
SolveWorkspace::~SolveWorkspace() = default;
SolveWorkspace::SolveWorkspace(SolveWorkspace&&) noexcept = default;
SolveWorkspace& SolveWorkspace::operator=(SolveWorkspace&&) noexcept = default;

namespace {

bool factorize_metric(const Structured& s, const Equations& at, Work& w) {
  if (s.method == Method::kkt) {
    std::fill(w.reference.begin(), w.reference.end(), 0.0);
    for (int i = 0; i < s.coordinates; ++i)
      for (int k = at.M.start[i]; k < at.M.start[i + 1]; ++k)
        if (at.M.column[k] == i) w.reference[i] = at.M.value[k];
    w.massless.forget();  // a correction weighs what has no mass by itself
    return factorize_kkt(s, at, w);
  }
  if (!prepare_mass(s, at, w)) return false;
  std::fill(w.push.begin(), w.push.end(), 0.0);
  if (s.rows == 0) return true;
  factorize_schur(s, at, w, w.push.data());
  return !loses_a_square(s, at, w);
}

/// The same, with the rows multiplied where their squares are no numbers.
bool factorize_any_metric(const Structured& s, const Equations& at, Work& w) {
  w.power.clear();
  if (factorize_metric(s, at, w)) return true;
  find_powers(at.A, w.power);
  if (w.power.empty()) return false;
  w.multiplied = at;
  multiply_rows(w.power, w.multiplied);
  return factorize_metric(s, w.multiplied, w);
}

/// One solve and one refinement by the residual of A itself. Rows that cannot all be met are met as far as
/// the rows kept go: whoever corrects a state looks at what is left.
void correct_schur(const Structured& s, const Equations& at, Work& w, std::span<const double> r,
                   std::vector<double>& x) {
  const int *start = at.A.start.data(), *column = at.A.column.data();
  std::fill(x.begin(), x.end(), 0.0);
  w.eliminated = false;
  for (int pass = 0; pass < 2; ++pass) {
    residual(s.rows, start, column, at.A.value.data(), r.data(), x.data(), w.residual.data());
    solve_schur(s, w, w.step);
    std::fill(w.change.begin(), w.change.end(), 0.0);
    add_transposed(s.rows, start, column, at.A.value.data(), w.step.data(), w.change.data());
    push_from(s, w.inverse.data(), x.data(), w.change.data(), x.data());
    if (pass == 0)  // what W has held is put back, see massless.hpp: W^-1 (A^T lambda) is x itself
      for (const int i : w.massless.coordinates()) x[i] *= 2.0;
  }
}

}  // namespace

bool nearest(const Structure& structure, const Equations& at, SolveWorkspace& work, std::span<const double> r,
             std::vector<double>& x, bool factorised) {
  const Structured& s = structure.impl();
  Work& w = work.impl();
  x.resize(s.coordinates);
  w.within_step = true;
  if (!factorised && !factorize_any_metric(s, at, w)) return false;
  const bool as_stated = w.power.empty();
  for (int i = 0; i < s.rows && !as_stated; ++i) w.multiplied.b[i] = std::ldexp(r[i], w.power[i]);
  const Equations& rows = as_stated ? at : w.multiplied;
  const std::span<const double> asked = as_stated ? r : std::span<const double>(w.multiplied.b);
  if (s.rows == 0) {
    std::fill(x.begin(), x.end(), 0.0);
  } else if (s.method == Method::kkt) {
    w.no_force.assign(s.coordinates, 0.0);
    w.lambda.resize(s.rows);
    solve_kkt(s, rows, w, w.no_force, asked.data(), x, w.lambda);
  } else {
    correct_schur(s, rows, w, asked, x);
  }
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

namespace {

/// M has no inverse: there is no free acceleration, and nothing that is told from it.
bool write_without_free(const Structured& s, const Work& w, Solution& out) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double all = 0;  // every number has a part in it
  for (int i = 0; i < s.coordinates; ++i)
    all += std::fabs(out.acceleration[i]) + std::fabs(out.constraint_force[i]) +
           std::fabs(out.nonideal_force[i]);
  if (!std::isfinite(all)) return false;
  for (auto* v : {&out.free_acceleration, &out.deviation, &out.dissatisfaction})
    std::fill(v->begin(), v->end(), none);
  out.gaussian = none;
  out.rank = s.method == Method::kkt ? -1 : s.rows - w.dropped;
  out.multipliers_unique = w.dropped == 0;
  return true;
}

}  // namespace

bool fast_road(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
               const SolveOptions& options) {
  const Structured& s = structure.impl();
  Work& w = work.impl();
  w.within_step = options.within_step;
  w.doubt = Doubt::rows;
  const std::size_t n = s.coordinates, m = s.rows;
  for (auto* v : {&out.free_acceleration, &out.acceleration, &out.deviation, &out.constraint_force})
    v->resize(n);
  out.dissatisfaction.resize(m);
  out.multipliers.resize(m);
  out.nonideal_force.resize(n);
  if (!(s.method == Method::kkt ? kkt_road(s, at, w, out) : schur_road(s, at, w, out))) return false;
  if (at.C.empty()) std::fill(out.nonideal_force.begin(), out.nonideal_force.end(), 0.0);
  if (w.massless.any()) return write_without_free(s, w, out);
  // M (q'' - a) is the sum of the constraint forces.
  out.gaussian = deviate(out.acceleration, out.free_acceleration, out.constraint_force, out.deviation);
  for (std::size_t i = 0; i < at.C.size(); ++i) out.gaussian += out.deviation[i] * out.nonideal_force[i];
  if (!std::isfinite(out.gaussian)) return false;  // every entry of M, Q, A, b and C has a part in it
  // The shifted KKT form solves through redundant rows without noticing them.
  out.rank = s.method == Method::kkt && s.rows > 0 ? -1 : s.rows - w.dropped;
  out.multipliers_unique = w.dropped == 0;
  return true;
}

bool solve_again(const Structure& structure, const Equations& at, SolveWorkspace& work,
                 const std::vector<double>& force, const std::vector<double>& right, std::vector<double>& x,
                 std::vector<double>& lambda) {
  const Structured& s = structure.impl();
  Work& w = work.impl();
  x.resize(s.coordinates);
  lambda.assign(s.rows, 0.0);
  if (s.method == Method::kkt) {
    if (s.rows > 0) return solve_kkt(s, at, w, force, right.data(), x, lambda);
    x = force;
    s.mass_ldl.solve(w.mass_factor, x);
    return true;
  }
  apply_inverse_mass(s, w.inverse.data(), force.data(), w.scratch.data());
  x = w.scratch;
  if (s.rows == 0) return true;
  w.eliminated = false;
  residual(s.rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), right.data(), x.data(),
           w.residual.data());
  std::fill(w.push.begin(), w.push.end(), 0.0);
  return meet_rows(s, at, w, right.data(), w.scratch.data(), force, x, lambda, w.push);
}

void leave_out(SolveWorkspace& work, std::span<const char> rows) {
  std::vector<double>& pivot_limit = work.impl().pivot_limit;
  pivot_limit.clear();
  for (const char row : rows) pivot_limit.push_back(row ? always : 1.0);
}

bool are_unique(const Structure& structure, SolveWorkspace& work, std::span<const int> rows) {
  const Structured& s = structure.impl();
  Work& w = work.impl();
  if (s.method == Method::kkt) return s.rows == 0;
  // Off the constraints, inside a step, rows depend on each other but for the truncation error.
  const double shared = w.within_step ? 1e-2 : 1e-9;
  for (int r = 0; r < s.rows; ++r) {
    if (!is_dropped(s, w, r)) continue;
    // Over rows: what makes no force.
    const std::vector<double> u =
        s.method == Method::dense ? null_vector_dense(s, w.dense.data(), r) : s.ldl.null_vector(w.factor, r);
    double largest = 0;
    for (const double x : u) largest = std::max(largest, std::fabs(x));
    for (const int row : rows)
      if (std::fabs(u[row]) > shared * largest) return false;
  }
  return true;
}

}  // namespace vinculum
