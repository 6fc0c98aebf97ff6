// Arithmetic of values: what may be added to what, and the sentence when it may not. Internal to the parser.
#pragma once
#include "vinculum/expr/value.hpp"

namespace vinculum {

Value add(Graph& graph, Op op, const Value& a, const Value& b, const Place& place);  // Op::add, Op::subtract
Value multiply(Graph& graph, const Value& a, const Value& b, const Place& place);
Value divide(Graph& graph, const Value& a, const Value& b, const Place& place);
Value negate(Graph& graph, const Value& a);
Value norm_of(const Value& a);  // of a vector or a generalised force

}  // namespace vinculum
