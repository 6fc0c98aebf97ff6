// The nature of a row phi of a constraint: its order, and whether it can do work.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// Order of a row: the highest derivative in it.
VINCULUM_EXPORT int order_of(const Model& model, const Expr& phi);

/// Why a row that contains accelerations is not linear in them, in a sentence; empty where it is.
VINCULUM_EXPORT std::string nonlinearity(const Model& model, const std::string& constraint, const Expr& phi);
/// An error with that sentence.
VINCULUM_EXPORT void require_linear(const Model& model, const std::string& constraint, const Expr& phi);

/// Where accelerations stand with the weight zero they are no part of the state a row is evaluated at.
VINCULUM_EXPORT Expr without_accelerations(const Model& model, const Expr& phi);

/// Homogeneity in the velocities, f(k v) = k^d f(v) for every k > 0: d where the expression shows it. Degrees
/// of factors add up, summands must agree, functions take arguments of degree 0. Not a number where it does
/// not show; infinite for zero itself, which has any degree.
/// By Euler v.df/dv = d f, so where f = 0 that is 0 for every d: also for d = 0 and below.
VINCULUM_EXPORT double degree_in_velocities(const Model& model, const Expr& f);

/// The row does no work on any motion that satisfies it: it is homogeneous in the velocities. In vakonomic
/// motion the power of a homogeneous row is -mu times its partial derivative by t: that must vanish, too.
/// `order` is that of the row.
VINCULUM_EXPORT bool is_workless(const Model& model, const Expr& phi, int order);

}  // namespace vinculum
