// What the user states: how the system moves when free, and the equations its motion must satisfy.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/vector.hpp"
#include "vinculum/model/body.hpp"
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

/// An editable statement of a system. Copies share their expressions.
class VINCULUM_EXPORT Model {
 public:
  Model();

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
  /// Says that a number was made of a parameter which does not follow it; `what` is for the sentence that
  /// refuses another value.
  void use_as_number(std::string_view parameter, std::string_view what);
  /// A parameter that has no value, and a function of time that is only named, as alpha(t) in a paper: for
  /// derive alone. A system cannot be compiled with them. `stated` says what the parameter is made of.
  Expr open_parameter(std::string_view name, std::string_view stated = "");
  Expr open_function(std::string_view name);
  Expr time();  ///< t
  /// Asks something of numbers that are made of parameters: `rule` is an error where they are not as asked
  /// for, now and for other values of these. `what` each of them is, for a number that is not finite.
  void demand(std::vector<Expr> of, std::vector<std::string> what,
              std::function<void(std::span<const double>)> rule);
  /// Numbers that a function makes of others: a frame, a direction of length 1, a choice. Expressions would
  /// say them badly, with a branch for every choice and rounding where a frame has zeros; the function is
  /// called again for other values of parameters, and judges these with the same sentences. Numbers where no
  /// parameter is in it; else a symbol for each, whose value follows.
  struct Making {
    std::string name;  ///< of what they belong to, for sentences: "joint 'hinge'"
    std::vector<Expr> of;
    std::vector<std::string> what;  ///< for each the sentence as far as a number that is not finite: "x is"
    std::function<void(std::span<const double> of, std::span<double> made)> rule;
    int count = 0;  ///< of what is made
    /// Where one is 0, 1 or -1 for whatever values, it is that number: zeros make short equations.
    bool keep_axes = false;
  };
  std::vector<Expr> make(Making making);
  /// A coordinate stated before, also by a file that was read; an error where there is none of that name.
  Coordinate find_coordinate(std::string_view name) const;
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
  void potential(const Expr& energy);                            ///< added to the potential energy
  void kinetic(const Expr& energy);                              ///< instead of mass(): Lagrange's equations
  void lagrangian(const Expr& value);                            ///< instead of mass() and potential()

  // --- What its motion must satisfy: left = right, of positions, velocities, accelerations and time.
  void constrain(std::string_view name, const Expr& left, const Expr& right = 0.0);
  void constrain(std::string_view name, const Vector& left, const Vector& right = {});
  /// A joint: a constraint of that name, with the rows of its type. Parts are where they start.
  void joint(std::string_view name, const Part& a, const Part& b, const JointOptions& options);
  /// The same in two steps, for rows that stand in another order than what they rest on: where the joint is,
  /// and its rows.
  void place_joint(std::string_view name, const Part& a, const Part& b, const JointOptions& options);
  void constrain_joint(std::string_view name);
  /// The angle of B against A about the joint's axis: a coordinate of its own, named `joint.angle`, that
  /// counts full turns. Asked for before the system is compiled.
  Expr joint_angle(std::string_view joint);
  /// How far B has moved against A along the joint's axis; for `distance` the distance of its points.
  Expr joint_distance(std::string_view joint);
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
  void set_mechanics(Mechanics mechanics) { mechanics_ = mechanics; }
  /// The same system by another principle; the start of multipliers is left out where it has none.
  Model with_mechanics(Mechanics mechanics) const;
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

  // --- What was said, for the compiler and for printing.
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
  /// What the model asks of its numbers, and what it makes of them; when they are stated, and for other
  /// values of parameters. A demand makes nothing.
  struct DemandData {
    Making asked;
    struct Made {
      int place = -1;       ///< among made_numbers(); -1: a number whatever the parameters
      double number = 0.0;  ///< that one
    };
    std::vector<Made> made;
    /// The error where `of` is not as asked for; else what is made of it, into all made_numbers().
    void judge(std::span<const double> of, std::span<double> made_numbers) const;
  };
  struct MadeNumber {
    Expr symbol;
    double value = 0.0;
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
  };
  struct ReactionData {
    int constraint = 0, velocity = 0;
    int row = -1;  // within the constraint; -1: all
  };
  struct BodyData {
    std::string name;
    Body body;
    Expr mass;
    Inertia inertia;
    std::optional<Solid> solid;
    int first_coordinate = 0, first_velocity = 0;  // x y z qw qx qy qz; x' y' z' wx wy wz
  };
  /// A coordinate that is known from the others but for full turns: kept so by the motion.
  struct AngleData {
    int coordinate = 0;
    Expr sine, cosine;
    Expr start;  // its value where sine is 0 and cosine 1
  };
  enum class Role {
    coordinate,
    velocity,
    acceleration,
    parameter,
    made,  ///< of parameters, by a function; index: into made_numbers()
    time,
    multiplier,  ///< index: the row
    reaction,    ///< index: into reactions()
    energy,
    gauss,
    dissatisfaction,  ///< index: the row
    deviation,        ///< index: the velocity
    nonideal_force,   ///< index: the velocity
    abbreviation      ///< stands for a function of coordinates, see written_out()
  };
  struct SymbolRole {
    Role role = Role::time;
    int index = 0;
  };

  const std::vector<CoordinateData>& coordinates() const { return coordinates_; }
  const std::vector<VelocityData>& velocities() const { return velocities_; }
  const std::vector<BodyData>& bodies() const { return bodies_; }
  const std::vector<JointData>& joints() const { return joints_; }
  const std::vector<AngleData>& angles() const { return angles_; }
  const std::vector<ParameterData>& parameters() const { return parameters_; }
  const std::vector<DemandData>& demands() const { return demands_; }
  const std::vector<MadeNumber>& made_numbers() const { return made_numbers_; }
  /// All numbers that an expression may contain as symbols, and where one of them is: those of parameters,
  /// then those made of them.
  std::vector<double> numbers() const;
  int place_of_number(const SymbolRole& which) const {
    return which.index + (which.role == Role::made ? static_cast<int>(parameters_.size()) : 0);
  }
  static bool is_number(Role role) { return role == Role::parameter || role == Role::made; }
  double number_of(const SymbolRole& which) const {
    return which.role == Role::made ? made_numbers_[which.index].value : parameters_[which.index].value;
  }
  /// Names of the parameters that can have other values: those that are not made of others.
  std::vector<std::string> parameter_names() const;
  /// Those of which a parameter is made, itself among them.
  std::vector<int> sources_of_parameter(int parameter) const;
  /// The symbols of which a number is made.
  std::vector<Expr> sources_of_made(int made) const;
  /// Names of parameters without value and of functions that are only named.
  std::vector<std::string> open_names() const;
  const std::vector<MassData>& masses() const { return masses_; }
  const std::vector<ForceData>& forces() const { return forces_; }
  /// -w x (I w) of bodies: forces without power.
  const std::vector<ForceData>& gyroscopic_forces() const { return gyroscopic_; }
  const std::vector<ForceData>& nonideal_forces() const { return nonideal_; }
  const std::vector<ConstraintData>& constraints() const { return constraints_; }
  const std::vector<Expr>& potentials() const { return potentials_; }  ///< V is their sum
  /// A spring that has a length, along the line between its ends: where these meet its force has no
  /// direction.
  struct SpringData {
    std::string name;
    Vector between;
  };
  const std::vector<SpringData>& springs_with_length() const { return springs_; }
  const std::vector<Expr>& lagrangians() const { return lagrangians_; }  ///< kinetic energies or L: their sum
  const std::vector<FrictionData>& frictions() const { return frictions_; }
  const std::vector<ServoData>& servos() const { return servos_; }
  Mechanics mechanics() const { return mechanics_; }
  /// mu at the start of every row; nothing where none was stated, and for rows behind the last.
  const std::vector<std::optional<Expr>>& start_multipliers() const { return start_multipliers_; }
  const std::vector<OutputData>& outputs() const { return outputs_; }
  const std::vector<EventData>& events() const { return events_; }
  const std::vector<ReactionData>& reactions() const { return reactions_; }
  bool has_lagrangian() const { return has_lagrangian_ || has_kinetic_; }
  bool has_idle_gravity() const { return has_gravity_ && weights_.empty(); }
  /// The velocity that is the rate of a plain coordinate; -1 where the rate is another expression.
  int velocity_of_coordinate(int coordinate) const;
  /// The same model with every parameter replaced by its value, but for those that are `living`.
  Model with_numbers(std::span<const std::string> living = {}) const;
  bool is_of_numbers() const { return is_of_numbers_; }  ///< no parameter is left in it
  /// The same model with what functions make of parameters replaced by numbers: equations to be read have
  /// parameters in them, and no symbols that nobody stated.
  Model with_made_numbers() const;
  /// The values of all parameters where these have others: those made of them follow.
  std::vector<double> parameter_values(std::span<const std::string> names,
                                       std::span<const double> values) const;
  /// The same model as if these had been stated: pages and pictures of a system with other values.
  Model with_values(std::span<const std::string> names, std::span<const double> values) const;
  /// Every expression that a system is compiled from.
  std::vector<Expr> expressions() const;
  /// mu of a row as a further coordinate `mu(row)`, for what is compiled. Differentiation by time holds it:
  /// its rate is -lambda, which is unknown as accelerations are.
  Expr add_multiplier_coordinate(int row, const Expr& start);
  /// The coordinate that is mu of a row; -1 where there is none.
  int multiplier_coordinate(int row) const;
  /// The role of a symbol; an error for a symbol the model does not know.
  SymbolRole role(const Expr& symbol) const;
  /// lambda of a row, by its number.
  Expr multiplier_of_row(int row) const;
  /// The time-derivative map with accelerations zero: q -> q', t -> 1.
  const SymbolMap& rates() const { return rates_; }
  /// The same with accelerations: q' -> q'', too.
  const SymbolMap& full_rates() const { return full_rates_; }
  /// The entries of a rotation matrix are symbols of their own while expressions are differentiated, because
  /// their rates are far shorter than what the quaternion would make of them. Here they are written out.
  Expr written_out(const Expr& e) const;
  const Expr& meaning_of_abbreviation(int index) const { return abbreviations_.at(index).second; }
  const Expr& rate_of_abbreviation(const Expr& symbol) const { return *rates_.find(symbol.id()); }
  Graph& graph() const { return *graph_; }

 private:
  template <class Stated, class Visit>
  static void each_expression(Stated& model, const Visit& visit);
  Expr new_symbol(const std::string& name, Role role, int index);
  std::string name_on(int velocity) const;
  Expr on_velocity(const char* what, Role role, const Expr& coordinate);
  Expr add_open(const std::string& name, ParameterData::Kind kind, std::string_view stated = "");
  void claim_name(std::string_view name, const char* what);
  int velocity_of(const Expr& coordinate, const char* what) const;
  void add_weight(std::size_t k);
  void set_rate_of(const Expr& symbol, const Expr& rate);
  Expr abbreviate(const std::string& name, const Expr& meaning);
  void add_rotation(Body& body, const std::string& name, const Orientation& start);
  void add_inertia(const Body& body, const Inertia& inertia);
  void demand_size(const Solid& solid, const std::string& body);
  std::vector<DemandData::Made> place_made(const Making& making, std::span<const double> now);
  std::vector<std::vector<double>> probed(const Making& making) const;
  double value_by_parts(int parameter, std::vector<std::optional<double>>& known) const;
  double value_now(const Expr& constant, const std::string& what) const;
  bool lives(int parameter, std::span<const std::string> living) const;
  std::vector<char> living_made(std::span<const std::string> living) const;
  void fold_made(const std::vector<char>& living, SymbolMap& values) const;
  Model replaced(const SymbolMap& values) const;
  bool is_dropped(const Expr& stated, const Expr& now) const;
  Expr living_meaning(int parameter, std::span<const std::string> living) const;
  double number_of(const Expr& constant, const std::string& what) const;
  JointData joint_between(std::string_view name, const Part& a, const Part& b,
                          const JointOptions& options) const;
  Triple start_of(const Part& part) const;
  Expr fix_joint(JointData& joint);
  std::vector<Expr> rows_of(const JointData& joint);
  const JointData& find_joint(std::string_view name) const;
  Expr coupled(std::string_view joint, bool slides);
  std::vector<ForceData> acting_at(const Vector& at, const Vector& value) const;
  std::vector<ForceData> turning(const Body& body, const Vector& value) const;
  void add_forces(const std::vector<ForceData>& list);
  void add_nonideal(const std::vector<ForceData>& list);
  void require_plain(const Expr& energy, const char* what) const;
  void require_rate(const std::string& name, const Expr& rate) const;
  void add_constraint(ConstraintData constraint);
  void require_levels(const Expr& e, const std::string& what, bool velocities) const;
  int find_constraint(std::string_view name) const;
  std::vector<int> sliding_velocities(const ConstraintData& constraint) const;
  int order_of_programme(const Expr& phi) const;
  void require_servo_constant(const Expr& value, const std::string& what, bool may_be_zero);
  ActuatorData actuator_of(const Expr& at);
  Expr stabilised(const Expr& phi, const ServoOptions& options, const std::string& name) const;
  void claim_observation(std::string_view name, const char* what, const Expr& value);

  GraphRef graph_;
  std::vector<CoordinateData> coordinates_;
  std::vector<VelocityData> velocities_;
  std::vector<ParameterData> parameters_;
  std::vector<DemandData> demands_;
  std::vector<MadeNumber> made_numbers_;
  std::vector<std::vector<double>> made_probes_;  // the same for other values of parameters, see make()
  bool is_of_numbers_ = false;
  std::vector<MassData> masses_;
  std::vector<ForceData> forces_, gyroscopic_, nonideal_;
  std::vector<ConstraintData> constraints_;
  std::vector<FrictionData> frictions_;
  std::vector<ServoData> servos_;
  std::vector<std::optional<Expr>> start_multipliers_;
  std::unordered_map<int, int> multiplier_coordinates_;  // row -> coordinate
  Mechanics mechanics_ = Mechanics::dalembert;
  std::vector<Expr> potentials_, lagrangians_;
  std::vector<SpringData> springs_;
  std::vector<OutputData> outputs_;
  std::vector<EventData> events_;
  std::vector<ReactionData> reactions_;
  std::vector<Expr> multipliers_;  // of all rows
  std::vector<Particle> particles_;
  std::vector<std::pair<Vector, Expr>> weights_;  // what gravity acts on: where, and the mass
  std::vector<BodyData> bodies_;
  std::vector<JointData> joints_;
  std::vector<AngleData> angles_;
  std::vector<std::pair<Expr, Expr>> abbreviations_;  // symbol, meaning
  SymbolMap meanings_;                                // the same, to look up
  bool has_lagrangian_ = false, has_kinetic_ = false, has_potential_ = false, has_gravity_ = false;
  Vector gravity_;
  SymbolMap rates_, full_rates_;
  std::unordered_map<NodeId, SymbolRole> roles_;
  std::unordered_map<NodeId, int>
      velocity_of_coordinate_;                          // plain coordinates: the velocity that is their rate
  std::unordered_map<std::string, std::string> names_;  // name -> what it is
  std::unordered_map<std::string, int> constraint_names_;      // name -> place
  std::unordered_map<std::string, int> joint_names_;           // name -> place
  std::unordered_map<NodeId, int> body_at_;                    // the symbol of its x -> place
  std::unordered_map<std::string, std::string> observations_;  // outputs and events: a set of their own
};

}  // namespace vinculum
