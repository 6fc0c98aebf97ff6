// Operations on numbers, as expressions are folded and evaluated while a model is stated.
#pragma once
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// The value of an operation on constants that belong to no graph.
double fold(Op op, double a, double b, double c);

}  // namespace vinculum
