// Numbers of the user's own against the principles.
#include <Eigen/Cholesky>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/instant/work_in.hpp"
#include "equation/dense/dense.hpp"
#include "vinculum/analysis/principles.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/multipliers.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// The nearest of the names, or all of them.
std::string hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return near.empty() ? "; there are " + list_text(known) : " (did you mean '" + near + "'?)";
}

/// M x, and the product of x with it.
double weighed(const SparseMatrix& M, const std::vector<double>& x, std::vector<double>& out) {
  out.assign(x.size(), 0.0);
  double sum = 0.0;
  for (int i = 0; i < M.rows; ++i) {
    out[i] = row_of(M, i).dot(x);
    sum += x[i] * out[i];
  }
  return sum;
}

double square(const SparseMatrix& M, const std::vector<double>& x) {
  std::vector<double> product;
  return weighed(M, x, product);
}

/// A x - b row by row, b may be empty; and whether each is no more than the rounding of its terms.
bool misses(const SparseMatrix& A, const std::vector<double>& x, const std::vector<double>& b,
            std::vector<double>& out) {
  constexpr double rounding = 1e-12;  // of the terms: numbers that a user types are exact or off by far more
  bool none = true;
  out.assign(A.rows, 0.0);
  for (int r = 0; r < A.rows; ++r) {
    double terms = b.empty() ? 0.0 : std::fabs(b[r]);
    out[r] = b.empty() ? 0.0 : -b[r];
    for (const auto [column, value] : row_of(A, r)) {
      out[r] += value * x[column];
      terms += std::fabs(value * x[column]);
    }
    none = none && std::fabs(out[r]) <= rounding * terms;
  }
  return none;
}

/// x, x' and x'' all name the velocity of x.
int velocity_named(const System& system, std::string name) {
  while (!name.empty() && name.back() == '\'') name.pop_back();
  const auto& velocities = system.velocity_names();
  std::vector<std::string> moving;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    moving.push_back(name_of_moving(system, static_cast<int>(i)));
    if (moving.back() == name || velocities[i] == name || velocities[i] == name + "'")
      return static_cast<int>(i);
  }
  fail("--try: nothing that moves is called '" + name + "'" + hint(name, moving));
}

/// Numbers over rows; a constraint stands for all of its rows.
std::vector<double> over_rows(const System& system, const Named& numbers, double otherwise,
                              const char* option) {
  const auto& rows = system.row_names();
  std::vector<double> out(rows.size(), otherwise);
  for (const auto& [name, value] : numbers) {
    bool found = false;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r] == name ||
          system.constraints()[system.constraint_of_row(static_cast<int>(r))].name == name) {
        out[r] = value;
        found = true;
      }
    if (found) continue;
    fail(std::string(option) + ": there is no constraint or row '" + name + "'" + hint(name, rows));
  }
  return out;
}

void require_freedom(const Solution& s, const char* option) {
  if (!freedom_is_known(s))
    fail(std::string(option) + ": the freedom of the multipliers is not known for a system of this size");
}

}  // namespace

Named read_named(const std::string& text) {
  Named out;
  std::string_view rest = text;
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    const auto equals = part.find('=');
    const std::string_view name = trimmed(part.substr(0, equals));
    const std::string_view number =
        equals == part.npos ? std::string_view() : trimmed(part.substr(equals + 1));
    double value = 0.0;
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (name.empty() || number.empty() || fault != std::errc() || end != number.data() + number.size() ||
        !std::isfinite(value))
      fail("'" + std::string(part) + "' is not name=number; write them as \"x=1, y=-2.5\"");
    for (const auto& [known, other] : out)
      if (known == name) fail("'" + known + "' is given twice");
    out.emplace_back(name, value);
    if (comma == rest.npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

Trial try_out(const System& system, const Instant& at, const Named& numbers) {
  const Equations& e = at.equations;
  const Solution& s = at.solution;
  if (s.acceleration.size() != at.state.v.size())
    fail("--try: this instant has no acceleration to compare with");
  Trial out;
  out.acceleration = s.acceleration;
  out.displacement.assign(at.state.v.size(), 0.0);
  for (const auto& [name, value] : numbers) {
    const int i = velocity_named(system, name);
    out.acceleration[i] = out.displacement[i] = value;
  }
  out.keeps = misses(e.A, out.acceleration, e.b, out.miss);
  out.is_virtual = misses(e.A, out.displacement, {}, out.slip);
  std::vector<double> u = out.acceleration, from_free = out.acceleration, product_with_mass;
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] -= s.acceleration[i];
    from_free[i] -= s.free_acceleration[i];
  }
  out.above = square(e.M, u);
  out.gaussian = weighed(e.M, from_free, product_with_mass);
  // (d - M^-1 C)^T M (d - M^-1 C) without M^-1 C: what it adds to G at the motion is known.
  out.extended = out.gaussian;
  if (!e.C.empty()) {
    const double at_motion = s.gaussian - 2.0 * work_in(s.deviation, e.C);
    out.extended = out.gaussian - 2.0 * work_in(from_free, e.C) + (s.extended_gaussian - at_motion);
  }
  out.ideal = work_in(out.displacement, s.constraint_force);
  out.nonideal = work_in(out.displacement, s.nonideal_force);
  out.stated = work_in(out.displacement, e.C);
  return out;
}

std::vector<double> multipliers_for(const System& system, const Instant& at, const Named& h) {
  require_freedom(at.solution, "--family");
  return multiplier_family(at.solution, over_rows(system, h, 0.0, "--family"));
}

// lambda + N c with N the freedom: N^T W (lambda + N c) = 0.
std::vector<double> multipliers_by_weight(const System& system, const Instant& at, const Named& weights) {
  const Solution& s = at.solution;
  const std::vector<double> weight = over_rows(system, weights, 1.0, "--weights");
  for (const auto& [name, value] : weights)
    if (!(value > 0.0))
      fail("--weights: the weight of '" + name + "' is " + number_text(value) + "; it must be positive");
  require_freedom(s, "--weights");
  if (s.freedom.empty()) return s.multipliers;
  const auto m = static_cast<Eigen::Index>(weight.size()), k = static_cast<Eigen::Index>(s.freedom.size());
  dense::Matrix N(m, k);
  for (Eigen::Index c = 0; c < k; ++c) N.col(c) = dense::to_vector(s.freedom[c]);
  const dense::Vector w = dense::to_vector(weight), lambda = dense::to_vector(s.multipliers);
  const dense::Matrix gram = N.transpose() * w.asDiagonal() * N;
  std::vector<double> out;
  dense::store(lambda - N * gram.llt().solve(N.transpose() * w.cwiseProduct(lambda)), out);
  return out;
}

Answer answer(const System& system, const Instant& at, const Question& question) {
  Answer out;
  if (!question.trial.empty()) out.trial = try_out(system, at, question.trial);
  if (!question.h.empty()) out.family = multipliers_for(system, at, question.h);
  if (!question.weights.empty()) out.weighted = multipliers_by_weight(system, at, question.weights);
  return out;
}

}  // namespace vinculum
