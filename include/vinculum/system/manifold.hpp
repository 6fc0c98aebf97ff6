// The states that satisfy the constraints: how far a state is off them, the way back, and the way from one to
// another.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// The two levels at which a state may miss its constraints.
enum class Level { position, velocity };

/// The smallest change x, in the mass metric, that takes a first-order step back to the constraints of one
/// level: A x = -phi, or A x = -phi'. `x` is over velocities; positions change by N(q) x. `residual` is over
/// rows, 0 for rows of other levels. False where M is not positive definite on what A leaves open.
/// `fixed`: velocities that must not change; where it is empty, those that stick in the mode. `from`: the
/// change made so far (may be empty); x is then the smallest change from where that began, A x = -phi + A
/// from, and repeated leads to the nearest state of all.
VINCULUM_EXPORT bool correction(const System& system, Level level, const StateView& at, const Mode& mode,
                                Workspace& work, std::span<double> x, std::span<double> residual,
                                std::span<const char> fixed = {}, std::span<const double> from = {});

/// phi and phi' of all rows, as residuals() gives them, where the state lies.
VINCULUM_EXPORT void misses(const System& system, const StateView& at, Workspace& work,
                            std::span<double> position, std::span<double> velocity);

/// Takes from a small change e (over velocities) what would leave the constraints of one level: what is left
/// is the change that a projection would let through. `factorised`: the rows of this very state are, from the
/// call before; afterwards whether they are now. False at first.
VINCULUM_EXPORT bool keep_tangent_part(const System& system, Level level, const StateView& at,
                                       const Mode& mode, Workspace& work, std::span<double> e,
                                       bool& factorised);

/// What the motion keeps by itself and no row states: the unit length of quaternions, and angles of joints,
/// which follow from them but for full turns.
VINCULUM_EXPORT void renormalise(const System& system, std::span<double> q, Workspace& work);

/// The angular momentum in the world of every body that nothing turns, three numbers each: the motion keeps
/// it, an integrator only within its tolerance.
VINCULUM_EXPORT void free_momenta(const System& system, std::span<const double> q, std::span<const double> v,
                                  std::vector<double>& momenta);
/// Puts these bodies back to this momentum.
VINCULUM_EXPORT void keep_momenta(const System& system, std::span<const double> momenta, std::span<double> q,
                                  std::span<double> v);

/// The way from one place to another, over velocities: the changes of coordinates, and of a quaternion the
/// rotation vector in body axes. False where some coordinate has a rate that is neither.
VINCULUM_EXPORT bool displacement_between(const System& system, std::span<const double> from,
                                          std::span<const double> to, std::span<double> x);
/// Where that way leads; angles of joints are left to renormalise().
VINCULUM_EXPORT void displace(const System& system, std::span<const double> from, std::span<const double> x,
                              std::span<double> to);

}  // namespace vinculum
