// Vectors in space whose components are expressions.
#pragma once
#include <array>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

struct Vector {
  Expr x, y, z;
};

/// Three numbers, or expressions of parameters: where something starts, and how fast.
class VINCULUM_EXPORT Triple {
 public:
  Triple() = default;
  Triple(const Expr& x, const Expr& y, const Expr& z) : part_{x, y, z} {}
  Triple(
      const std::array<double, 3>& numbers)  // NOLINT(google-explicit-constructor): plain numbers are usual
      : part_{numbers[0], numbers[1], numbers[2]} {}
  Triple(const Vector& v) : part_{v.x, v.y, v.z} {}  // NOLINT(google-explicit-constructor)
  const Expr& operator[](int k) const { return part_[k]; }
  operator Vector() const { return {part_[0], part_[1], part_[2]}; }  // NOLINT(google-explicit-constructor)

 private:
  std::array<Expr, 3> part_;
};

inline Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
/// The product of components: one that is stated to be zero is nothing, whatever the other is. (A number
/// times an expression keeps 0*x, since x may be infinite; a vector like [0, 0, 1] says where there is
/// nothing.)
inline Expr along(const Expr& a, const Expr& b) {
  return a.is_constant(0) || b.is_constant(0) ? Expr(0.0) : a * b;
}
inline Vector operator*(const Expr& s, const Vector& a) {
  return {along(s, a.x), along(s, a.y), along(s, a.z)};
}
inline Vector operator*(const Vector& a, const Expr& s) {
  return {along(a.x, s), along(a.y, s), along(a.z, s)};
}
inline Vector operator/(const Vector& a, const Expr& s) { return {a.x / s, a.y / s, a.z / s}; }
inline Expr dot(const Vector& a, const Vector& b) {
  return along(a.x, b.x) + along(a.y, b.y) + along(a.z, b.z);
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {along(a.y, b.z) - along(a.z, b.y), along(a.z, b.x) - along(a.x, b.z),
          along(a.x, b.y) - along(a.y, b.x)};
}
/// |a|^2, written with squares so that its derivatives stay short.
inline Expr norm_squared(const Vector& a) { return pow(a.x, 2) + pow(a.y, 2) + pow(a.z, 2); }
inline Expr norm(const Vector& a) { return sqrt(norm_squared(a)); }
inline Expr distance(const Vector& a, const Vector& b) { return norm(a - b); }

}  // namespace vinculum
