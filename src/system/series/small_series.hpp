// For small systems the whole series of a motion, all its orders together, is one kernel.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "system/compile/state_function.hpp"
#include "vinculum/equation/solve.hpp"
#include "vinculum/kernel/series_sheet.hpp"
#include "vinculum/lower/equations.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// About how many operations a series is, written out to an order: each order is a sum over those before it,
/// so that they grow as its square. (A program leaves out what nobody reads of them.)
struct SeriesWork {
  double constant = 0, linear = 0, square = 0;
  double to_order(int order) const { return constant + order * (linear + order * square); }
};

/// What MotionSeries does order by order, written out: the recurrences, and between them the solves with the
/// factors of the first order. Constant; memory is apart.
class SmallSeriesProgram {
 public:
  /// Empty unless the system is small: what is written out grows with the square of the order.
  SmallSeriesProgram(const System::Impl& system, int order);
  bool exists() const { return exists_; }
  std::size_t operations() const { return kernel_.code().size(); }
  /// Nothing where no order has a program.
  static std::optional<SeriesWork> work(const System::Impl& system);
  /// Those of more operations are not written out.
  static constexpr int most_operations = 60'000;

 private:
  SmallSeriesProgram() = default;
  friend class SmallSeries;
  friend class SmallSeriesWriting;
  bool exists_ = false;
  StateFunction beginning_;               // from a state to the numbers from `a` on
  std::vector<StateFunction> functions_;  // everything that is expanded
  std::vector<std::uint32_t> living_;     // where the living numbers of each stand in the file
  /// Where what is given stands in it.
  struct {
    std::uint32_t t = 0, unit = 0, per_unit = 0, q = 0, v = 0, a = 0, lambda = 0, C = 0, A = 0, inverse = 0,
                  factor = 0, pivot = 0, good = 0;
  } at_;
  std::vector<std::pair<std::uint32_t, double>> numbers_;
  Kernel kernel_;
  int order_ = 0, sides_ = 0;  // what stands in signs: it is written behind all else
};

/// The memory it runs in.
class SmallSeries {
 public:
  SmallSeries() = default;
  /// The program must stay where it is.
  SmallSeries(const SmallSeriesProgram& program, std::span<const double> parameters);
  /// To the values of living parameters.
  void bind(std::span<const double> parameters);
  /// From a state on. False where it has no closed form there, or a row is all but one that depends.
  /// `out` is for the coefficients 1 to the order, each time those of coordinates, of velocities, and of the
  /// work, as SeriesNumbers has them.
  bool expand(const StateView& at, double unit, double* out);
  /// The same from a state whose acceleration the fast road has just found with that workspace.
  bool expand(const StateView& at, const Equations& equations, const Solution& found, SolveWorkspace& solved,
              double unit, double* out);
  /// Whether what stands in a sign keeps it for so many units of time.
  bool keeps_sides(double units) const;

 private:
  void run_from(const StateView& at, double unit, double* out);

  const SmallSeriesProgram* program_ = nullptr;
  BoundFunction beginning_;
  KernelRun run_;
  std::vector<double> written_;  // where more is written than coefficients
};

}  // namespace vinculum
