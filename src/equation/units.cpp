#include "equation/units.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::dense {
namespace {

std::vector<char> without_mass(const SparseMatrix& M) {
  std::vector<char> out(M.rows, 1);
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k)
      if (M.column[k] == i && M.value[k] != 0.0) out[i] = 0;
  return out;
}

}  // namespace

Vector units_of(const Equations& at, const Kin& kin) {
  const std::vector<char> massless = without_mass(at.M);
  if (std::find(massless.begin(), massless.end(), 1) == massless.end()) return {};
  const std::vector<double> mass = masses_of(at.M, at.A, kin);
  double logarithms = 0.0;
  int massive = 0;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (!massless[i]) {
      logarithms += std::log(mass[i]);
      ++massive;
    }
  const double mean = massive > 0 ? std::exp(logarithms / massive) : 1.0;
  Vector unit = Vector::Ones(at.coordinates());
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (massless[i]) unit(static_cast<Eigen::Index>(i)) = std::sqrt(mean / mass[i]);
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
    for (auto* motion : {&out.free_acceleration, &out.acceleration, &out.deviation}) (*motion)[i] *= unit(i);
    for (auto* force : {&out.constraint_force, &out.nonideal_force}) (*force)[i] /= unit(i);
  }
}

}  // namespace vinculum::dense
