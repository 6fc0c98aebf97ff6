#include "equation/dense/units.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/light.hpp"

namespace vinculum::dense {
namespace {

/// |M_ii|, and 0 for what is light.
std::vector<double> masses_that_count(const Equations& at) {
  std::vector<double> mass;
  diagonal_of(at.M, mass);
  for (double& m : mass) m = std::fabs(m);
  for (const int i : light_coordinates(at.M, at.A)) mass[i] = 0.0;
  return mass;
}

}  // namespace

Vector units_of(const Equations& at, const Kin& kin) {
  const std::vector<double> own = masses_that_count(at);
  if (std::find(own.begin(), own.end(), 0.0) == own.end()) return {};
  std::vector<double> mass = own;
  lend_masses(at.A, kin, mass);
  double logarithms = 0.0;
  int massive = 0;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (own[i] > 0.0) {
      logarithms += std::log(mass[i]);
      ++massive;
    }
  const double mean = massive > 0 ? std::exp(logarithms / massive) : 1.0;
  Vector unit = Vector::Ones(at.coordinates());
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (own[i] == 0.0) unit(static_cast<Eigen::Index>(i)) = std::sqrt(mean / mass[i]);
  return unit;
}

Problem to_problem(const Equations& at, const Vector& unit) {
  Problem out = to_problem(at);
  if (unit.size() == 0) return out;
  out.M = unit.asDiagonal() * out.M * unit.asDiagonal();
  out.Q = out.Q.cwiseProduct(unit);
  if (out.A.size() > 0) out.A = out.A * unit.asDiagonal();
  if (out.C.size() > 0) out.C = out.C.cwiseProduct(unit);
  return out;
}

void restore(const Vector& unit, Solution& out) {
  for (Eigen::Index i = 0; i < unit.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (auto* motion : {&out.free_acceleration, &out.acceleration, &out.deviation})
      if (at < motion->size()) (*motion)[at] *= unit(i);
    for (auto* force : {&out.constraint_force, &out.nonideal_force})
      if (at < force->size()) (*force)[at] /= unit(i);
  }
}

}  // namespace vinculum::dense
