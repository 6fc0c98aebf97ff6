// Statements of one shape become contributions of their template, with a target for each of them.
#pragma once
#include <functional>
#include <vector>

#include "vinculum/lower/expand.hpp"
#include "vinculum/lower/shape.hpp"

namespace vinculum {

/// What the statements contribute, lowered: contributions for each group, targets for each statement of a
/// group.
struct LoweredGroup {
  std::vector<Contribution> contributions;    // of the template
  std::vector<Expr> parameter;                // the template's parameters ...
  std::vector<std::vector<Expr>> values;      // ... and their values: [parameter][instance]
  std::vector<NodeId> symbols;                // of the template
  std::vector<std::vector<NodeId>> instance;  // symbols of each instance
  std::vector<int> first_row;                 // of each instance
  std::vector<std::vector<Target>> targets;   // [contribution][instance]

  /// Only the contributions to such targets.
  void keep(const std::function<bool(const Target&)>& which);
};
VINCULUM_EXPORT std::vector<LoweredGroup> lower_groups(const Model& model,
                                                       const std::vector<Statement>& statements,
                                                       const std::vector<ShapeGroup>& groups,
                                                       Purpose purpose);

}  // namespace vinculum
