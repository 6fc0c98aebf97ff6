// What a model as a whole must be, whoever states it: in C++ or in a file.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// Rules that no single statement breaks by itself. Of what: the meaning of Breach::of.
enum class Rule {
  // Vakonomic motion.
  start_of_mu_for_vakonomic,  ///< a start of multipliers is for vakonomic motion alone
  no_friction_in_vakonomic,   ///< of: a constraint
  no_programme_in_vakonomic,  ///< of: a constraint
  no_reactions_in_vakonomic,  ///< in non-ideal forces; of: a velocity
  row_of_vakonomic,           ///< of: a constraint with accelerations, or with what turns
  no_mu_of_positions,         ///< a start of mu; of: a row
  mu_has_start,               ///< of: a row
  // Any motion.
  parameters_have_values,
  has_coordinates,
  gravity_has_weights,
  linear_in_accelerations,      ///< of: a constraint
  one_inertia,                  ///< a mass, or a part in an energy; of: a velocity
  has_inertia,                  ///< of: a velocity
  no_multipliers_of_actuators,  ///< asked for; of: the constraint that is a programme
  no_friction_beside_actuators  ///< of: the constraint with friction; beside: the programme
};

/// A rule that is broken, by what, and the sentence for those who state models in C++.
struct Breach {
  Rule rule = Rule::has_coordinates;
  int of = -1, beside = -1;
  std::string text;
};

/// Every breach; none for a model that can be compiled, as far as its structure tells. Reading a file, each
/// has its place there and its sentence in the words of the file.
VINCULUM_EXPORT std::vector<Breach> validate(const Model& model);
/// An error with the sentence of the first.
VINCULUM_EXPORT void require_valid(const Model& model);

/// Whether the constraint is a programme that acts by its actuators: it has a force, and no multipliers that
/// would make it.
VINCULUM_EXPORT bool acts_by_actuators(const Model& model, int constraint);

}  // namespace vinculum
