#include "vinculum/lower/vakonomic.hpp"

#include <string>

#include "lower/breaches.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// Why vakonomic motion has no place for the row; empty where it has. Lagrange's equations are those of
/// coordinates whose rates are the velocities.
std::string why_refused(const Model& model, const std::string& constraint, const Expr& phi, int order) {
  if (order == 2)
    return "constraint '" + constraint +
           "' contains accelerations; vakonomic motion is for constraints on positions and velocities";
  if (order == 1)
    for (const Expr& s : symbols_of({&phi, 1}))
      if (!is_plain(model, s))
        return "constraint '" + constraint + "' contains '" + s.name() +
               "', and the equations of vakonomic motion ask for coordinates whose rates are the velocities";
  return {};
}

/// Friction, programmes and forces that depend on reactions.
void judge_laws_of_reactions(const Model& model, std::vector<Breach>& out) {
  const auto name = [&](int constraint) {
    return "constraint '" + model.constraints()[constraint].name + "'";
  };
  for (const auto& f : model.frictions())
    out.push_back(
        {Rule::no_friction_in_vakonomic, f.constraint, -1,
         name(f.constraint) +
             " has friction, which is a law for d'Alembert's reactions; vakonomic motion has none"});
  for (const auto& s : model.servos())
    out.push_back({Rule::no_programme_in_vakonomic, s.constraint, -1,
                   name(s.constraint) +
                       " is a programme to be followed, which is a matter of d'Alembert's forces and not of "
                       "vakonomic motion"});
  for (const auto& c : model.nonideal_forces())
    if (depends_on_multipliers(model, c.value))
      out.push_back({Rule::no_reactions_in_vakonomic, c.velocity, -1,
                     "the non-ideal force on '" + model.velocities()[c.velocity].name +
                         "' depends on constraint forces, which in vakonomic motion depend on mu and on it"});
}

bool has_start(const Model& model, int row) {
  const auto& starts = model.stated().start_multipliers;
  return row < static_cast<int>(starts.size()) && starts[row].has_value();
}

/// Rows on velocities have a mu with a start; rows on positions have none.
void judge_mu(const Model& model, const std::string& row_name, int row, int order, std::vector<Breach>& out) {
  if (order == 0 && has_start(model, row))
    out.push_back({Rule::no_mu_of_positions, row, -1,
                   "row '" + row_name +
                       "' is a constraint on positions and has no mu to start with; its lambda follows from "
                       "the motion"});
  if (order == 1 && !has_start(model, row))
    out.push_back(
        {Rule::mu_has_start, row, -1,
         "vakonomic motion needs the start of mu of row '" + row_name + "'; see start_multiplier()"});
}

}  // namespace

void judge_vakonomic(const Model& model, std::vector<Breach>& out) {
  if (model.mechanics() != Mechanics::vakonomic) {
    if (!model.stated().start_multipliers.empty())
      out.push_back({Rule::start_of_mu_for_vakonomic, -1, -1,
                     "a start of multipliers is for vakonomic motion alone; see set_mechanics()"});
    return;
  }
  judge_laws_of_reactions(model, out);
  int row = 0;
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const Model::ConstraintData& c = model.constraints()[k];
    std::vector<Breach> of_mu;  // behind those of its rows
    for (std::size_t r = 0; r < c.rows.size(); ++r, ++row) {
      const int order = order_of(model, c.rows[r]);
      if (std::string text = why_refused(model, c.name, c.rows[r], order); !text.empty())
        out.push_back({Rule::row_of_vakonomic, static_cast<int>(k), -1, std::move(text)});
      if (model.stated().multiplier_coordinate(row) < 0)
        judge_mu(model, c.is_vector ? c.name + "[" + std::to_string(r) + "]" : c.name, row, order, of_mu);
    }
    out.insert(out.end(), of_mu.begin(), of_mu.end());
  }
}

void require_vakonomic(const Model& model, const Model::ConstraintData& constraint) {
  for (const Expr& phi : constraint.rows)
    if (const std::string text = why_refused(model, constraint.name, phi, order_of(model, phi));
        !text.empty())
      fail(text);
}

Model with_multiplier_coordinates(const Model& model) {
  std::vector<Breach> found;
  judge_vakonomic(model, found);
  if (!found.empty()) fail(found.front().text);
  if (model.mechanics() != Mechanics::vakonomic) return model;
  Model result = model;
  for (int row = 0; row < static_cast<int>(model.stated().start_multipliers.size()); ++row)
    if (has_start(model, row) && result.stated().multiplier_coordinate(row) < 0)
      result.stated().add_multiplier_coordinate(row, *model.stated().start_multipliers[row]);
  return result;
}

}  // namespace vinculum
