// Coulomb friction: the part of C that depends on which contacts stick.
#pragma once
#include "system/friction_at_rest.hpp"
#include "system/system_impl.hpp"
#include "vinculum/system/contact.hpp"

namespace vinculum {

std::vector<ContactInfo> contacts_of(const Model& model);

/// What is fixed takes no part: nothing of A acts on it, and M does not couple it.
void hold(Equations& e, std::span<const char> fixed);

/// How the motion is solved while contacts are held.
SolveOptions holding_options();
double length(std::span<const double> x);
/// Unit length; zero stays zero.
void normalise(std::vector<double>& x);

/// The friction of one workspace. A contact that slides pushes with its limit against the motion. One that
/// sticks pushes with the force that keeps its velocities as they are: it is found by holding them, and the
/// equations with that force as C give the same motion.
class Friction {
 public:
  explicit Friction(const System& system);
  void take(const std::vector<ContactState>& contacts);
  /// Adds friction to C of w.equations. w.solution holds the ideal problem, whose forces do not depend on C.
  void resolve(const System& system, const StateView& at, Workspace::Impl& w);
  /// The velocity of the other side of a contact and its rate, over the velocities of the contact; empty: it
  /// stands still.
  struct OtherSide {
    std::vector<double> velocity, rate;
  };
  const OtherSide& other_side(int contact, const StateView& at);
  /// The velocities of contacts that stick to what stands still; empty where none does.
  std::span<const char> held() const {
    return any_fixed_ ? std::span<const char>(fixed_) : std::span<const char>();
  }
  /// What sticks has the acceleration of the other side, and where that stands still none: not even that of
  /// rounding.
  void rest(std::vector<double>& acceleration) const;

  const std::vector<ContactState>& as_found() const { return found_; }
  /// A contact can slide in more than one direction.
  bool is_wide(int contact) const {
    return contacts_[contact].velocities.size() > own_rows_[contact].size() + 1;
  }

 private:
  void measure_limits(const System& system, const StateView& at, const Workspace::Impl& w);
  void find_slide(int contact, const double* v, const SparseMatrix& rows);
  void push_sliding(Equations& e);
  void press(const System& system, const Equations& e);
  void mark_held();
  void carry_held();
  std::vector<double> needed_of(const Equations& e, int contact) const;
  std::vector<std::vector<double>> span_of(const SparseMatrix& rows, int contact,
                                           const std::vector<int>& chosen) const;
  std::vector<std::vector<double>> sliding_directions(const Equations& e, int contact) const;
  bool rows_hold(const Equations& e) const;
  bool all_hold(const Equations& e) const;
  void let_go(const System& system, const Equations& e, const std::vector<int>& open);
  struct Together {
    ContactsAtRest at;
    std::vector<std::vector<double>> basis;  // directions in which contacts can move, over their velocities
    Eigen::VectorXd force, acceleration;     // along them
  };
  Together together(const System& system, const Equations& e, const std::vector<int>& contacts);
  struct Freely {
    double answer = 0.0, push = 0.0;
  };
  Freely freely(const Equations& e, int contact) const;
  void turn_to_directions(const Equations& e, const std::vector<int>& contacts, Together& t) const;
  void share_load(const System& system, const Equations& e);

  const std::vector<ContactInfo>& contacts_;
  std::vector<ContactLaw> laws_;
  std::vector<OtherSide> other_;                // of each contact
  std::vector<std::vector<double>> registers_;  // of limits that are written out
  std::vector<double> limit_;
  std::vector<ContactState> given_, found_;
  std::vector<std::vector<int>> own_rows_;           // of each contact: rows that act on its velocities alone
  std::vector<std::vector<int>> rubbing_rows_;       // and, of these, the ones whose friction it is
  std::vector<std::vector<double>> needed_, slide_;  // over the velocities of each contact
  std::vector<char> rests_;                          // it has no velocity to slide with
  std::vector<double> ideal_;                        // the acceleration without C
  std::vector<char> held_;
  std::vector<double> held_rate_;  // the acceleration of what is held
  std::vector<char> fixed_;        // of these, what does not move at all
  bool any_held_ = false, any_fixed_ = false;
  bool tied_ = false;  // some row acts on several contacts and on nothing else
  Equations holding_;
  SolveWorkspace holding_work_;
  Solution holding_solution_;
};

}  // namespace vinculum
