// What only the whole model tells: its rules are those of validate(), their places and words those of the
// file.
#include <fmt/format.h>

#include "io/model/reader_templates.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

void Reader::judge_whole() {
  bool empty = false;
  for (const Breach& breach : validate(model_)) {
    switch (breach.rule) {
      case Rule::has_coordinates:
        empty = true;
        break;
      case Rule::gravity_has_weights:
        refuse_idle_gravity();
        break;
      case Rule::has_inertia:
        refuse_missing_mass(breach.of);
        break;
      case Rule::no_friction_beside_actuators:
        refuse_friction(breach.of, breach.beside);
        break;
      case Rule::no_friction_in_vakonomic:
        refuse_law_of_reactions(breach.of, "friction");
        break;
      case Rule::no_programme_in_vakonomic:
        refuse_law_of_reactions(breach.of, "servo");
        break;
      case Rule::no_mu_of_positions:
      case Rule::mu_has_start:
        refuse_mu(breach.rule, breach.of);
        break;
      // What stands inside a text was noted at its place there.
      case Rule::start_of_mu_for_vakonomic:
      case Rule::no_reactions_in_vakonomic:
      case Rule::row_of_vakonomic:
      case Rule::parameters_have_values:
      case Rule::linear_in_accelerations:
      case Rule::one_inertia:
      case Rule::no_multipliers_of_actuators:
        break;
    }
  }
  if (empty && faults.empty())
    note(std::size_t{0}, "the model has no coordinates; state [coordinates], [particles] or [bodies]");
}

/// Particles and bodies that have a fault of their own would be weights.
void Reader::refuse_idle_gravity() {
  if (!complete_) return;
  for (const char* table : {"particles", "bodies"})
    if (top(table) != nullptr && !top(table)->entries.empty()) return;
  note(root_.find("gravity")->key_at,
       "gravity acts on particles and bodies, and the model has none; write the weight of a coordinate "
       "into [forces]");
}

/// Not where something is stated that has a fault of its own: the mass, or the energy instead of it.
void Reader::refuse_missing_mass(int velocity) {
  if (root_.find("kinetic") != nullptr || root_.find("lagrangian") != nullptr) return;
  if (with_mass_entry_.contains(velocity)) return;
  std::string name = model_.velocities()[velocity].name;
  name.erase(name.find_last_not_of('\'') + 1);
  if (coordinates_.contains(name))
    note(top("mass") != nullptr ? top("mass")->at : 0,
         fmt::format("coordinate '{}' has no mass; state it in [mass] (0 makes it massless), or give a "
                     "kinetic energy or a Lagrangian",
                     name));
}

void Reader::refuse_friction(int constraint, int programme) {
  const std::string& name = model_.constraints()[constraint].name;
  note(top("constraints")->find(name)->find("friction")->key_at,
       fmt::format("the friction of constraint '{}' stands beside programme '{}', which has actuators; "
                   "whether it sticks is not known then: write it into [nonideal]",
                   name, model_.constraints()[programme].name));
}

/// Friction and programmes are laws for d'Alembert's reactions.
void Reader::refuse_law_of_reactions(int constraint, const char* key) {
  const std::string& name = model_.constraints()[constraint].name;
  const Entry* entry = top("constraints")->find(name);
  const Entry* law = entry->find(key);
  note(law != nullptr ? law->key_at : entry->key_at,
       fmt::format("'{}' of constraint '{}' is a law for d'Alembert's reactions; vakonomic motion has none",
                   key, name));
}

}  // namespace vinculum
