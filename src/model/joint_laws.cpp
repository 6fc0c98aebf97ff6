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

std::string rotor_name(const JointData& joint) { return joint.name + ".rotor"; }

/// What turns with the joint, as fast as it, and has this inertia: a velocity of its own with a row that
/// holds it to the joint. So M stays as sparse as bodies make it, where the same energy stated in the
/// velocities of both bodies would couple all bodies of a robot.
void add_rotor(Model& model, const JointData& joint) {
  const std::string name = rotor_name(joint);
  const Expr rate = rate_of(model, joint);
  const Speed rotor = model.speed(name, at_start(model.stated(), rate));
  model.mass(rotor, joint.options.armature);
  model.constrain(name, rotor, rate);
}

/// A run ends where the joint passes one of them. One that starts right on a limit passes it by a little more
/// than rounding of radians and metres: a zero at the start is no passage.
void add_limits(Model& model, const JointData& joint) {
  constexpr double aside = 1e-11;
  const Expr along = slides(joint) ? model.joint_distance(joint.name) : model.joint_angle(joint.name);
  const std::vector<CoordinateOfJointStart>& said = joint.options.start;
  const bool is_said = !said.empty() && said[0].value;
  const Expr start = is_said ? *said[0].value : drawn_coordinate(joint, 0);
  const auto& [lower, upper] = *joint.options.limits;
  const std::string what = "joint '" + joint.name + "'";
  model.stated().demand({lower, upper, start},
                        std::vector<std::string>(3, "the limits of " + what + " are passed by a number that"),
                        [what](std::span<const double> n) { require_limits(n[0], n[1], n[2], what); });
  const auto margin = [&](const Expr& limit) {
    const Expr little = aside * min(upper - lower, Expr(1.0));
    return if_less_equal(abs(start - limit), little, little, 0.0);
  };
  model.event(joint.name + ".lower", along - lower + margin(lower), Model::Direction::falling, true);
  model.event(joint.name + ".upper", along - upper - margin(upper), Model::Direction::rising, true);
  for (auto event = model.stated().events.end() - 2; event != model.stated().events.end(); ++event)
    event->limit = true;
}

}  // namespace

void start_rotors(Model& model) {
  StatedModel& stated = model.stated();
  for (const JointData& joint : std::vector(stated.joints)) {
    if (joint.options.armature.is_constant(0)) continue;
    const Expr start = at_start(stated, rate_of(model, joint));
    for (Model::VelocityData& v : stated.velocities)
      if (v.name == rotor_name(joint)) {
        v.start_from = start;
        v.start = stated.number_of(start, "the start of '" + v.name + "'");
      }
  }
}

void require_limits(double lower, double upper, double start, const std::string& what) {
  const std::string range = number_text(lower) + " to " + number_text(upper);
  if (!(lower < upper)) fail("the limits of " + what + " are " + range + "; the lower one stands first");
  if (start < lower || start > upper)
    fail(what + " starts at " + number_text(start) + ", beyond its limits " + range);
}

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
  if (options.limits) add_limits(model, joint);
}

}  // namespace vinculum
