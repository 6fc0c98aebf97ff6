#include "expr/fold.hpp"

#include <cmath>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

}  // namespace

double fold(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::negate:
      return -a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return sign_of(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return std::isnan(a) || a < b ? a : b;
    case Op::max:
      return std::isnan(a) || a > b ? a : b;
    case Op::hypot:
      return std::hypot(a, b);
    case Op::less:
      return a < b ? 1.0 : 0.0;
    case Op::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Op::select:
      return a != 0 ? b : c;
    case Op::constant:
    case Op::symbol:
    case Op::argument:
    case Op::call:
      break;
  }
  fail("a constant, a symbol or a call is no operation");
}

}  // namespace vinculum
