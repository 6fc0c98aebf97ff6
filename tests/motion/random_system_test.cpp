// Random small systems against the formula of the theory in dense long doubles, where every derivative is a
// difference along a path: nothing here knows how the project differentiates, compiles or solves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using Real = long double;
using Vec = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Mat = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// --- Formulas that are cooked twice: as an expression for the model, and directly on numbers.

struct Factor {
  int kind = 0, variable = 0;
};
struct Summand {
  double size = 0;
  std::vector<Factor> factors;
};
using Formula = std::vector<Summand>;

template <class Number>
Number value_of(const Factor& factor, const std::vector<Number>& variables) {
  using std::cos, std::exp, std::sin, std::sqrt;
  const Number u = variables[factor.variable];
  switch (factor.kind) {
    case 0:
      return u;
    case 1:
      return sin(u);
    case 2:
      return cos(u);
    case 3:
      return exp(Number(0.5) * u);
    case 4:
      return u * u;
    case 5:
      return sqrt(Number(1.5) + u * u);
    default:
      return Number(1) / (Number(2) + u * u);
  }
}
template <class Number>
Number value_of(const Formula& formula, const std::vector<Number>& variables) {
  Number sum = Number(0);
  for (const Summand& summand : formula) {
    Number product = Number(summand.size);
    for (const Factor& factor : summand.factors) product = product * value_of(factor, variables);
    sum = sum + product;
  }
  return sum;
}

/// One equation: phi = f(t, q, v) + sum_i g_i(t, q, v) q_i'' + shift + slope t.
struct Row {
  int order = 0;
  Formula f;
  std::vector<Formula> coefficient;  // of order 2 alone
  double shift = 0, slope = 0;       // make a start lie on it
  double scale = 1;
};

/// A system as drawn. Variables of a formula: t, then q, then v.
struct Drawn {
  int n = 0;
  bool by_energy = false;
  std::vector<Formula> diagonal,
      beside;                       // M: n + 2 + sin(..)/2 and cos(..)/2, positive whatever the formulas
  std::vector<Formula> degree_one;  // terms B_i v_i of a kinetic energy
  Formula potential;
  std::vector<Formula> force, nonideal;
  std::vector<Row> rows;
  State at;
};

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }
  double real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine_); }
  /// A sum of products of functions of the first `variables` variables.
  Formula formula(int variables) {
    Formula out(whole(2, 4));
    for (Summand& s : out) {
      s.size = real(-1, 1);
      s.factors.resize(whole(1, 3));
      for (Factor& f : s.factors) f = {whole(0, 6), whole(0, variables - 1)};
    }
    return out;
  }
  std::vector<Formula> formulas(int count, int variables) {
    std::vector<Formula> out;
    for (int i = 0; i < count; ++i) out.push_back(formula(variables));
    return out;
  }

 private:
  std::mt19937 engine_;
};

Row draw_row(Draw& draw, int n) {
  Row row{.order = draw.whole(0, 2), .f = {}, .coefficient = {}};
  row.f = draw.formula(row.order == 0 ? 1 + n : 1 + 2 * n);
  if (row.order == 2) row.coefficient = draw.formulas(n, 1 + 2 * n);
  return row;
}

Drawn draw_system(unsigned seed) {
  Draw draw(seed);
  Drawn d;
  d.n = draw.whole(2, 4);
  d.by_energy = draw.whole(0, 1) == 1;
  const int places = 1 + d.n, all = 1 + 2 * d.n;
  d.diagonal = draw.formulas(d.n, places);
  d.beside = draw.formulas(d.n * (d.n - 1) / 2, places);
  if (d.by_energy) d.degree_one = draw.formulas(d.n, places);
  d.potential = draw.formula(places);
  d.force = draw.formulas(d.n, all);
  if (draw.whole(0, 1) == 1) d.nonideal = draw.formulas(d.n, all);
  const int rows = draw.whole(1, std::min(2, d.n - 1));
  for (int r = 0; r < rows; ++r) d.rows.push_back(draw_row(draw, d.n));
  d.at.t = draw.real(-1, 1);
  for (int i = 0; i < d.n; ++i) d.at.q.push_back(draw.real(-1, 1));
  for (int i = 0; i < d.n; ++i) d.at.v.push_back(draw.real(-1, 1));
  return d;
}

// --- The second road.

/// First and second derivative at zero by central differences of order eight. With h = 1/200 they err by
/// h^8 = 4e-19 times tenth derivatives (up to 1e8 for three factors) over three thousand, and by roundings of
/// 1e-19 over h^2: below 1e-13 both.
Real first_derivative(const std::function<Real(Real)>& f) {
  const Real h = 0.005L, c[] = {4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
  Real sum = 0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] * (f(k * h) - f(-k * h));
  return sum / h;
}
Real second_derivative(const std::function<Real(Real)>& f) {
  const Real h = 0.005L, c[] = {8 / 5.0L, -1 / 5.0L, 8 / 315.0L, -1 / 560.0L};
  Real sum = -205 / 72.0L * f(0);
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] * (f(k * h) + f(-k * h));
  return sum / (h * h);
}

using Place = std::vector<Real>;  // t, q, v

/// Where the system is after a time s when its accelerations are w.
Place along(const Place& at, const Vec& w, Real s) {
  const int n = static_cast<int>(w.size());
  Place out = at;
  out[0] += s;
  for (int i = 0; i < n; ++i) {
    out[1 + i] += s * at[1 + n + i] + s * s / 2 * w(i);
    out[1 + n + i] += s * w(i);
  }
  return out;
}

Mat mass_matrix(const Drawn& d, const Place& at) {
  Mat M(d.n, d.n);
  for (int i = 0, k = 0; i < d.n; ++i) {
    M(i, i) = d.n + 2 + sinl(value_of(d.diagonal[i], at)) / 2;
    for (int j = 0; j < i; ++j) M(i, j) = M(j, i) = cosl(value_of(d.beside[k++], at)) / 2;
  }
  return M;
}

/// T of a system stated by its energy.
Real kinetic_energy(const Drawn& d, const Place& at) {
  const Vec v = Eigen::Map<const Vec>(at.data() + 1 + d.n, d.n);
  Real T = v.dot(mass_matrix(d, at) * v) / 2;
  for (int i = 0; i < d.n; ++i) T += value_of(d.degree_one[i], at) * v(i);
  return T;
}

Place moved(Place at, int variable, Real by) {
  at[variable] += by;
  return at;
}

/// Q: stated forces, -dV/dq, and for an energy dT/dq - d/dt(dT/dv) at zero acceleration.
Vec impressed(const Drawn& d, const Place& at) {
  Vec Q(d.n);
  const auto momentum = [&](const Place& p, int i) {
    return first_derivative([&](Real s) { return kinetic_energy(d, moved(p, 1 + d.n + i, s)); });
  };
  for (int i = 0; i < d.n; ++i) {
    Q(i) = value_of(d.force[i], at);
    Q(i) -= first_derivative([&](Real s) { return value_of(d.potential, moved(at, 1 + i, s)); });
    if (!d.by_energy) continue;
    Q(i) += first_derivative([&](Real s) { return kinetic_energy(d, moved(at, 1 + i, s)); });
    Q(i) -= first_derivative([&](Real s) { return momentum(along(at, Vec::Zero(d.n), s), i); });
  }
  return Q;
}

/// What must vanish in the accelerations w: phi differentiated along the path until they appear.
Real differentiated(const Row& row, const Place& at, const Vec& w) {
  const auto phi = [&](Real s) {
    const Place p = along(at, w, s);
    return row.scale * (value_of(row.f, p) + row.shift + row.slope * p[0]);
  };
  if (row.order == 0) return second_derivative(phi);
  if (row.order == 1) return first_derivative(phi);
  Real sum = phi(0);
  for (Eigen::Index i = 0; i < w.size(); ++i) sum += row.scale * value_of(row.coefficient[i], at) * w(i);
  return sum;
}

struct Instant {
  Mat M, A;
  Vec Q, b, C, acceleration, ideal, nonideal, multipliers;
  Real loss = 1;  // how much errors of A and b are magnified; infinite where rows contradict each other
  int rank = 0;
};

/// q'' = a + M^-1 F^L + M^-1 F^C, F^L = A^T lambda, lambda = (A M^-1 A^T)^+ (b - A a), by dense
/// pseudo-inverses.
Instant by_formula(const Drawn& d, const Place& at) {
  const int m = static_cast<int>(d.rows.size());
  Instant x{mass_matrix(d, at), Mat(m, d.n), impressed(d, at), Vec(m), Vec::Zero(d.n), {}, {}, {}, {}, 1, 0};
  for (int r = 0; r < m; ++r) {
    x.b(r) = -differentiated(d.rows[r], at, Vec::Zero(d.n));
    for (int i = 0; i < d.n; ++i) x.A(r, i) = differentiated(d.rows[r], at, Vec::Unit(d.n, i)) + x.b(r);
  }
  for (std::size_t i = 0; i < d.nonideal.size(); ++i) x.C(i) = value_of(d.nonideal[i], at);
  const Eigen::LLT<Mat> mass(x.M);
  const Mat pull = mass.solve(x.A.transpose());  // M^-1 A^T
  const Mat schur = x.A * pull;
  if (!schur.allFinite() || !x.b.allFinite() || !x.Q.allFinite() || !x.C.allFinite()) {
    x.ideal = x.nonideal = x.acceleration = Vec::Constant(d.n, NAN);  // the rank of no numbers is undefined
    x.multipliers = Vec::Constant(m, NAN);
    x.loss = INFINITY;
    return x;
  }
  Eigen::JacobiSVD<Mat> svd(schur, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9L);  // differences are right to 1e-13; a repeated row is a zero of that size
  const Vec free = mass.solve(x.Q);
  x.ideal = x.A.transpose() * svd.solve(x.b - x.A * free);
  x.nonideal = x.C - x.A.transpose() * svd.solve(pull.transpose() * x.C);
  x.acceleration = free + mass.solve(x.ideal + x.nonideal);
  Eigen::JacobiSVD<Mat> rows(x.A.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  rows.setThreshold(1e-9L);
  x.multipliers = rows.solve(x.ideal);
  x.rank = static_cast<int>(svd.rank());
  x.loss = std::max(1.0L, 1 / svd.singularValues()(std::max(0, x.rank - 1)));
  if ((x.A * x.acceleration - x.b).norm() > 1e-8L * (1 + x.b.norm())) x.loss = INFINITY;
  return x;
}

Place place_of(const State& at) {
  Place p{at.t};
  p.insert(p.end(), at.q.begin(), at.q.end());
  p.insert(p.end(), at.v.begin(), at.v.end());
  return p;
}

// --- The first road: the same as a model.

Model model_of(const Drawn& d) {
  Model m;
  std::vector<Coordinate> q;
  std::vector<Expr> at{m.time()};
  for (int i = 0; i < d.n; ++i) q.push_back(m.coordinate("q" + std::to_string(i), {d.at.q[i], d.at.v[i]}));
  for (const Coordinate& c : q) at.push_back(c);
  for (const Coordinate& c : q) at.push_back(c.rate());
  Expr energy = 0.0;
  for (int i = 0, k = 0; i < d.n; ++i) {
    const Expr own = d.n + 2 + sin(value_of(d.diagonal[i], at)) / 2;
    if (d.by_energy)
      energy = energy + own * pow(q[i].rate(), 2) / 2 + value_of(d.degree_one[i], at) * q[i].rate();
    else
      m.mass(q[i], own);
    for (int j = 0; j < i; ++j) {
      const Expr both = cos(value_of(d.beside[k++], at)) / 2;
      if (d.by_energy)
        energy = energy + both * q[i].rate() * q[j].rate();
      else
        m.mass(q[i], q[j], both);
    }
  }
  if (d.by_energy) m.kinetic(energy);
  m.potential(value_of(d.potential, at));
  for (int i = 0; i < d.n; ++i) m.force(q[i], value_of(d.force[i], at));
  for (std::size_t i = 0; i < d.nonideal.size(); ++i) m.nonideal(q[i], value_of(d.nonideal[i], at));
  for (std::size_t r = 0; r < d.rows.size(); ++r) {
    const Row& row = d.rows[r];
    Expr phi = value_of(row.f, at) + row.shift + row.slope * m.time();
    for (std::size_t i = 0; i < row.coefficient.size(); ++i)
      phi = phi + value_of(row.coefficient[i], at) * q[i].acceleration();
    m.constrain("row" + std::to_string(r), row.scale * phi);
  }
  return m;
}

// --- The comparisons.

void expect_near(const std::vector<double>& got, const Vec& expected, Real allowed, const char* what) {
  RC_LOG() << what << "\n";
  RC_ASSERT(static_cast<Eigen::Index>(got.size()) == expected.size());
  for (Eigen::Index i = 0; i < expected.size(); ++i) RC_ASSERT(fabsl(got[i] - expected(i)) <= allowed);
}

/// Formulas of order one in all their parts, and rows whose directions are not nearly one.
bool is_tame(const Instant& x) {
  return x.loss < 1e3L && x.A.cwiseAbs().maxCoeff() < 1e2L && x.b.cwiseAbs().maxCoeff() < 1e2L;
}

/// The largest order of a symbol decides what a row is; a formula may lack velocities or all coordinates.
bool orders_as_drawn(const Drawn& d, const System& system) {
  for (std::size_t r = 0; r < d.rows.size(); ++r)
    if (system.order_of_row(static_cast<int>(r)) != d.rows[r].order) return false;
  return true;
}

RC_GTEST_PROP(RandomSystem, TheInstantIsThatOfTheFormulaWithDifferencesForDerivatives, ()) {
  Drawn d = draw_system(*rc::gen::arbitrary<unsigned>());
  const int independent = static_cast<int>(d.rows.size());
  if (*rc::gen::inRange(0, 3) == 0) {  // the first row once more, otherwise scaled
    d.rows.push_back(d.rows[0]);
    d.rows.back().scale = -3;
  }
  const System system(model_of(d));
  RC_PRE(orders_as_drawn(d, system));
  const Instant x = by_formula(d, place_of(d.at));
  RC_PRE(is_tame(x) && x.rank == independent);  // fewer may contradict each other
  const Solution out = solve(system, d.at);
  RC_ASSERT(out.status == Status::solved);
  RC_ASSERT(out.rank == independent);
  // Doubles of terms up to 100 round to 1e-14, differences err by 1e-13; solving magnifies both by the loss.
  const Real size = 1 + x.acceleration.norm() + x.ideal.norm() + x.C.norm(), allowed = 1e-12L * x.loss * size;
  expect_near(out.acceleration, x.acceleration, allowed, "acceleration");
  expect_near(out.constraint_force, x.ideal, allowed, "ideal force");
  if (!d.nonideal.empty()) expect_near(out.nonideal_force, x.nonideal, allowed, "non-ideal force");
  expect_near(out.multipliers, x.multipliers, allowed * x.loss, "multipliers");
}

/// Shifts the rows so that the state lies on them.
void put_on_rows(Drawn& d) {
  for (Row& row : d.rows) {
    const Place at = place_of(d.at);
    const auto f = [&](Real s) { return value_of(row.f, along(at, Vec::Zero(d.n), s)); };
    if (row.order == 0) row.slope = static_cast<double>(-first_derivative(f));
    if (row.order < 2) row.shift = static_cast<double>(-f(0) - Real(row.slope) * at[0]);
  }
}

/// Kutta's method with the formula as right side. `loss` becomes the largest on the way.
Place kutta(const Drawn& d, Place at, Real until, int steps, Real& loss) {
  const Real h = (until - at[0]) / steps;
  const auto slope = [&](const Place& p) {
    const Instant x = by_formula(d, p);
    const Vec& a = x.acceleration;
    loss = std::max(loss, x.loss);
    Place out{1};
    out.insert(out.end(), p.begin() + 1 + d.n, p.end());
    out.insert(out.end(), a.begin(), a.end());
    return out;
  };
  const auto step = [](Place p, Real by, const Place& direction) {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += by * direction[i];
    return p;
  };
  for (int i = 0; i < steps; ++i) {
    const Place k1 = slope(at), k2 = slope(step(at, h / 2, k1)), k3 = slope(step(at, h / 2, k2)),
                k4 = slope(step(at, h, k3));
    at = step(step(step(step(at, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return at;
}

RC_GTEST_PROP(RandomSystem, TheMotionIsThatOfTheFormulaIntegrated, ()) {
  Drawn d = draw_system(*rc::gen::arbitrary<unsigned>());
  put_on_rows(d);
  const System system(model_of(d));
  RC_PRE(orders_as_drawn(d, system));
  const Real until = Real(d.at.t) + 0.05L;
  Real loss = 1;
  const Place coarse = kutta(d, place_of(d.at), until, 10, loss),
              fine = kutta(d, place_of(d.at), until, 20, loss);
  Real apart = 0;
  for (std::size_t i = 1; i < fine.size(); ++i) apart = std::max(apart, fabsl(fine[i] - coarse[i]));
  RC_PRE(loss < 1e3L && apart < 1e-8L);  // away from singular rows; the finer run is fifteen times as exact
  MotionOptions options;
  options.until = static_cast<double>(until);
  options.tolerance = 1e-11;
  options.samples = 1;
  options.integrator =
      integrator_named(*rc::gen::element<std::string>("dop853", "radau5", "extrapolation")).value();
  const Trajectory motion = simulate(system, d.at, options);
  RC_LOG() << motion.reason << "\n";
  RC_ASSERT(motion.stop == Stop::end);
  const Place reached = place_of(motion.last);
  for (std::size_t i = 1; i < fine.size(); ++i)
    RC_ASSERT(fabsl(reached[i] - fine[i]) <= 1e-9L * (1 + fabsl(fine[i])));
  const Work& w = motion.work;
  const double size = 1 + std::fabs(motion.energy_end) + std::fabs(w.impressed) + std::fabs(w.constraint) +
                      std::fabs(w.nonideal) + std::fabs(w.explicit_time);
  RC_ASSERT(std::fabs(motion.drift()) <= 10 * options.tolerance * size);
}

}  // namespace
}  // namespace vinculum
