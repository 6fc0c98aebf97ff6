#include "system/compile/tangent.hpp"

#include <algorithm>

#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
constexpr Where parts[] = {Where::force_by_q, Where::force_by_v, Where::row_by_q,
                           Where::row_by_v,   Where::rate_by_q,  Where::rate_by_v};

SparseMatrix& matrix_of(Tangent::Numbers& n, Where where) {
  switch (where) {
    case Where::force_by_q:
      return n.force_by_q;
    case Where::force_by_v:
      return n.force_by_v;
    case Where::row_by_q:
      return n.row_by_q;
    case Where::row_by_v:
      return n.row_by_v;
    case Where::rate_by_q:
      return n.rate_by_q;
    default:
      return n.rate_by_v;
  }
}

}  // namespace

Tangent::Tangent(const Model& model, const Equations& pattern, const std::vector<Statement>& statements) {
  const std::vector<LoweredGroup> lowered =
      lower_groups(model, statements, group_by_shape(model, statements), Purpose::tangent);
  const int nq = static_cast<int>(model.coordinates().size()), nv = pattern.M.rows, m = pattern.A.rows;
  for (const Where part : parts) {
    const bool of_rate = part == Where::rate_by_q || part == Where::rate_by_v;
    const bool of_row = part == Where::row_by_q || part == Where::row_by_v;
    const bool by_q = part == Where::force_by_q || part == Where::row_by_q || part == Where::rate_by_q;
    std::vector<std::pair<int, int>> places;
    if (part == Where::rate_by_v)
      for (int i = 0; i < nq; ++i)
        if (const int v = model.stated().velocity_of_coordinate(i); v >= 0) places.emplace_back(i, v);
    for (const LoweredGroup& group : lowered)
      for (const auto& targets : group.targets)
        for (const Target& t : targets)
          if (t.where == part) places.emplace_back(t.i, t.j);
    matrix_of(pattern_, part) = pattern_of(of_rate ? nq : of_row ? m : nv, by_q ? nq : nv, places);
  }
  Constants constants;
  for (const Where part : parts)
    constants[static_cast<int>(part)].assign(matrix_of(pattern_, part).entries(), 0.0);
  kernels_ = ElementKernels(
      model, lowered, [this](const Target& t) { return entry_of(matrix_of(pattern_, t.where), t.i, t.j); },
      constants);
  for (const Where part : parts) matrix_of(pattern_, part).value = constants[static_cast<int>(part)];
  for (int i = 0; i < nq; ++i)  // plain coordinates: q' = v
    if (const int v = model.stated().velocity_of_coordinate(i); v >= 0)
      pattern_.rate_by_v.value[entry_of(pattern_.rate_by_v, i, v)] = 1.0;
}

Tangent::Scratch::Scratch(const Tangent& tangent, std::span<const double> parameters)
    : kernels(tangent.kernels_, parameters), pattern_(tangent.pattern_) {
  Constants constants;
  for (const Where part : parts) constants[static_cast<int>(part)] = matrix_of(pattern_, part).value;
  tangent.kernels_.add_living(parameters, constants);
  for (const Where part : parts) matrix_of(pattern_, part).value = constants[static_cast<int>(part)];
}

void Tangent::evaluate(double t, const double* q, const double* v, const double* acceleration,
                       const double* multipliers, Scratch& scratch, Numbers& out) const {
  vinculum::Numbers to{};
  for (const Where part : parts) {
    SparseMatrix& to_matrix = matrix_of(out, part);
    if (kernels_.sums(part)) to_matrix.value = matrix_of(scratch.pattern_, part).value;
    to[static_cast<int>(part)] = to_matrix.value.data();
  }
  kernels_.evaluate({{&t, q, v, acceleration, multipliers}}, to, scratch.kernels);
}

}  // namespace vinculum
