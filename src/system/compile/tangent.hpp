// The derivatives of the equations of motion, for implicit methods.
#pragma once
#include "system/compile/elements.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// With a and lambda held, the derivatives by coordinates and velocities of
///     F(q, v) = M a - Q - C - A^T lambda,    G(q, v) = A a - b,    q' = N(q) v
/// as sparse matrices of fixed pattern, from the expressions themselves. (Where C depends on the ideal
/// constraint forces, that dependence is left out.)
class Tangent {
 public:
  Tangent(const Model& model, const Equations& pattern, const std::vector<Statement>& statements);

  struct Numbers {
    SparseMatrix force_by_q, force_by_v, row_by_q, row_by_v, rate_by_q, rate_by_v;
  };
  class Scratch {
   public:
    explicit Scratch(const Tangent& tangent, std::span<const double> parameters = {});
    /// Patterns, and the values that do not depend on the state.
    const Numbers& pattern() const { return pattern_; }

   private:
    friend class Tangent;
    ElementKernels::Scratch kernels;
    Numbers pattern_;
  };
  /// Patterns, and the values that depend neither on the state nor on living parameters.
  const Numbers& pattern() const { return pattern_; }
  /// `out` must be a copy of the pattern of `scratch`.
  void evaluate(double t, const double* q, const double* v, const double* acceleration,
                const double* multipliers, Scratch& scratch, Numbers& out) const;

 private:
  Numbers pattern_;
  ElementKernels kernels_;
};

}  // namespace vinculum
