// The fast road: LDL^T of A M^-1 A^T, refined until the rows hold to rounding.
#pragma once
#include "equation/sparse/massless.hpp"
#include "equation/sparse/structure.hpp"

namespace vinculum {

struct SolveWorkspace::Impl {
  Impl(const Structure::Impl& structure, bool mass_constant);
  bool mass_constant = false;
  bool mass_ready = false;
  std::vector<double> inverse;  // of M, block by block; of M + W where there is something without mass
  Massless massless;
  std::vector<double> free_terms;     // a by what is lent, where the weight would make it seem large
  double lightest = 0, heaviest = 0;  // on the diagonal of M, what has no mass left aside
  void find_masses(const SparseMatrix& m);
  /// Those to come are other ones.
  void forget_masses() {
    mass_ready = false;
    massless.forget();
    lightest = heaviest = 0;
  }
  std::vector<double> y;                     // M^-1 A^T
  std::vector<double> dense, dense_inverse;  // small systems: L by rows, 1/D
  SparseLdl::Factor factor, mass_factor;
  std::vector<double> reference;  // diagonal the pivots are judged against
  std::vector<double> residual, step;
  std::vector<double> scratch, push, change, pushes;  // over coordinates
  std::vector<double> no_force, lambda;               // of a correction by the KKT form
  int dropped = 0;
  bool eliminated = false;   // `residual` has been eliminated with the matrix
  bool within_step = false;  // as in SolveOptions
  Doubt doubt = Doubt::none;
  std::vector<double>
      pivot_limit;           // by what the limit of each row's pivot is raised, see leave_out(); empty: none
  std::vector<double> null;  // a combination of rows
  std::vector<double> mass, part;  // of each coordinate, see light.hpp
  std::vector<int> power;          // of each row, see row_powers.hpp; empty: the rows are solved as stated
  Equations multiplied;            // by these powers
};

/// These rows depend on the others and stay out: at instants off the constraints some linkages have a little
/// left of them, which would be taken for rows of their own. None where `rows` is empty.
void leave_out(SolveWorkspace& work, std::span<const char> rows);

/// Whether the multipliers of these rows are the same in all that make the same force, at the last instant
/// the fast road has solved.
bool are_unique(const Structure& structure, SolveWorkspace& work, std::span<const int> rows);

/// Everything of an earlier instant goes, its memory stays.
void start_over(Solution& out, Road asked);

/// Fills everything in `out` but the extras of Detail::full. False, with `out` unfinished, when M is not
/// safely positive definite, but for coordinates without any mass that the rows surely hold, a row has
/// squares that are no numbers, or the rows do not hold to rounding: then another road must answer.
bool fast_road(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
               const SolveOptions& options);

}  // namespace vinculum
