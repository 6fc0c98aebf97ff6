// The fundamental equation: from numbers to the motion at one instant.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

/// What depends on the patterns of M and A alone: blocks of M, the pattern of A M^-1 A^T, elimination order
/// and symbolic factorisation. Constant; may be shared by threads.
class VINCULUM_EXPORT Structure {
 public:
  /// `kin`: for each coordinate a number below theirs, the same for those told in one unit, as the three of a
  /// place are; what has no mass is measured so. Empty: each has a unit of its own.
  Structure(const SparseMatrix& mass_pattern, const SparseMatrix& rows_pattern, std::vector<int> kin = {});
  ~Structure();
  Structure(Structure&&) noexcept;
  Structure& operator=(Structure&&) noexcept;
  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Scratch memory of one thread for one structure. With `mass_constant` M is factorised on the first solve
/// only.
class VINCULUM_EXPORT SolveWorkspace {
 public:
  explicit SolveWorkspace(const Structure& structure, bool mass_constant = false);
  ~SolveWorkspace();
  SolveWorkspace(SolveWorkspace&&) noexcept;
  SolveWorkspace& operator=(SolveWorkspace&&) noexcept;
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// The acceleration closest to the free one, in the norm of M, that satisfies the rows:
///     q'' = a + M^-1/2 (A M^-1/2)^+ (b - A a) + M^-1/2 (I - (A M^-1/2)^+ A M^-1/2) M^-1/2 C,   a = M^-1 Q
/// Redundant rows are allowed and reported; contradicting rows are reported as a smallest set.
/// `out` and `work` keep their memory: with Detail::motion nothing is allocated after the first call on the
/// fast road.
VINCULUM_EXPORT void solve(const Structure& structure, const Equations& at, SolveWorkspace& work,
                           Solution& out, const SolveOptions& options = {});

/// The same in one call, for an instant that is looked at once.
VINCULUM_EXPORT Solution solve(const Equations& at, const SolveOptions& options = {});

/// The smallest x, in the norm of M, with A x = r: the correction that brings a state back to its
/// constraints. Rows that depend on others are left out. M and A of `at` are factorised first, unless they
/// are those of the call before. False where M is not safely positive definite or x not finite.
VINCULUM_EXPORT bool nearest(const Structure& structure, const Equations& at, SolveWorkspace& work,
                             std::span<const double> r, std::vector<double>& x, bool factorised = false);

/// Other forces and right sides under the M and A that the fast road has solved last with this workspace:
///     M x - A^T lambda = force,   A x = right
/// False where the rows do not hold to rounding.
VINCULUM_EXPORT bool solve_again(const Structure& structure, const Equations& at, SolveWorkspace& work,
                                 const std::vector<double>& force, const std::vector<double>& right,
                                 std::vector<double>& x, std::vector<double>& lambda);

/// The matrices of proportionality of the 1996 paper, dense and row-major:
///     deviation = K1 e (15),   constraint force = K e (17),   multipliers = K2 e (23)
struct Proportionality {
  std::vector<double> constraint_matrix;  ///< A M^-1/2, the Constraint Matrix             rows x coordinates
  std::vector<double> inverse;            ///< (A M^-1/2)^+                                coordinates x rows
  std::vector<double> root_mass;  ///< M^1/2, symmetric                            coordinates x coordinates
  std::vector<double> K;          ///< M^1/2 (A M^-1/2)^+                     coordinates x rows
  std::vector<double> K1;         ///< M^-1/2 (A M^-1/2)^+                    coordinates x rows
  std::vector<double> K2;         ///< (A^T)^+ M^1/2 (A M^-1/2)^+ = (A M^-1 A^T)^+   rows x rows
};
/// Needs a positive definite M; a singular one is an error, and so is a row that is_beyond_squares().
VINCULUM_EXPORT Proportionality proportionality(const Equations& at, double rank_tolerance = 1e-10);

}  // namespace vinculum
