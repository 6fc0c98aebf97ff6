// What workless.cpp finds with a basis of the virtual displacements, for systems too large for one.
#include <algorithm>
#include <cmath>

#include "analysis/instant/workless.hpp"
#include "equation/sparse/displacements.hpp"

namespace vinculum {
namespace {

using dense::to_vector;
using Numbers = dense::Vector;

/// Among so many velocities, evenly spaced, the one is looked for that a virtual motion follows best.
constexpr int most_tried = 16;

/// A virtual direction without power that is near to moving one velocity alone; zero where none was found.
Numbers plain_direction(Displacements& all, const Numbers& along, double speed) {
  const auto n = static_cast<int>(along.size());
  Numbers best = Numbers::Zero(n);
  double most = 1e-6;
  const Numbers pushed = all.force(along);
  for (int k = 0; k < std::min(n, most_tried); ++k) {
    Numbers axis = Numbers::Unit(n, static_cast<int>(static_cast<long>(n) * k / std::min(n, most_tried)));
    const double size = all.length(axis);
    if (!all.keep_virtual(axis)) return Numbers::Zero(n);
    if (speed > 0.0) axis -= along * (pushed.dot(axis) / (speed * speed));
    if (const double share = all.length(axis) / size; share > most * (1.0 + 1e-9)) {
      most = share;
      best = axis;
    }
  }
  return best;
}

/// M^-1 x
Numbers accelerated(const SparseMatrix& M, const std::vector<double>& x) {
  Equations free{M, x, {}, {}, {}};
  free.A.columns = M.rows;
  SolveOptions motion;
  motion.detail = Detail::motion;
  return to_vector(solve(free, motion).acceleration);
}

}  // namespace

bool look_at_forces_sparsely(double rank_tolerance, Instant& at) {
  const Equations& e = at.equations;
  const Solution& s = at.solution;
  const int n = e.coordinates();
  if (at.rank < 0) return false;
  Displacements all(e);
  const Numbers v = to_vector(at.state.v), ideal = to_vector(s.constraint_force);
  Numbers along = v;
  if (!all.keep_virtual(along)) return false;
  const Numbers pulled = accelerated(e.M, s.constraint_force);
  if (pulled.size() != n || !pulled.allFinite()) return false;
  const double size = std::sqrt(std::max(ideal.dot(pulled), 0.0)), moving = all.length(v);
  const double power = ideal.dot(v);
  double speed = all.length(along);
  const bool asks = speed > rank_tolerance * moving, works = std::abs(power) > rank_tolerance * size * moving;
  if (!asks) speed = 0.0;
  Workless& out = at.workless;
  out.known = true;
  out.dimension = n - at.rank - (asks ? 1 : 0);
  out.empty = works && !asks;
  out.holds_ideal = !works;
  const Numbers plain =
      out.empty || out.dimension == 0 ? Numbers(Numbers::Zero(n)) : plain_direction(all, along, speed);
  if (plain.squaredNorm() > 0.0) {
    Numbers direction = all.force(plain);
    const double largest = ideal.lpNorm<Eigen::Infinity>();
    direction *= (largest > 0.0 ? largest : 1.0) / direction.lpNorm<Eigen::Infinity>();
    Numbers example = ideal + direction;
    if (asks && works) example -= all.force(along) * (power / (speed * speed));
    dense::store(example, out.example);
  }
  if (e.C.empty()) return true;
  const Numbers extra = to_vector(s.nonideal_force), pushed = accelerated(e.M, s.nonideal_force);
  const double both = size * std::sqrt(std::max(extra.dot(pushed), 0.0));
  at.orthogonality = both > 0.0 ? extra.dot(pulled) / both : 0.0;
  return true;
}

}  // namespace vinculum
