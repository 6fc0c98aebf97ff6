#include <algorithm>
#include <cmath>
#include <vector>

#include "motion/steppers/radau.hpp"
#include "motion/steppers/sparse_lu.hpp"
#include "system/system_impl.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

using Complex = std::complex<double>;

/// Redundant rows would make the system singular. A push back this small, relative to the row, leaves
/// Newton's method its speed: it is corrected by the residual, which knows nothing of it.
constexpr double push_back = 1e-9;

template <class T>
void add(std::vector<MatrixEntry<T>>& to, const SparseMatrix& m, int row, int column, T factor) {
  for (int i = 0; i < m.rows; ++i)
    for (const auto [j, value] : row_of(m, i)) to.push_back({row + i, column + j, factor * value});
}

template <class T>
struct Factor {
  T shift = 0;
  std::vector<MatrixEntry<T>> entries;
  SparseLu<T> lu;
  std::vector<T> unknowns;
};

}  // namespace

struct NewtonMatrix::Impl {
  explicit Impl(Flow& f)
      : flow(f),
        tangent(f.system().impl().tangent()),
        scratch(tangent, f.system().values().numbers),
        at(scratch.pattern()),
        nq(f.coordinates()),
        nv(f.velocities()),
        m(static_cast<int>(f.system().row_names().size())),
        work(f.system().structure()) {
    state.q.resize(nq);
    state.v.resize(nv);
  }

  /// (mu - N_q) dq - N_v dv = r_q,  F_q dq + (F_v + mu M) dv - A^T dl = M r_v,  G_q dq + (G_v + mu A) dv = A
  /// r_v.  Coordinates that are multipliers of vakonomic motion have the rate -l:  mu dq + dl = r_q
  template <class T>
  bool factorize(T mu, Factor<T>& factor) {
    std::vector<MatrixEntry<T>>& entries = factor.entries;
    entries.clear();
    for (int i = 0; i < nq; ++i) entries.push_back({i, i, mu});
    add<T>(entries, at.rate_by_q, 0, 0, -1.0);
    add<T>(entries, at.rate_by_v, 0, nq, -1.0);
    add<T>(entries, at.force_by_q, nq, 0, 1.0);
    add<T>(entries, at.force_by_v, nq, nq, 1.0);
    for (const ForceSlope& s : friction) entries.push_back({nq + s.row, nq + s.column, s.value});
    add<T>(entries, equations.M, nq, nq, mu);
    add<T>(entries, at.row_by_q, nq + nv, 0, 1.0);
    add<T>(entries, at.row_by_v, nq + nv, nq, 1.0);
    add<T>(entries, equations.A, nq + nv, nq, mu);
    for (int r = 0; r < m; ++r) {
      double size = 0;
      for (const auto [column, value] : row_of(equations.A, r)) {
        entries.push_back({nq + column, nq + nv + r, -value});
        size += value * value / mass[column];
      }
      entries.push_back({nq + nv + r, nq + nv + r, size > 0 ? push_back * size : 1.0});
      if (const int i = flow.system().multiplier_coordinate(r); i >= 0)
        entries.push_back({i, nq + nv + r, power.empty() ? 1.0 : std::ldexp(1.0, power[r])});
    }
    factor.shift = mu;
    return factor.lu.factorize(nq + nv + m, factor.entries);
  }

  template <class T>
  void solve(Factor<T>& factor, std::span<T> x) {
    std::vector<T>& unknowns = factor.unknowns;
    unknowns.assign(nq + nv + m, T(0));
    for (int i = 0; i < nq; ++i) unknowns[i] = x[i];
    const auto times = [&](const SparseMatrix& a, int row) {
      for (int i = 0; i < a.rows; ++i)
        for (const auto [column, value] : row_of(a, i)) unknowns[row + i] += value * x[nq + column];
    };
    times(equations.M, nq);
    times(equations.A, nq + nv);
    factor.lu.solve(unknowns);
    for (int i = 0; i < nq + nv; ++i) x[i] = unknowns[i];
    for (std::size_t i = nq + nv; i < x.size(); ++i) x[i] /= factor.shift;  // work: nothing depends on it
  }

  Flow& flow;
  const Tangent& tangent;
  Tangent::Scratch scratch;
  Tangent::Numbers at;
  int nq, nv, m;
  State state;
  Equations equations, all;  // with C beside Q, and in it
  SolveWorkspace work;
  Solution solution;
  std::vector<double> mass;  // of every coordinate, lent where it has none
  std::vector<double> acceleration;
  std::vector<int> power;  // of rows whose squares are no numbers, by which they are multiplied
  Mode found;
  std::vector<ForceSlope> friction;
  Factor<double> real;
  Factor<Complex> complex;
};

NewtonMatrix::NewtonMatrix(Flow& flow) : impl_(std::make_unique<Impl>(flow)) {}
NewtonMatrix::~NewtonMatrix() = default;

bool NewtonMatrix::linearise(double t, const double* y) {
  Impl& n = *impl_;
  n.state.t = t;
  std::copy_n(y, n.nq, n.state.q.begin());
  std::copy_n(y + n.nq, n.nv, n.state.v.begin());
  const Evaluation here = evaluate(n.flow.system(), n.state, n.flow.modes().now(), n.flow.workspace());
  n.equations = here;
  n.found = here.found;
  // The motion with C is that of the forces Q + C; the multipliers are those of both together.
  Equations& all = n.all;
  all = n.equations;
  for (std::size_t i = 0; i < all.C.size(); ++i) all.Q[i] += all.C[i];
  all.C.clear();
  SolveOptions options = options_for(n.flow.system(), {});
  options.detail = Detail::motion;
  options.within_step = true;
  Solution& solution = n.solution;
  vinculum::solve(n.flow.system().structure(), all, n.work, solution, options);
  if (solution.status != Status::solved) return false;
  n.acceleration = solution.acceleration;
  masses_of(all.M, all.A, n.flow.system().impl().kin, n.mass);
  n.tangent.evaluate(t, n.state.q.data(), n.state.v.data(), solution.acceleration.data(),
                     solution.multipliers.data(), n.scratch, n.at);
  // Where f has a corner its derivative may be no number; Newton's method does without that entry.
  for (SparseMatrix* part :
       {&n.at.force_by_q, &n.at.force_by_v, &n.at.row_by_q, &n.at.row_by_v, &n.at.rate_by_q, &n.at.rate_by_v})
    for (double& value : part->value)
      if (!std::isfinite(value)) value = 0.0;
  find_powers(n.equations.A, n.power);
  if (n.power.empty()) return true;
  for (SparseMatrix* rows : {&n.equations.A, &n.at.row_by_q, &n.at.row_by_v}) multiply_rows(n.power, *rows);
  return true;
}

bool NewtonMatrix::factorize(double real, std::complex<double> complex) {
  Impl& n = *impl_;
  n.flow.modes().slopes(n.state, n.found, n.acceleration.data(), RadauIIA::mu_real / std::fabs(real),
                        n.friction);
  return impl_->factorize(real, impl_->real) && impl_->factorize(complex, impl_->complex);
}
void NewtonMatrix::solve(std::span<double> x) { impl_->solve(impl_->real, x); }
void NewtonMatrix::solve(std::span<std::complex<double>> x) { impl_->solve(impl_->complex, x); }

}  // namespace vinculum
