// What an expression of a model file may be: a number, a vector in space, a force over all velocities.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/base/error.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/expr/vector.hpp"

namespace vinculum {

struct Value {
  enum class Kind {
    scalar,
    vector,
    generalised,  ///< one component for each velocity; what is not listed is zero
    unknown,      ///< part of a fault that is reported already: it takes part in anything in silence
  };
  Kind kind = Kind::scalar;
  Expr scalar;
  Vector vector;
  std::map<int, Expr> components;  ///< by the number of the velocity

  Value() = default;
  Value(const Expr& e) : scalar(e) {}                        // NOLINT(google-explicit-constructor)
  Value(const Vector& v) : kind(Kind::vector), vector(v) {}  // NOLINT(google-explicit-constructor)
  static Value unknown() {
    Value value;
    value.kind = Kind::unknown;
    return value;
  }
  bool is(Kind k) const { return kind == k; }
};
VINCULUM_EXPORT std::string_view kind_name(
    Value::Kind kind);  ///< "a number", "a vector", "a generalised force"

/// A constraint as an argument: `rod`, or one of its rows `pin[2]` (row -1: all of them).
struct RowName {
  std::string_view constraint;
  int row = -1;
  Place place;  ///< of the name
  Place call;   ///< of the word before it: `force`, `multiplier`
};

/// What names stand for while a text is read. A scope that knows a name no better either raises an error with
/// the place it is given, or notes the fault and returns Value::unknown().
class VINCULUM_EXPORT Scope {
 public:
  virtual ~Scope() = default;
  /// `name` is as written, dots and primes included: "x", "p.y", "x'", "p'.x".
  virtual Value name(std::string_view name, const Place& place) = 0;
  /// force(c), force(c[0]); with a part of the system, force(c, p).
  virtual Value force(const RowName& of, std::string_view on, const Place& on_place);
  /// torque(c, b): that of a joint at its point, of another constraint about the centre of mass.
  virtual Value torque(const RowName& of, std::string_view on, const Place& on_place);
  /// b.point(x, y, z) and b.axis(x, y, z): `what` is "point" or "axis".
  virtual Value fixed_in(std::string_view body, std::string_view what, const Vector& in_body,
                         const Place& place);
  /// multiplier(c), multiplier(c[0]).
  virtual Value multiplier(const RowName& of);
  /// gauss(), dissatisfaction(c), power(c), deviation(x), nonideal_force(x): `word` is the function, `of`
  /// what is in its parentheses, the name of a coordinate, too.
  virtual Value of_instant(std::string_view word, const RowName& of);
  /// What stands behind the dot of a generalised force: `theta`, `p.x`.
  virtual Value component(const Value& force, std::string_view name, const Place& place);
  /// The time derivative of a component, as in cross(p, q).x'.
  virtual Value rate(const Value& value, const Place& place);
};

}  // namespace vinculum
