// Vectors in space whose components are expressions.
#pragma once
#include "vinculum/expr/graph.hpp"

namespace vinculum {

struct Vector {
  Expr x, y, z;
};

inline Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
inline Vector operator*(const Expr& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vector operator*(const Vector& a, const Expr& s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vector operator/(const Vector& a, const Expr& s) { return {a.x / s, a.y / s, a.z / s}; }
inline Expr dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// |a|^2, written with squares so that its derivatives stay short.
inline Expr norm_squared(const Vector& a) { return pow(a.x, 2) + pow(a.y, 2) + pow(a.z, 2); }
inline Expr norm(const Vector& a) { return sqrt(norm_squared(a)); }
inline Expr distance(const Vector& a, const Vector& b) { return norm(a - b); }

}  // namespace vinculum
