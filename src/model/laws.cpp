// Laws of constraints that were stated before: friction and programmes.
#include <algorithm>
#include <set>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
void require_servo_constant(double value, const std::string& what, bool may_be_zero) {
  if (value < 0 || (value == 0 && !may_be_zero))
    fail(what + " is " + number_text(value) + "; it must be " + (may_be_zero ? "0 or more" : "more than 0"));
}

namespace {

/// The velocities of the coordinates in a constraint; of a particle in it all three.
std::vector<int> sliding_velocities(const StatedModel& stated, const Model::ConstraintData& constraint) {
  const std::string what = "the friction of constraint '" + constraint.name + "'";
  const std::string way_out = "; write it into the non-ideal forces, where force(..) may be used";
  std::set<int> velocities, particles;
  for (const Expr& s : symbols_of(constraint.rows)) {
    const SymbolRole which = stated.role(s);
    int v = which.index;
    if (which.role == Role::coordinate)
      v = stated.velocity_of_coordinate(which.index);
    else if (which.role == Role::abbreviation)
      v = -1;
    else if (which.role != Role::velocity && which.role != Role::acceleration)
      continue;
    const auto of_body = [v](const Model::BodyData& b) {
      return v >= b.first_velocity && v < b.first_velocity + b.velocity_count();
    };
    if (v < 0 || stated.velocities[v].name.back() != '\'' ||
        std::any_of(stated.bodies.begin(), stated.bodies.end(), of_body))
      fail(what + " would act on '" + s.name() + "', which is no plain coordinate" + way_out);
    velocities.insert(v);
    for (std::size_t p = 0; p < stated.particles.size(); ++p) {
      const int first = stated.role(stated.particles[p].x.rate()).index;
      if (v >= first && v < first + 3) particles.insert(first);
    }
  }
  if (particles.size() == 1 && *velocities.begin() >= *particles.begin() &&
      *velocities.rbegin() < *particles.begin() + 3)
    return {*particles.begin(), *particles.begin() + 1, *particles.begin() + 2};
  if (!particles.empty())
    fail(what + " would act on " +
         (particles.size() > 1 ? "several particles" : "a particle and coordinates") + " at once" + way_out);
  if (velocities.empty()) fail(what + " has nothing to act on: no coordinate stands in it");
  if (velocities.size() == 1) {
    const std::string& rate = stated.velocities[*velocities.begin()].name;
    fail(what + " has no direction to slide in: only '" + rate.substr(0, rate.size() - 1) +
         "' stands in it, which it holds itself; use a particle, or" + way_out.substr(1));
  }
  return {velocities.begin(), velocities.end()};
}

/// 0, 1 or 2: the highest derivative whose coefficient does not vanish.
int order_of_programme(const StatedModel& stated, const Expr& phi) {
  int order = 0;
  for (const Expr& s : symbols_of({&phi, 1})) {
    const Role level = stated.role(s).role;
    const int highest = level == Role::acceleration ? 2 : level == Role::velocity ? 1 : 0;
    if (highest > order && !derivative(phi, s).is_constant(0)) order = highest;
  }
  return order;
}

void demand_servo_constant(StatedModel& stated, const Expr& value, const std::string& what,
                           bool may_be_zero) {
  stated.demand({value}, what, [what, may_be_zero](std::span<const double> n) {
    require_servo_constant(n[0], what, may_be_zero);
  });
}

/// phi'' + 2 z w phi' + w^2 phi, or phi' + w phi for a programme on velocities: both are on accelerations.
Expr stabilised(const StatedModel& stated, const Expr& phi, const ServoOptions& options,
                const std::string& name) {
  const int order = order_of_programme(stated, phi);
  if (order == 2)
    fail("programme '" + name +
         "' is on accelerations, and nothing is left to stabilise; leave 'frequency' out");
  const Expr w = options.frequency, first = stated.rate(phi);
  if (order == 1) return first + w * phi;
  return stated.rate(first) + 2 * options.damping * w * first + w * w * phi;
}

/// A velocity, or the coordinate of a joint: its force does work as the coordinate grows.
Model::ActuatorData actuator_of(Model& model, const Expr& at) {
  const StatedModel& stated = model.stated();
  const auto slides = [&](const JointData& joint) {
    const JointType type = joint.options.type;
    const bool can = type == JointType::prismatic || type == JointType::cylindrical ||
                     type == JointType::screw || type == JointType::distance;
    return can && identical(model.joint_distance(joint.name), at);
  };
  for (const JointData& joint : stated.joints) {
    for (const int angle : joint.angles)
      if (angle >= 0 && identical(stated.coordinates[angle].symbol, at))
        return {stated.coordinates[angle].name, stated.acting_at({at, 0, 0}, {1, 0, 0})};
    if (slides(joint)) return {joint.name + ".distance", stated.acting_at({at, 0, 0}, {1, 0, 0})};
  }
  const int v = stated.velocity_of(at, "an actuator");
  std::string name = stated.velocities[v].name;
  if (name.back() == '\'') name.pop_back();
  return {name, {{v, 1.0}}};
}

}  // namespace

void Model::friction(std::string_view constraint, const Expr& coefficient) {
  const int c = stated_->find_constraint(constraint);
  const std::string what = "the coefficient of friction of constraint '" + stated_->constraints[c].name + "'";
  stated_->demand({coefficient}, {what}, [what](std::span<const double> n) {
    if (n[0] < 0) fail(what + " is " + number_text(n[0]) + "; it must not be negative");
  });
  const std::vector<int> velocities = sliding_velocities(*stated_, stated_->constraints[c]);
  for (const FrictionData& f : stated_->frictions) {
    if (f.constraint == c)
      fail("the friction of constraint '" + stated_->constraints[c].name + "' is stated twice");
    const bool apart = std::find_first_of(f.velocities.begin(), f.velocities.end(), velocities.begin(),
                                          velocities.end()) == f.velocities.end();
    if (!apart && f.velocities != velocities)
      fail("the frictions of constraints '" + stated_->constraints[f.constraint].name + "' and '" +
           stated_->constraints[c].name +
           "' share some of their coordinates but not all; write them into the non-ideal forces");
  }
  stated_->frictions.push_back({c, coefficient, velocities});
}

/// All checks come before the first change.
void Model::servo(std::string_view constraint, const ServoOptions& options) {
  const int c = stated_->find_constraint(constraint);
  ConstraintData& stated = stated_->constraints[c];
  for (const ServoData& s : stated_->servos)
    if (s.constraint == c) fail("constraint '" + stated.name + "' is marked as a programme twice");
  ServoData data{c, options.frequency, options.damping, {}, stated.rows};
  for (const Expr& x : options.actuators) {
    const ActuatorData actuator = actuator_of(*this, x);
    const auto same = [&](const ActuatorData& other) { return other.name == actuator.name; };
    if (std::none_of(data.actuators.begin(), data.actuators.end(), same)) data.actuators.push_back(actuator);
  }
  if (!options.frequency.is_constant(0)) {
    demand_servo_constant(*stated_, options.frequency, "the frequency of programme '" + stated.name + "'",
                          false);
    demand_servo_constant(*stated_, options.damping, "the damping of programme '" + stated.name + "'", true);
    std::vector<Expr> rows;
    for (const Expr& phi : stated.rows) rows.push_back(stabilised(*stated_, phi, options, stated.name));
    stated.rows = std::move(rows);
  }
  stated_->servos.push_back(std::move(data));
}

}  // namespace vinculum
