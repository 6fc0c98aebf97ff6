// Element groups: statements of one shape share one kernel and a table of indices, evaluated eight at a time.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "system/compile/state_function.hpp"
#include "vinculum/equation/equations.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/lower/groups.hpp"

namespace vinculum {

inline constexpr int where_count = static_cast<int>(Target::Where::row_power) + 1;

/// The arrays that receive numbers, one for each Target::Where; with eight states side by side, eight numbers
/// each. What kernels do not touch need not be named: to write nothing there takes as long as a small kernel.
using Numbers = std::array<double*, where_count>;
inline Numbers numbers_of(Equations& e) {
  using Where = Target::Where;
  Numbers to;
  to[static_cast<int>(Where::mass)] = e.M.value.data();
  to[static_cast<int>(Where::force)] = e.Q.data();
  to[static_cast<int>(Where::nonideal)] = e.C.data();
  to[static_cast<int>(Where::row)] = e.A.value.data();
  to[static_cast<int>(Where::right)] = e.b.data();
  return to;
}
/// Numbers that do not depend on the state, likewise.
using Constants = std::array<std::vector<double>, where_count>;

/// A pattern from pairs (row, column), each once, columns rising; values zero.
SparseMatrix pattern_of(int rows, int columns, std::vector<std::pair<int, int>>& pairs);
/// Where an entry of the pattern stands.
int entry_of(const SparseMatrix& m, int i, int j);

/// Kernels for one purpose. Constant; scratch memory is apart.
class ElementKernels {
 public:
  ElementKernels() = default;
  /// `index` tells where a target stands in its array; `constants` receives what does not depend on the
  /// state, but for what depends on living parameters: see add_living().
  ElementKernels(const Model& model, const std::vector<LoweredGroup>& groups,
                 const std::function<int(const Target&)>& index, Constants& constants);
  /// Adds what depends on living parameters and not on the state.
  void add_living(std::span<const double> parameters, Constants& constants) const;

  /// The memory they run in, for one state, for eight or for both, bound to values of the living parameters.
  class Scratch {
   public:
    Scratch(const ElementKernels& kernels, std::span<const double> parameters, States states = States::one);
    /// To other values, without allocating.
    void bind(const ElementKernels& kernels, std::span<const double> parameters);
    /// One of eight states, where no instances_live().
    void bind_lane(int lane, std::span<const double> parameters) { batch.bind_lane(lane, parameters); }

   private:
    friend class ElementKernels;
    void bind_groups(const ElementKernels& kernels, std::span<const double> parameters);
    std::vector<KernelRun> lanes;               // of the groups
    std::vector<std::vector<double>> constant;  // of each group in which parameters live, see Group::constant
    BoundFunction single;                       // everything that stands alone
    BoundFunction batch;                        // the same for eight states at once
  };

  /// Arrays for which sums() is true must hold their constant part before the call. With a `rounding` other
  /// than 0 every operation is off by a rounding, in another way for each.
  void evaluate(const StateParts& state, const Numbers& to, Scratch& scratch, unsigned rounding = 0) const;
  /// Eight states, and eight numbers for each target. Same bits as eight calls of
  /// evaluate().
  void evaluate_batch(const StateParts& state, const Numbers& to, Scratch& scratch) const;

  /// Instances of a shape contain living parameters: eight states of a batch then have those of one system.
  bool instances_live() const;

  /// Which numbers of a part of the state are read, rising.
  std::vector<int> reads(StatePlace::Part part) const;

  bool empty() const { return groups_.empty() && single_outputs_.empty(); }
  bool sums(Target::Where where) const { return sums_[static_cast<int>(where)]; }
  bool touches(Target::Where where) const { return touches_[static_cast<int>(where)]; }
  int group_count() const { return static_cast<int>(groups_.size()); }
  int instruction_count() const;
  /// Some kernel calls a function written in C++.
  bool calls_functions() const;

 private:
  friend class ElementSeries;
  friend class ElementSeriesPrograms;
  struct Output {
    int where = 0;
    bool adds = false;
    std::vector<int> index;  // one for each instance
  };
  struct Group {
    Kernel kernel;
    int instances = 0;
    bool adds = false;                   // some output is a summand
    std::vector<StatePlace::Part> part;  // of each input
    std::vector<int> source;             // [input][instance, padded to whole lanes]: place in that part
    std::vector<double> constant;        // same layout: the values of inputs that are constants
    std::vector<char> is_row_of_points;  // [eight instances][input]: see find_rows_of_points()
    LivingNumbers living;                // those of living parameters, and where each stands among these
    std::vector<std::pair<int, int>> living_to;
    std::vector<Output> outputs;
  };
  struct SingleOutput {
    int where = 0;
    bool adds = false;
    int index = 0;
  };
  static void find_rows_of_points(Group& group);
  using Sums = std::map<std::pair<int, int>, Expr>;  // by where and index
  void take_constants(const Model& model, const LoweredGroup& group, int contribution,
                      const std::function<int(const Target&)>& index, Constants& constants, Sums& living);
  void add_group(const Model& model, const LoweredGroup& lowered, const std::vector<int>& variable,
                 const std::function<int(const Target&)>& index);
  void build_single(const Model& model, const std::vector<Contribution>& alone,
                    const std::function<int(const Target&)>& index, const Constants& constants,
                    const Sums& living);

  std::vector<Group> groups_;
  StateFunction single_;
  std::vector<SingleOutput> single_outputs_;
  LivingNumbers living_constants_;
  std::vector<std::pair<int, int>> living_to_;  // where and index of each
  std::array<bool, where_count> sums_{}, touches_{};
};

}  // namespace vinculum
