#include "vinculum/lower/vakonomic.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"

namespace vinculum {
namespace {

/// Lagrange's equations are those of coordinates whose rates are the velocities.
void require_plain(const Model& model, const std::string& constraint, const Expr& phi) {
  for (const Expr& s : symbols_of({&phi, 1})) {
    if (!is_plain(model, s))
      fail("constraint '" + constraint + "' contains '" + s.name() +
           "', and the equations of vakonomic motion ask for coordinates whose rates are the velocities");
  }
}

/// Friction, programmes and forces that depend on reactions.
void refuse_laws_of_reactions(const Model& model) {
  for (const auto& f : model.frictions())
    fail("constraint '" + model.constraints()[f.constraint].name +
         "' has friction, which is a law for d'Alembert's reactions; vakonomic motion has none");
  for (const auto& s : model.servos())
    fail("constraint '" + model.constraints()[s.constraint].name +
         "' is a programme to be followed, which is a matter of d'Alembert's forces and not of vakonomic "
         "motion");
  for (const auto& c : model.nonideal_forces())
    if (depends_on_multipliers(model, c.value))
      fail("the non-ideal force on '" + model.velocities()[c.velocity].name +
           "' depends on constraint forces, which in vakonomic motion depend on mu and on it");
}

/// mu of one row, with its start; rows on positions have none.
void add_coordinate(Model& model, const Model::ConstraintData& c, int row_of_constraint, int row) {
  const std::string name =
      "'" + c.name + (c.is_vector ? "[" + std::to_string(row_of_constraint) + "]" : "") + "'";
  const auto& starts = model.start_multipliers();
  const bool stated = row < static_cast<int>(starts.size()) && starts[row].has_value();
  if (order_of(model, c.rows[row_of_constraint]) == 0) {
    if (stated)
      fail("row " + name +
           " is a constraint on positions and has no mu to start with; its lambda follows from the motion");
    return;
  }
  if (!stated) fail("vakonomic motion needs the start of mu of row " + name + "; see start_multiplier()");
  model.add_multiplier_coordinate(row, *starts[row]);
}

}  // namespace

void require_vakonomic(const Model& model, const Model::ConstraintData& constraint) {
  for (const Expr& phi : constraint.rows) {
    const int order = order_of(model, phi);
    if (order == 2)
      fail("constraint '" + constraint.name +
           "' contains accelerations; vakonomic motion is for constraints on positions and velocities");
    if (order == 1) require_plain(model, constraint.name, phi);
  }
}

Model with_multiplier_coordinates(const Model& model) {
  if (model.mechanics() != Mechanics::vakonomic) {
    if (!model.start_multipliers().empty())
      fail("a start of multipliers is for vakonomic motion alone; see set_mechanics()");
    return model;
  }
  refuse_laws_of_reactions(model);
  Model result = model;
  int row = 0;
  for (const auto& c : model.constraints()) {
    require_vakonomic(model, c);
    for (int r = 0; r < static_cast<int>(c.rows.size()); ++r, ++row)
      if (result.multiplier_coordinate(row) < 0) add_coordinate(result, c, r, row);
  }
  return result;
}

}  // namespace vinculum
