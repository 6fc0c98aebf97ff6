// For small systems the whole road from a state to its acceleration is one kernel.
#pragma once
#include <vector>

#include "system/compile/elements.hpp"
#include "vinculum/lower/equations.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Whether a system of this pattern may have a closed form: what is written out grows with the cube of the
/// rows.
bool may_be_written_out(const Equations& pattern);

/// The smallest change x with A x = -residual for some of the rows, as equations of the same kind: nothing
/// pushes, and what is missing is asked for. `rows` has one residual for each of them, and its number.
struct AskedRow {
  int row = 0;
  Expr residual;
};
SymbolicEquations correction(const SymbolicEquations& e, const std::vector<AskedRow>& rows);
Equations correction_pattern(const Equations& pattern, const std::vector<AskedRow>& rows);

/// What the rounding of rows is small beside. Where the free motion is much larger than what rows leave of
/// it, as at rest, their own terms ask for a refinement: `refined` makes one where it is needed, and asks
/// then as the general road does. Who iterates need not ask.
enum class RowsHold { beside_their_terms, beside_free_motion, refined, not_asked };

/// What a series begins with, written out where the system is small: acceleration, multipliers, entries of A,
/// M^-1, L and D^-1 of A M^-1 A^T = L D L^T, and whether it is good: then no row is anywhere near to depend
/// on others. Empty where there is no closed form.
inline constexpr double most_of_row = 1e3;  // a row over what others leave of it
std::vector<Expr> written_beginning(const Model& model, const SymbolicEquations& equations,
                                    const Equations& pattern, RowsHold beside = RowsHold::beside_their_terms);

/// The elimination that solves A M^-1 A^T lambda = e, written out as expressions and compiled with the rest.
/// It answers where all rows are independent and hold to rounding, in some states after a refinement;
/// elsewhere the general road answers.
class ClosedForm {
 public:
  ClosedForm() = default;
  /// Empty unless the system is small: the elimination is written out, and that grows with the cube of the
  /// rows.
  ClosedForm(const Model& model, const SymbolicEquations& equations, const Equations& pattern);
  bool exists() const { return exists_; }

  /// The memory it runs in, for one state or for eight, bound to values of the living parameters.
  class Scratch {
   public:
    Scratch(const ClosedForm& form, std::span<const double> parameters, States states = States::one);
    void bind(std::span<const double> parameters);
    /// One of eight lanes.
    void bind_lane(int lane, std::span<const double> parameters) { motion.bind_lane(lane, parameters); }

    /// The acceleration of one state, whose parts these are: nothing stands between the kernel and who asks
    /// for one after the other. False where there is no form, or the answer is not good as it is.
    bool at_once(const double* const* part, double* acceleration) {
      if (good_ == nullptr) return false;
      motion.run(part, acceleration);
      return *good_ == 1.0;
    }

   private:
    friend class ClosedForm;
    BoundFunction all, motion;      // everything, for one state; the acceleration alone, for one or eight
    const double* good_ = nullptr;  // for one state: what `motion` says of its answer
  };

  /// Fills what Detail::motion asks for. False where the general road must answer.
  bool solve(double t, std::span<const double> q, std::span<const double> v, Scratch& scratch,
             Solution& out) const;
  /// The acceleration alone.
  bool solve(const double* const* part, Scratch& scratch, double* acceleration) const;
  /// The same where the answer at once is not good.
  bool refine(const double* const* part, Scratch& scratch, double* acceleration) const;
  /// Eight states: acceleration[8*i + lane]; good[lane] is 1, or not where each has to be asked by itself.
  /// True when all are.
  bool solve_lanes(const double* t, const double* q, const double* v, Scratch& scratch, double* acceleration,
                   double* good) const;

 private:
  bool exists_ = false;
  int coordinates_ = 0, rows_ = 0;
  bool has_nonideal_ = false;
  StateFunction all_;     // everything, refined where it must be
  StateFunction motion_;  // the acceleration alone, where it is good at once
};

/// The same for a correction of positions or velocities: the smallest change that takes away what rows miss.
/// It is a step of an iteration, whose end is looked at: it answers where all rows are independent.
class ClosedCorrection {
 public:
  ClosedCorrection() = default;
  ClosedCorrection(const Model& model, const SymbolicEquations& equations, const Equations& pattern,
                   const std::vector<AskedRow>& rows);
  bool exists() const { return !change_.empty(); }

  /// The memory it runs in, on one lane or on eight, bound to values of the living parameters.
  using Scratch = BoundFunction;
  Scratch scratch(std::span<const double> parameters, int lanes = 1) const {
    return {change_, parameters, lanes};
  }
  /// x, and for each of the rows what it was asked to change by. False where the general road must answer.
  bool solve(const double* const* part, Scratch& scratch, double* x, double* asked) const;
  /// Of eight states; good[lane] is 1 or not.
  void solve_lanes(const double* const* part, Scratch& scratch, double* x, double* good) const;

 private:
  int coordinates_ = 0, rows_ = 0;
  StateFunction change_;
};

}  // namespace vinculum
