#include "report/json_principles.hpp"

#include <cmath>

namespace vinculum {
namespace {

Json rows_of(const std::vector<double>& row_major, std::size_t columns) {
  Json out = Json::array();
  for (std::size_t k = 0; columns > 0 && k < row_major.size(); k += columns)
    out.push_back(std::vector<double>(row_major.begin() + static_cast<std::ptrdiff_t>(k),
                                      row_major.begin() + static_cast<std::ptrdiff_t>(k + columns)));
  return out;
}

Json by_row(const System& system, const std::vector<double>& values) {
  Json out = Json::object();
  for (std::size_t r = 0; r < values.size(); ++r) add(out, system.row_names()[r], values[r]);
  return out;
}

Json displacements(const Principles& of) {
  if (!of.displacements_known) return nullptr;
  Json out = Json::array();
  for (const VirtualDisplacement& d : of.displacements)
    out.push_back({{"v", d.v}, {"ideal", d.ideal}, {"nonideal", d.nonideal}, {"stated", d.stated}});
  return out;
}

}  // namespace

void add_principles(Json& out, const System& system, const Instant& at) {
  const Principles of = principles_of(system, at);
  const std::size_t n = system.velocity_names().size(), m = system.row_names().size();
  const auto matrix = [&](std::vector<double> Proportionality::* which, std::size_t columns) {
    return of.matrices ? rows_of(*of.matrices.*which, columns) : Json();
  };
  out["constraint_matrix"] = matrix(&Proportionality::constraint_matrix, n);
  out["constraint_matrix_inverse"] = matrix(&Proportionality::inverse, m);
  out["K"] = matrix(&Proportionality::K, m);
  out["K1"] = matrix(&Proportionality::K1, m);
  out["K2"] = matrix(&Proportionality::K2, m);
  out["scaled_deviation"] = of.matrices ? Json(of.scaled_deviation) : Json();
  out["virtual_displacements"] = displacements(of);
  out["spaces"] = of.spaces ? Json{{"states", of.spaces->states},
                                   {"held", of.spaces->held},
                                   {"rows", of.spaces->rows},
                                   {"reactions", of.spaces->reactions}}
                            : Json();
}

void add_answer(Json& out, const System& system, const Answer& answer) {
  if (answer.trial) {
    const Trial& t = *answer.trial;
    out["trial"] = {{"acceleration", t.acceleration},
                    {"keeps", t.keeps},
                    {"miss", by_row(system, t.miss)},
                    {"gaussian", t.gaussian},
                    {"above", t.above},
                    {"extended_gaussian", t.extended},
                    {"displacement", t.displacement},
                    {"virtual", t.is_virtual},
                    {"slip", by_row(system, t.slip)},
                    {"work", {{"ideal", t.ideal}, {"nonideal", t.nonideal}, {"stated", t.stated}}}};
  }
  if (answer.family) out["multipliers"]["family"] = by_row(system, *answer.family);
  if (answer.weighted) out["multipliers"]["weighted"] = by_row(system, *answer.weighted);
}

}  // namespace vinculum
