// The solvers for one problem P, a struct of hand-written equations such as Pendulum.
#pragma once
#include "bench/precision/study.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::precision {

std::vector<Solver> vinculum_solvers(const Model& model, double until);
template <class P>
std::vector<Solver> odeint_solvers();
/// None where SUNDIALS was not found.
template <class P>
std::vector<Solver> sundials_solvers();

}  // namespace vinculum::precision
