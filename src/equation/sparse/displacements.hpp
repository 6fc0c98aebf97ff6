// The virtual displacements of a large system, without a basis of them.
#pragma once
#include "equation/dense/dense.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {

/// Takes out of vectors over coordinates what A sees of them: what is left is their part along the virtual
/// displacements, A z = 0, at right angles to the rest in the metric of M.
class Displacements {
 public:
  explicit Displacements(const Equations& at);

  /// False, with x of no use, where M is not safely positive definite.
  bool keep_virtual(dense::Vector& x);
  /// sqrt(x^T M x)
  double length(const dense::Vector& x) const;
  dense::Vector force(const dense::Vector& x) const;  ///< M x

 private:
  Equations at_;
  Structure structure_;
  SolveWorkspace work_;
  std::vector<double> rows_, part_;
  bool factorised_ = false;
};

}  // namespace vinculum
