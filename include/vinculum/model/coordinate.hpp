// What moves: coordinates, speeds, particles.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/expr/vector.hpp"

namespace vinculum {

/// A coordinate is an expression that also knows its rate and its acceleration.
class VINCULUM_EXPORT Coordinate : public Expr {
 public:
  Coordinate() = default;
  Coordinate(const Expr& position, const Expr& rate, const Expr& acceleration)
      : Expr(position), rate_(rate), acceleration_(acceleration) {}
  const Expr& rate() const { return rate_; }
  const Expr& acceleration() const { return acceleration_; }

 private:
  Expr rate_, acceleration_;
};

/// A velocity that is the rate of no coordinate: a component of an angular velocity, say.
class VINCULUM_EXPORT Speed : public Expr {
 public:
  Speed() = default;
  Speed(const Expr& speed, const Expr& acceleration) : Expr(speed), acceleration_(acceleration) {}
  const Expr& acceleration() const { return acceleration_; }

 private:
  Expr acceleration_;
};

/// A point mass; stands for its position wherever a vector is asked for.
class VINCULUM_EXPORT Particle {
 public:
  Coordinate x, y, z;
  operator Vector() const {
    return {x, y, z};
  }  // NOLINT(google-explicit-constructor): p - q reads as vectors
  Vector position() const { return {x, y, z}; }
  Vector velocity() const { return {x.rate(), y.rate(), z.rate()}; }
  Vector acceleration() const { return {x.acceleration(), y.acceleration(), z.acceleration()}; }
};
inline Vector operator-(const Particle& a, const Particle& b) { return a.position() - b.position(); }

}  // namespace vinculum
