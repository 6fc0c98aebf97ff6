// Homogeneity in the velocities: f(k v) = k^d f(v) for every k > 0.
#pragma once
#include "vinculum/model/model.hpp"

namespace vinculum {

/// d where the expression shows it: degrees of factors add up, summands must agree, functions take arguments
/// of degree 0. Not a number where it does not show; infinite for zero itself, which has any degree.
/// By Euler v.df/dv = d f, so where f = 0 that is 0 for every d: also for d = 0 and below.
double degree_in_velocities(const Model& model, const Expr& f);

}  // namespace vinculum
