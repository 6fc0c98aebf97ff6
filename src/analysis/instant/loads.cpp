#include "analysis/instant/loads.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/page_text.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Numbers3 = std::array<double, 3>;

Numbers3 crossed(const Numbers3& p, const Numbers3& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

/// Vectors of the model as numbers, at one state.
class At {
 public:
  At(const Model& model, const State& state) : model_(model), state_(state) {}
  Numbers3 operator()(const Vector& v) const { return {number(v.x), number(v.y), number(v.z)}; }

 private:
  double number(const Expr& e) const {
    return value_of(model_.stated().written_out(e), [this](const Expr& symbol) {
      const SymbolRole which = model_.stated().role(symbol);
      switch (which.role) {
        case Role::coordinate:
          return state_.q[which.index];
        case Role::velocity:
          return state_.v[which.index];
        case Role::parameter:
        case Role::made:
          return model_.stated().number_of(which);
        default:
          return state_.t;
      }
    });
  }
  const Model& model_;
  const State& state_;
};

/// A generalised force on a body as force and torque at a point, world axes: six numbers.
class AtPoint {
 public:
  AtPoint(const At& at, const Body& body, const Vector& place) {
    for (int k = 0; k < 3; ++k) column_[k] = at(body.column[k]);
    const Numbers3 centre = at(body.position()), point = at(place);
    for (int k = 0; k < 3; ++k) arm_[k] = point[k] - centre[k];
  }
  /// `on`: along x' y' z' and wx wy wz of the body.
  std::array<double, 6> operator()(const std::array<double, 6>& on) const {
    const Numbers3 turn = crossed(arm_, {on[0], on[1], on[2]});
    std::array<double, 6> out = on;
    for (int i = 0; i < 3; ++i)
      out[3 + i] = column_[0][i] * on[3] + column_[1][i] * on[4] + column_[2][i] * on[5] - turn[i];
    return out;
  }

 private:
  std::array<Numbers3, 3> column_;
  Numbers3 arm_{};
};

/// The velocities x' y' z' and wx wy wz of a body; -1 where it has none, in a plane.
using Six = std::array<int, 6>;
Six velocities_of(const Model& model, const Body& body) {
  const Expr all[6] = {body.x.rate(), body.y.rate(), body.z.rate(), body.wx, body.wy, body.wz};
  Six out;
  for (int i = 0; i < 6; ++i) out[i] = all[i].is_symbol() ? model.stated().role(all[i]).index : -1;
  return out;
}

/// A_c^T u on these.
std::array<double, 6> pull(const Equations& at, const ConstraintInfo& c, const std::vector<double>& u,
                           const Six& velocities) {
  std::array<double, 6> out{};
  for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
    for (const auto [column, value] : row_of(at.A, r))
      for (int i = 0; i < 6; ++i)
        if (column == velocities[i]) out[i] += value * u[r];
  return out;
}

/// What a choice of multipliers changes is a matter of the norm.
void find_unique(const Instant& at, const ConstraintInfo& c, const Six& velocities, const AtPoint& place,
                 JointLoad& load) {
  load.unique.fill(true);
  double size = 0;
  for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
    for (const double a : row_of(at.equations.A, r).values) size = std::max(size, std::fabs(a));
  for (const std::vector<double>& u : at.solution.freedom) {
    const std::array<double, 6> change = place(pull(at.equations, c, u, velocities));
    for (int i = 0; i < 6; ++i)
      if (std::fabs(change[i]) > 1e-9 * size) load.unique[i] = false;
  }
}

std::string vector_text(const double* v, double largest) {
  return fmt::format("({}, {}, {})", cell(v[0], largest), cell(v[1], largest), cell(v[2], largest));
}

}  // namespace

void describe_loads(const Model& model, const System& system, Instant& out) {
  if (model.joints().empty() || static_cast<int>(out.solution.multipliers.size()) != out.equations.rows())
    return;
  const At at(model, out.state);
  for (const JointData& joint : model.joints()) {
    if (joint.constraint < 0) continue;
    const int side = joint.parts[1].body() != nullptr ? 1 : 0;
    const Body& body = *joint.parts[side].body();
    const Six velocities = velocities_of(model, body);
    const ConstraintInfo& c = system.constraints()[joint.constraint];
    const AtPoint place(at, body, joint.place(side));
    JointLoad load{joint.name, joint.options.type, joint.part_names[side], joint.part_names[1 - side],
                   at(joint.place(side))};
    load.value = place(pull(out.equations, c, out.solution.multipliers, velocities));
    if (!out.solution.multipliers_unique) find_unique(out, c, velocities, place, load);
    out.loads.push_back(load);
  }
}

void add_loads(std::string& page, const Instant& at) {
  if (at.loads.empty()) return;
  page += "\nWhat the joints carry, in world axes: force and torque on a part, at the joint:\n";
  double force = 0, torque = 0;
  std::vector<std::string> names;
  for (const JointLoad& load : at.loads) {
    names.push_back(load.name);
    for (int i = 0; i < 3; ++i) {
      force = std::max(force, std::fabs(load.value[i]));
      torque = std::max(torque, std::fabs(load.value[3 + i]));
    }
  }
  constexpr const char* components[6] = {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"};
  const std::size_t width = width_of(names, 10);
  for (std::size_t k = 0; k < at.loads.size() && k < most_lines; ++k) {
    const JointLoad& load = at.loads[k];
    page += fmt::format("  {:<{}} on '{}' at {}: force {}, torque {}\n", load.name, width, load.on,
                        vector_text(load.point.data(), 0), vector_text(load.value.data(), force),
                        vector_text(load.value.data() + 3, std::max(torque, force)));
    std::vector<std::string> chosen;
    for (int i = 0; i < 6; ++i)
      if (!load.unique[i]) chosen.emplace_back(components[i]);
    if (!chosen.empty())
      page += fmt::format("  {:<{}} of these a matter of the norm: {}\n", "", width, list_text(chosen));
  }
  page += cut_text(at.loads.size(), "joints");
}

}  // namespace vinculum
