// What is looked at beside the motion itself: masses, ranks, and whether laws read what the norm decides.
#pragma once
#include "motion/run/landing.hpp"

namespace vinculum {

class Lookout {
 public:
  Lookout(Course& course, Landing& landing)
      : course_(course),
        step_(course.step),
        system_(course.system),
        out_(course.out),
        modes_(course.modes),
        flow_(course.flow),
        sizes_(course.sizes),
        singularity_(course.singularity),
        observer_(course.observer),
        landing_(landing),
        between_(course.flow.size()) {}

  /// Masses and forces; those on both sides of a switch that holds the motion, which cancel on it.
  void weigh(const Equations& at);
  /// Rank, misses and masses at the state to be accepted.
  void look_around();
  void find_rank_changes();
  /// Whether some law reads a share of a force that is a matter of the norm: that is decided by which rows
  /// depend on each other. A position that is singular for an instant decides nothing.
  void look_at_shares();

 private:
  void look_inside(int parts);

  Course& course_;
  Step& step_;
  const System& system_;
  Trajectory& out_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  SingularityWatch& singularity_;
  Observer& observer_;
  Landing& landing_;
  int rank_of_shares_ = -1;  // when shares of forces were looked at last
  std::vector<double> between_;
};

}  // namespace vinculum
