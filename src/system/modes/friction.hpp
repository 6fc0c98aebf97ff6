// Coulomb friction: the part of C that depends on which pairs stick.
#pragma once
#include "system/modes/friction_at_rest.hpp"
#include "system/system_impl.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {

std::vector<FrictionPair> frictions_of(const Model& model);

/// What is fixed takes no part: nothing of A acts on it, and M does not couple it.
void hold(Equations& e, std::span<const char> fixed);

/// How the motion is solved while pairs are held.
SolveOptions holding_options();
double length(std::span<const double> x);
/// Unit length; zero stays zero.
void normalise(std::vector<double>& x);

/// Orthonormal directions over a few velocities, in memory that is kept.
class Directions {
 public:
  void start_over(std::size_t width) { width_ = width, count_ = 0; }
  std::size_t count() const { return count_; }
  std::span<const double> operator[](std::size_t k) const { return {memory_.data() + k * width_, width_}; }
  /// What a vector has along them.
  void take_away_from(std::span<double> x) const;
  /// Adds what x has beyond those known.
  void add(std::span<const double> x);

 private:
  std::size_t width_ = 0, count_ = 0;
  std::vector<double> memory_;
};

/// The friction of one workspace. A pair that slides pushes with its limit against the motion. One that
/// sticks pushes with the force that keeps its velocities as they are: it is found by holding them, and the
/// equations with that force as C give the same motion.
class Friction {
 public:
  /// What it finds goes to `found`.
  Friction(const System& system, std::vector<FrictionState>& found);
  /// Adds friction to C of w.equations. w.solution holds the ideal problem, whose forces do not depend on C.
  void resolve(const System& system, const StateParts& at, const Mode& mode, Workspace::Impl& w);
  /// The velocity of the other side of a pair and its rate, over the velocities of the pair; empty: it
  /// stands still.
  struct OtherSide {
    std::vector<double> velocity, rate;
  };
  const OtherSide& other_side(int pair, const StateParts& at);
  /// The velocities of pairs that stick in this mode to what stands still; empty where none does.
  std::span<const char> held_by(const Mode& mode);
  /// What sticks has the acceleration of the other side, and where that stands still none: not even that of
  /// rounding.
  void rest(std::vector<double>& acceleration) const;

  /// Whether all pairs slide, as found last, and their velocities tell where to.
  bool all_slide() const;
  /// A pair can slide in more than one direction.
  bool is_wide(int pair) const { return pairs_[pair].velocities.size() > own_rows_[pair].size() + 1; }

 private:
  void measure_limits(const System& system, const StateParts& at, const Workspace::Impl& w);
  void find_slide(int pair, const double* v, const SparseMatrix& rows);
  void push_sliding(Equations& e);
  void press(const System& system, const Equations& e);
  void mark_held();
  void carry_held();
  void find_needed(const Equations& e, int pair);
  void find_span(const SparseMatrix& rows, int pair, const std::vector<int>& chosen);
  void push_all(const System& system, Equations& e);
  bool rows_hold(const Equations& e) const;
  bool all_hold(const Equations& e) const;
  bool are_few(const std::vector<int>& pairs) const;
  template <int most>
  struct CoupledFrictions {
    FrictionsAtRest<most> at;
    MatrixAtRest<most> basis;                // directions in which pairs can move, over all their velocities
    VectorAtRest<most> force, acceleration;  // along them
  };
  template <int most>
  CoupledFrictions<most> together(const System& system, const Equations& e, const std::vector<int>& pairs);
  struct Mobility {
    double answer = 0.0, push = 0.0;
  };
  Mobility freely(const Equations& e, int pair) const;
  template <int most>
  void turn_to_directions(const Equations& e, const std::vector<int>& pairs, CoupledFrictions<most>& t);
  void let_go(const System& system, const Equations& e, const std::vector<int>& open);
  template <int most>
  void let_go_together(const System& system, const Equations& e, const std::vector<int>& open);
  void share_load(const System& system, const Equations& e);
  template <int most>
  void share_load_of(const System& system, const Equations& e, const std::vector<int>& sticking);

  const std::vector<FrictionPair>& pairs_;
  const std::vector<FrictionLaw>& laws_;
  std::vector<OtherSide> other_;           // of each pair
  std::vector<BoundFunction> drags_;       // of other sides that move
  std::vector<BoundFunction> limits_;      // those that are written out
  const std::vector<FrictionState> open_;  // a mode that says nothing
  std::span<const FrictionState> given_;   // by the mode at hand
  std::vector<FrictionState>& found_;
  std::vector<std::vector<int>> own_rows_;           // of each pair: rows that act on its velocities alone
  std::vector<std::vector<int>> rubbing_rows_;       // and, of these, the ones whose friction it is
  std::vector<std::vector<double>> needed_, slide_;  // over the velocities of each pair
  std::vector<char> rests_;                          // it has no velocity to slide with
  std::vector<double> ideal_;                        // the acceleration without C
  std::vector<char> held_;
  std::vector<double> held_rate_;  // the acceleration of what is held
  std::vector<char> fixed_;        // of velocities, those held to what does not move at all
  bool any_held_ = false;
  bool tied_ = false;  // some row acts on several pairs and on nothing else
  // Scratch.
  Directions directions_;
  std::vector<double> force_, stated_, row_;
  std::vector<int> open_pairs_, leaving_pairs_, sticking_;
  struct {
    std::vector<int> places, start, driven_at;
    std::vector<double> limit;
    std::vector<char> driven;
    std::vector<FrictionState> before;
  } together_;
  Equations holding_;
  SolveWorkspace holding_work_;
  Solution holding_solution_;
};

}  // namespace vinculum
