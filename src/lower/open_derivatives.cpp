#include "vinculum/lower/open_derivatives.hpp"

namespace vinculum {
namespace {

std::vector<std::string> without_derivative(const std::vector<Expr>& expressions) {
  std::vector<std::string> names;
  for (const auto& f : functions_of(expressions))
    if (!f->gradient) names.push_back(f->name);
  return names;
}

}  // namespace

OpenDerivatives find_open_derivatives(const Model& model, const std::vector<Statement>& switching) {
  std::vector<Expr> forces, switches;
  for (const Model::ForceData& f : model.forces()) forces.push_back(f.value);
  for (const Statement& s : switching) switches.insert(switches.end(), s.roots.begin(), s.roots.end());
  return {without_derivative(switches), without_derivative(forces)};
}

}  // namespace vinculum
