// Back to the constraints: positions by Newton's method in the mass metric, then velocities.
#pragma once
#include <vector>

#include "motion/sizes.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {

/// Velocities that positions, and that velocities must not change; may be empty.
struct Fixed {
  std::span<const char> position, velocity;
  bool all_velocities = false;
};

/// What one projection did.
struct Projection {
  bool done = false;   ///< all constraints hold as far as rounding lets them
  double moved = 0.0;  ///< largest change of a coordinate or velocity, relative to its size
  int row = -1;        ///< not done: the row that misses most
  double miss = 0.0;   ///< of that row
  bool of_velocity = false;
  bool contradicting =
      false;  ///< not done: nothing mends the miss, because rows that depend on each other disagree
};

class Projector {
 public:
  /// Changes are small or large beside `sizes`. A patient one comes from far away: for starts.
  Projector(const System& system, const Sizes& sizes, bool patient = false);
  /// Moves q and v. Allocates nothing after the first call.
  Projection operator()(double t, double* q, double* v, const Mode& mode, Workspace& work,
                        const Fixed& fixed = {});
  /// Whether these misses of a state, known from elsewhere, are rounding.
  bool agrees(std::span<const double> position, std::span<const double> velocity, const StateView& at,
              const Mode& mode, Workspace& work);
  /// What may be left of a sum of terms where a singular position keeps Newton's method from its last digits;
  /// and the terms of the rows, as they were looked at last.
  static constexpr double rounding_of_terms = 1e-12;
  std::span<const double> position_terms() const { return position_terms_; }
  std::span<const double> velocity_terms() const { return velocity_terms_; }
  /// Residuals left, over rows; 0 for those that are passed over.
  const std::vector<double>& position_residual() const { return position_; }
  const std::vector<double>& velocity_residual() const { return velocity_; }

 private:
  bool run(Level level, double t, double* q, double* v, const Mode& mode, Workspace& work,
           std::span<const char> fixed, Projection& report);
  void approach_nearest(Level level, double t, double* q, double* v, const Mode& mode, Workspace& work,
                        std::span<const char> fixed, const std::vector<double>& start);
  bool is_rounding(bool of_position, const StateView& at, const Mode& mode, Workspace& work, double part);
  bool agrees(const StateView& at, const Mode& mode, Workspace& work, Projection& report);
  void move_positions(double t, double* q, Workspace& work);
  double change_of(Level level, const double* q, const double* v) const;
  bool are_rounding(bool of_position, double part) const;
  const System& system_;
  const Sizes& sizes_;
  bool patient_;
  bool plain_;                      // q' = v, in order
  bool residual_known_ = true;      // the residuals are those of the state as it was left
  std::vector<int> coordinate_of_;  // of each velocity: the plain coordinate whose rate it is, or -1
  std::vector<double> x_, rate_, position_, velocity_;
  std::vector<double> position_terms_, velocity_terms_;  // sizes of the rows, as they were found last
  Residuals miss_, size_;                                // scratch
};

}  // namespace vinculum
