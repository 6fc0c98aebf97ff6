// What the user states: how the system moves when free, and the equations its motion must satisfy.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/vector.hpp"
#include "vinculum/model/body.hpp"
#include "vinculum/model/bushing.hpp"
#include "vinculum/model/coordinate.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum {

/// Numbers, or expressions of parameters: a start follows them.
struct CoordinateStart {
  Expr start = 0.0;
  Expr rate = 0.0;
};
struct ParticleOptions {
  Expr mass = 1.0;
  Triple position{};
  Triple velocity{};
};

/// Zero where not said.
struct SpringOptions {
  Expr stiffness, damping, length;
  std::string name = {};  ///< for sentences about it
};

/// The principle a motion obeys.
enum class Mechanics {
  dalembert,  ///< Gauss's, Lagrange's and d'Alembert's: the fundamental equation
  vakonomic,  ///< stationary action of L + sum mu_i phi_i: another motion where constraints are on velocities
  none,       ///< no mechanics at all: x'' = s + v1 + v2 of an underdetermined system, all masses 1
};

/// How a programme is followed.
struct ServoOptions {
  Expr frequency =
      {};              ///< w of phi'' + 2 z w phi' + w^2 phi = 0 [rad/s]; 0: held exactly, from a start on it
  Expr damping = 1.0;  ///< z
  /// What can be driven: coordinates, speeds, and coordinates of joints (joint_angle, joint_distance), where
  /// a torque or force acts between the two parts. Empty: everything.
  std::vector<Expr> actuators = {};
};

struct StatedModel;  // model/stated.hpp

/// An editable statement of a system. Copies share their expressions. One that was moved from can be assigned
/// to, and nothing else.
class VINCULUM_EXPORT Model {
 public:
  Model();
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;
  ~Model();

  // --- What moves. Names are letters, digits and _, with dots between parts; each may be used once.
  Coordinate coordinate(std::string_view name, CoordinateStart start = {});
  Particle particle(std::string_view name, const ParticleOptions& options = {});
  /// A velocity without a coordinate of its own, and a coordinate whose rate is any expression linear in
  /// velocities: together they say q' = N(q) v, as for a quaternion (four coordinates, three angular
  /// velocities).
  Speed speed(std::string_view name, const Expr& start = 0.0);
  Expr coordinate_with_rate(std::string_view name, const Expr& rate, const Expr& start);
  /// Says later what the rate of such a coordinate is: rates of a quaternion need all four of its
  /// coordinates.
  void set_rate(const Expr& coordinate, const Expr& rate);
  /// Four coordinates that are a unit quaternion with the rates of an angular velocity: their length is kept
  /// by the motion and is no constraint.
  Body body(std::string_view name, const BodyOptions& options = {});
  Expr parameter(std::string_view name, double value);
  /// Says that a parameter is made of others: it follows them where they live.
  void define(std::string_view parameter, const Expr& meaning);
  /// A parameter that has no value, and a function of time that is only named, as alpha(t) in a paper: for
  /// derive alone. A system cannot be compiled with them. `stated` says what the parameter is made of.
  Expr open_parameter(std::string_view name, std::string_view stated = "");
  Expr open_function(std::string_view name);
  Expr time();  ///< t
  /// A coordinate stated before, also by a file that was read; an error where there is none of that name.
  Coordinate find_coordinate(std::string_view name) const;
  /// The rate of an expression: velocities where coordinates stand in it, accelerations where velocities do.
  Expr rate(const Expr& e) const;
  /// A function written in C++, from now on known by its name: may stand in forces, outputs and events. Where
  /// it jumps or has a corner nobody knows but itself: put `if` around its calls instead.
  Function function(OpaqueFunction function);

  // --- How it moves when free.  M q'' = Q
  void mass(const Expr& coordinate, const Expr& value);                 ///< diagonal entry of M
  void mass(const Expr& first, const Expr& second, const Expr& value);  ///< symmetric off-diagonal entry
  void force(const Expr& coordinate, const Expr& value);                ///< added to Q
  void force(const Particle& particle, const Vector& value);
  void force(const Body& body, const Vector& value);   ///< at its centre of mass, world axes
  void torque(const Body& body, const Vector& value);  ///< world axes
  /// A force where it acts: on the place whose velocity is the rate of `at`; on a joint's angle or distance.
  void force_at(const Vector& at, const Vector& value);
  void force_along(const Expr& at, const Expr& value);
  void gravity(const Vector& acceleration);  ///< on all particles and bodies, also those still to come
  void spring(const Vector& from, const Vector& to, const SpringOptions& options);  ///< and damper
  void spring(const Expr& along, const SpringOptions& options);  ///< of a coordinate, a joint's angle say
  /// Springs and dampers along and about three axes.
  void bushing(std::string_view name, const Part& a, const Part& b, const BushingOptions& options);
  void potential(const Expr& energy);  ///< added to the potential energy
  void kinetic(const Expr& energy);    ///< instead of mass(): Lagrange's equations
  void lagrangian(const Expr& value);  ///< instead of mass() and potential()

  // --- What its motion must satisfy: left = right, of positions, velocities, accelerations and time.
  void constrain(std::string_view name, const Expr& left, const Expr& right = 0.0);
  void constrain(std::string_view name, const Vector& left, const Vector& right = {});
  /// A joint: a constraint of that name, with the rows of its type. Parts are where they start.
  void joint(std::string_view name, const Part& a, const Part& b, const JointOptions& options);
  /// The angle of B against A about the joint's axis: a coordinate of its own, named `joint.angle`, that
  /// counts full turns. Asked for before the system is compiled. Of a universal joint those about its two
  /// axes, of a spherical one those about x, the new y and the new z; the latter lie within half a turn.
  Expr joint_angle(std::string_view joint, int which = 0);
  /// How far B has moved against A along the joint's axis; for `distance` the distance of its points.
  Expr joint_distance(std::string_view joint);
  /// One of joint_coordinates(), by its place among them.
  Expr joint_coordinate(std::string_view joint, int place);
  /// Says later where one of them starts.
  void start_joint(std::string_view joint, int place, const CoordinateOfJointStart& start);
  /// Says later where a coordinate or a velocity starts, by its name.
  void set_start(std::string_view name, const Expr& value);
  /// What acts about the axis of a joint, and along it, on B and against A, beside its equations: 0 for what
  /// is not stated. Forces and springs of its angle or distance count once they are.
  Expr joint_torque(std::string_view joint, JointLaw of = JointLaw::all);
  Expr joint_force(std::string_view joint, JointLaw of = JointLaw::all);
  /// Joints from A to B one after the other, `name.first` and so on: the links between them have no mass and
  /// are bodies of their own, `name.link1` and so on.
  void series(std::string_view name, const Part& a, const Part& b, std::span<const NamedJoint> joints);
  /// Couples two joints that turn: angle of first = ratio * angle of second, both counted from the start.
  void gear(std::string_view name, std::string_view first, std::string_view second, const Expr& ratio);
  /// Couples a prismatic joint and one that turns, in either order: distance = radius * angle, from the
  /// start.
  void rack(std::string_view name, std::string_view first, std::string_view second, const Expr& radius);
  /// The vector C of the extended principle: work of non-ideal constraints in virtual displacements.
  void nonideal(const Expr& coordinate, const Expr& value);
  void nonideal(const Particle& particle, const Vector& value);
  void nonideal(const Body& body, const Vector& value);
  void nonideal_torque(const Body& body, const Vector& value);
  void nonideal_at(const Vector& at, const Vector& value);
  void nonideal_along(const Expr& at, const Expr& value);

  /// Coulomb friction of a constraint stated before: C = -coefficient |force(c)| v/|v|, v the velocities of
  /// the coordinates in it (of a particle in it: all three). At rest it sticks while the force needed is no
  /// more.
  void friction(std::string_view constraint, const Expr& coefficient);
  /// Marks a constraint stated before as a programme to be followed: its force is a control force. With a
  /// frequency its rows become phi'' + 2 z w phi' + w^2 phi = 0 (phi' + w phi = 0 for a programme on
  /// velocities), and a start off the programme is allowed.
  void servo(std::string_view constraint, const ServoOptions& options = {});
  void set_mechanics(Mechanics mechanics);
  /// The same system by another principle; the start of multipliers is left out where it has none.
  Model with_mechanics(Mechanics mechanics) const;
  /// The same as if parameters of these names had been stated with these values: pages and pictures of it.
  Model with_values(std::span<const std::string> names, std::span<const double> values) const;
  /// Vakonomic motion: mu of a row of a constraint on velocities, at the start.
  void start_multiplier(std::string_view constraint, int row, const Expr& value);

  // --- What is looked at along the motion. These expressions may also contain (outputs: accelerations too):
  /// lambda of a row of a constraint stated before (vakonomic motion: mu of a row on velocities); non-ideal
  /// forces may depend on it, too.
  Expr multiplier(std::string_view constraint, int row = 0);
  /// The ideal generalised force of a constraint (of all its rows, or of one) on a coordinate: (A^T lambda)
  /// of its rows; in vakonomic motion all that mu adds to the equations beside it.
  Expr reaction(std::string_view constraint, const Expr& coordinate, int row = -1);
  /// The energy of the whole system.
  Expr energy();
  /// What the theory says of the instant: Gauss's function G, e = b - A a of a row, and on a coordinate the
  /// deviation q'' - a and F^C, the force of non-ideal constraints. In outputs and events alone.
  Expr gauss();
  Expr dissatisfaction(std::string_view constraint, int row = 0);
  Expr deviation(const Expr& coordinate);
  Expr nonideal_force(const Expr& coordinate);
  void output(std::string_view name, const Expr& value);
  void output(std::string_view name, const Vector& value);  ///< name.x, name.y, name.z
  enum class Direction { both, rising, falling };
  void event(std::string_view name, const Expr& value, Direction direction = Direction::both,
             bool stop = false);

  // --- What was said.
  struct CoordinateData {
    std::string name;
    Expr symbol, rate;
    double start = 0.0;
    Expr start_from = {};  ///< the same as stated
  };
  struct VelocityData {
    std::string name;
    Expr symbol, acceleration;
    double start = 0.0;
    Expr start_from = {};
  };
  struct ParameterData {
    enum class Kind {
      number,
      open,      ///< without value
      function,  ///< of time, only named
      rate       ///< of such a function, or of its rate
    };
    std::string name;
    Expr symbol;
    double value = 0.0;  ///< of what has none, a number that stands for any
    Kind kind = Kind::number;
    std::string stated = {};           ///< open: the text it was stated by, where it is made of others
    std::optional<Expr> meaning = {};  ///< where it is made of others
    std::string used_in = {};          ///< where it was used as a number
  };
  struct MassData {
    int i = 0, j = 0;  // velocities; an off-diagonal entry is listed once
    Expr value;
  };
  struct ForceData {
    int velocity = 0;
    Expr value;
  };
  struct ConstraintData {
    std::string name;
    std::vector<Expr> rows;  // left - right
    bool is_vector = false;
    std::vector<Expr> multipliers = {};  // one symbol for each row
  };
  struct FrictionData {
    int constraint = 0;
    Expr coefficient;
    std::vector<int> velocities;  // v: those that slide
  };
  struct ActuatorData {
    std::string name;             // "x", "b.wz", "hinge.angle"
    std::vector<ForceData> unit;  // what a force of 1 is on the velocities
  };
  struct ServoData {
    int constraint = 0;
    Expr frequency, damping;
    std::vector<ActuatorData> actuators;  // each once; empty: all velocities
    std::vector<Expr> programme;          // phi as stated, where the rows are phi'' + 2 z w phi' + w^2 phi
  };
  struct OutputData {
    std::string name;
    Expr value;
  };
  struct EventData {
    std::string name;
    Expr value;
    Direction direction = Direction::both;
    bool stop = false;
    bool limit = false;  ///< of a joint: a motion cannot start beyond it
  };
  struct BodyData {
    std::string name;
    Body body;
    Expr mass;
    Inertia inertia;
    std::optional<Solid> solid;
    // x y z qw qx qy qz; x' y' z' wx wy wz. In a plane: two of x y z, angle; their rates.
    int first_coordinate = 0, first_velocity = 0;
    int coordinate_count() const { return body.plane == Plane::none ? 7 : 3; }
    int velocity_count() const { return body.plane == Plane::none ? 6 : 3; }
  };
  const std::vector<CoordinateData>& coordinates() const;
  const std::vector<VelocityData>& velocities() const;
  const std::vector<BodyData>& bodies() const;
  const std::vector<JointData>& joints() const;
  const std::vector<BushingData>& bushings() const;
  const std::vector<ParameterData>& parameters() const;
  /// Names of the parameters that can have other values: those that are not made of others.
  std::vector<std::string> parameter_names() const;
  /// Names of parameters without value and of functions that are only named.
  std::vector<std::string> open_names() const;
  const std::vector<MassData>& masses() const;
  const std::vector<ForceData>& forces() const;
  const std::vector<ForceData>& nonideal_forces() const;
  const std::vector<ConstraintData>& constraints() const;
  const std::vector<Expr>& potentials() const;   ///< V is their sum
  const std::vector<Expr>& lagrangians() const;  ///< kinetic energies or L: their sum
  const std::vector<FrictionData>& frictions() const;
  const std::vector<ServoData>& servos() const;
  Mechanics mechanics() const;
  const std::vector<OutputData>& outputs() const;
  const std::vector<EventData>& events() const;

  /// The inside, for the layers that read, compile and print a model: model/stated.hpp.
  StatedModel& stated() { return *stated_; }
  const StatedModel& stated() const { return *stated_; }

 private:
  std::unique_ptr<StatedModel> stated_;
};

}  // namespace vinculum
