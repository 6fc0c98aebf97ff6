#include <Eigen/LU>

#include "equation/dense/factorise.hpp"
#include "equation/dense/roads.hpp"

namespace vinculum::dense {

Vector free_acceleration(const Problem& at, const Mass& mass) {
  if (mass.kind != MassKind::definite) return Vector::Constant(at.coordinates(), not_a_number);
  const auto solve = [&](const Vector& force) {
    return Vector(solve_lower_transposed(mass.factor, solve_lower(mass.factor, force)));
  };
  Vector a = solve(at.Q);
  const Vector left = at.Q - at.M * a;
  a += solve(left);
  return a;
}

Vector regular_acceleration(const Problem& at, const Mass& mass) {
  if (mass.kind != MassKind::indefinite) return free_acceleration(at, mass);
  Eigen::FullPivLU<Matrix> lu(mass.scaled);
  lu.setThreshold(1e-12);
  if (!lu.isInvertible()) return Vector::Constant(at.coordinates(), not_a_number);
  const auto solve = [&](const Vector& force) {
    return Vector(mass.scale.cwiseProduct(lu.solve(Vector(mass.scale.cwiseProduct(force)))));
  };
  Vector a = solve(at.Q);
  a += solve(at.Q - at.M * a);
  return a;
}

void write_down(const Problem& at, const Mass& mass, const Answer& answer, Solution& out) {
  const Vector acceleration = answer.ideal + answer.extra;
  const Vector a = regular_acceleration(at, mass);
  const Vector deviation = acceleration - a;
  store(a, out.free_acceleration);
  const Vector e = a.allFinite() ? Vector(at.b - at.A * a) : Vector::Constant(at.rows(), not_a_number);
  store(e, out.dissatisfaction);
  store(acceleration, out.acceleration);
  store(deviation, out.deviation);
  store(answer.force, out.constraint_force);
  store(answer.nonideal, out.nonideal_force);
  store(answer.multipliers, out.multipliers);
  out.gaussian = deviation.dot(at.M * deviation);
  out.multipliers_unique = out.rank == at.rows();
}

void write_nothing(int coordinates, int rows, Solution& out) {
  for (auto* over_coordinates : {&out.free_acceleration, &out.acceleration, &out.deviation,
                                 &out.constraint_force, &out.nonideal_force})
    over_coordinates->assign(coordinates, not_a_number);
  out.dissatisfaction.assign(rows, not_a_number);
  out.multipliers.assign(rows, not_a_number);
  out.gaussian = out.extended_gaussian = not_a_number;
  out.multipliers_unique = out.rank == rows;
}

void write_freedom(const Matrix& freedom, Solution& out) {
  out.freedom.resize(freedom.cols());
  for (int k = 0; k < freedom.cols(); ++k) store(freedom.col(k), out.freedom[k]);
}

void write_indefinite(const Problem& at, const Mass& mass, Solution& out) {
  write_nothing(at.coordinates(), at.rows(), out);
  out.status = Status::indefinite;
  out.coordinates = mass.coordinates;
}

}  // namespace vinculum::dense
