// What acts in a joint beside its equations: its spring, its damper, its dry friction, its rotor.
#include "model/joint_laws.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"
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

/// What may stand in it is asked once for both parts.
void twist(Model& model, const JointData& joint, const Vector& torque) {
  StatedModel& stated = model.stated();
  const Expr parts[] = {torque.x, torque.y, torque.z};
  require_force(stated, parts);
  const auto turn = [&stated](const Body* body, const Vector& by) {
    if (body == nullptr) return;
    const std::vector<Model::ForceData> list = stated.turning(*body, by);
    stated.forces.insert(stated.forces.end(), list.begin(), list.end());
  };
  turn(joint.parts[1].body(), torque);
  turn(joint.parts[0].body(), -torque);
}

/// On B about the axis or along it, and the opposite on A. A law of the joint is no motor on its distance,
/// which would be looked for among all joints.
void act(Model& model, const JointData& joint, const Expr& value) {
  if (slides(joint))
    model.force_at({model.joint_distance(joint.name), 0, 0}, {value, 0, 0});
  else
    twist(model, joint, value * joint.sides[0].u);
}

/// The energy of the joint's spring, and its force.
Expr stretch(Model& model, const JointData& joint) {
  const Expr &stiffness = joint.options.stiffness, &rest = joint.options.rest;
  for (const Expr& constant : {stiffness, rest}) require_no_function(constant, "a constant of a spring");
  const Expr along = slides(joint) ? model.joint_distance(joint.name) : model.joint_angle(joint.name);
  model.stated().potentials.push_back(stiffness * pow(along - rest, 2) / 2);
  return -stiffness * (along - rest);
}

/// The torque or force of the damper; where the joint turns any way that about its axis, which says little.
Expr damp(Model& model, const JointData& joint) {
  const Expr& damping = joint.options.damping;
  const Expr value = -damping * rate_of(model, joint);
  const bool any_way =
      joint.options.type == JointType::spherical || joint.options.type == JointType::universal;
  if (any_way)
    twist(model, joint, -damping * (joint.parts[1].omega() - joint.parts[0].omega()));
  else
    act(model, joint, value);
  return value;
}

std::string rotor_name(const JointData& joint) { return joint.name + ".rotor"; }

/// What turns with the joint, as fast as it, and has this inertia: a velocity of its own with a row that
/// holds it to the joint. So M stays as sparse as bodies make it, where the same energy stated in the
/// velocities of both bodies would couple all bodies of a robot.
Speed add_rotor(Model& model, const JointData& joint) {
  const std::string name = rotor_name(joint);
  const Expr rate = rate_of(model, joint);
  const Speed rotor = model.speed(name, model.stated().at_start(rate));
  model.mass(rotor, joint.options.armature);
  model.constrain(name, rotor, rate);
  return rotor;
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
  model.stated().demand({lower, upper, start}, "the limits of " + what + " are passed by a number that",
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
    const Expr start = stated.at_start(rate_of(model, joint));
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
  const auto place = &stated - model.stated().joints.data();
  const JointData joint = stated;  // what is added to the model may move its joints
  const JointOptions& options = joint.options;
  std::vector<JointEffort> efforts;
  const auto acts = [&](JointLaw law, const Expr& value) { efforts.push_back({law, slides(joint), value}); };
  for (const auto& [value, word] :
       {std::pair{&options.armature, "armature"}, {&options.friction, "friction"}}) {
    if (value->is_constant(0)) continue;
    const std::string of = "the " + std::string(word) + " of joint '" + joint.name + "'";
    model.stated().demand({*value}, of, [of](std::span<const double> n) { require_not_negative(n[0], of); });
  }
  if (!options.stiffness.is_constant(0)) acts(JointLaw::spring, stretch(model, joint));
  if (!options.damping.is_constant(0)) acts(JointLaw::damper, damp(model, joint));
  if (!options.friction.is_constant(0)) {
    const Expr value = -options.friction * sign(rate_of(model, joint));
    act(model, joint, value);
    acts(JointLaw::friction, value);
  }
  if (!options.armature.is_constant(0))
    acts(JointLaw::rotor, -options.armature * add_rotor(model, joint).acceleration());
  if (options.limits) add_limits(model, joint);
  model.stated().joints[place].efforts = std::move(efforts);  // these are laws, and no motors of it
}

namespace {

/// Of those that have an axis to turn about, or to slide along.
bool has_effort(JointType type, bool along) {
  switch (type) {
    case JointType::revolute:
    case JointType::planar:
      return !along;
    case JointType::prismatic:
      return along;
    case JointType::cylindrical:
    case JointType::screw:
      return true;
    default:
      return false;
  }
}

Expr effort_of(const JointData& joint, JointLaw of, bool along) {
  if (!has_effort(joint.options.type, along))
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) + " and has no " +
         (along ? "force along an axis; prismatic, cylindrical and screw joints have one"
                : "torque about an axis; revolute, cylindrical, screw and planar joints have one"));
  Expr sum = 0.0;
  for (const JointEffort& effort : joint.efforts)
    if (effort.along == along && (of == JointLaw::all || of == effort.law)) sum += effort.value;
  return sum;
}

}  // namespace

void StatedModel::add_motor(const Expr& at, const Expr& value) {
  const auto distance = [](const JointData& joint) {
    return dot(joint.sides[0].u, joint.sides[1].point - joint.sides[0].point);
  };
  for (JointData& joint : joints) {
    const bool its_angle = joint.angles[0] >= 0 && identical(coordinates[joint.angles[0]].symbol, at);
    const bool its_distance = has_effort(joint.options.type, true) && identical(distance(joint), at);
    if (its_angle || its_distance) joint.efforts.push_back({JointLaw::motor, its_distance, value});
  }
}

Expr Model::joint_torque(std::string_view joint, JointLaw of) {
  return effort_of(stated_->find_joint(joint), of, false);
}
Expr Model::joint_force(std::string_view joint, JointLaw of) {
  return effort_of(stated_->find_joint(joint), of, true);
}

}  // namespace vinculum
