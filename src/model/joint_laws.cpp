// What acts in a joint beside its equations: its spring, its damper, its dry friction, its rotor.
#include "model/joint_laws.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

void require_not_negative(double value, const std::string& what) {
  if (!(value >= 0)) fail(what + " is " + number_text(value) + "; it must be 0 or more");
}

namespace {

bool slides(const JointData& joint) { return joint.options.type == JointType::prismatic; }

/// How fast B moves against A: about the axis, or along it.
Expr rate_of(Model& model, const JointData& joint) {
  if (slides(joint)) return model.rate(model.joint_distance(joint.name));
  return dot(joint.sides[0].u, joint.parts[1].omega() - joint.parts[0].omega());
}

void twist(Model& model, const JointData& joint, const Vector& torque) {
  if (const Body* b = joint.parts[1].body()) model.torque(*b, torque);
  if (const Body* a = joint.parts[0].body()) model.torque(*a, -torque);
}

/// On B about the axis or along it, and the opposite on A.
void act(Model& model, const JointData& joint, const Expr& value) {
  if (slides(joint))
    model.force_along(model.joint_distance(joint.name), value);
  else
    twist(model, joint, value * joint.sides[0].u);
}

void damp(Model& model, const JointData& joint) {
  const Expr& damping = joint.options.damping;
  const bool any_way =
      joint.options.type == JointType::spherical || joint.options.type == JointType::universal;
  if (any_way)
    twist(model, joint, -damping * (joint.parts[1].omega() - joint.parts[0].omega()));
  else
    act(model, joint, -damping * rate_of(model, joint));
}

/// An expression of the state, where the motion starts.
Expr at_start(const StatedModel& stated, const Expr& e) {
  SymbolMap starts;
  const Expr whole = stated.written_out(e);
  for (const Expr& s : symbols_of({&whole, 1})) {
    const SymbolRole which = stated.role(s);
    if (which.role == Role::coordinate) starts.set(s, stated.coordinates[which.index].start_from);
    if (which.role == Role::velocity) starts.set(s, stated.velocities[which.index].start_from);
  }
  return substitute(whole, starts);
}

/// What turns with the joint, as fast as it, and has this inertia: a velocity of its own with a row that
/// holds it to the joint. So M stays as sparse as bodies make it, where the same energy stated in the
/// velocities of both bodies would couple all bodies of a robot.
void add_rotor(Model& model, const JointData& joint) {
  const std::string name = joint.name + ".rotor";
  const Expr rate = rate_of(model, joint);
  const Speed rotor = model.speed(name, at_start(model.stated(), rate));
  model.mass(rotor, joint.options.armature);
  model.constrain(name, rotor, rate);
}

}  // namespace

void add_joint_laws(Model& model, const JointData& stated) {
  const JointData joint = stated;  // what is added to the model may move its joints
  const JointOptions& options = joint.options;
  for (const auto& [value, word] :
       {std::pair{&options.armature, "armature"}, {&options.friction, "friction"}}) {
    const std::string of = "the " + std::string(word) + " of joint '" + joint.name + "'";
    model.stated().demand({*value}, {of},
                          [of](std::span<const double> n) { require_not_negative(n[0], of); });
  }
  if (!options.stiffness.is_constant(0))
    model.spring(
        slides(joint) ? model.joint_distance(joint.name) : model.joint_angle(joint.name),
        {.stiffness = options.stiffness, .damping = 0.0, .length = options.rest, .name = joint.name});
  if (!options.damping.is_constant(0)) damp(model, joint);
  if (!options.friction.is_constant(0)) act(model, joint, -options.friction * sign(rate_of(model, joint)));
  if (!options.armature.is_constant(0)) add_rotor(model, joint);
}

}  // namespace vinculum
