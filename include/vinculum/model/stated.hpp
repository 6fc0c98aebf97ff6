// The inside of a model: all that was stated, and the symbols it was stated in. For the layers that read,
// compile and print a model. Nothing here is promised to users: it changes as these layers need it.
#pragma once
#include <cmath>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/base/name_map.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// What a symbol stands for.
enum class Role {
  coordinate,
  velocity,
  acceleration,
  parameter,
  made,  ///< of parameters, by a function; index: into made_numbers
  time,
  multiplier,  ///< index: the row
  reaction,    ///< index: into reactions
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
inline bool is_number(Role role) { return role == Role::parameter || role == Role::made; }

/// The sentence about one of several numbers where it is not finite, as far as that number: "x is". Words are
/// made where they are needed.
using Sentence = std::function<std::string(std::size_t place)>;
/// The same for all of them.
inline Sentence every(std::string begins) {
  return [begins = std::move(begins)](std::size_t) { return begins; };
}

/// Numbers that a function makes of others: a frame, a direction of length 1, a choice. Expressions would
/// say them badly, with a branch for every choice and rounding where a frame has zeros; the function is
/// called again for other values of parameters, and judges these with the same sentences.
struct Making {
  std::string name;  ///< of what they belong to, for sentences: "joint 'hinge'"
  std::vector<Expr> of;
  Sentence what;
  std::function<void(std::span<const double> of, std::span<double> made)> rule;
  int count = 0;  ///< of what is made
  /// Where one is 0, 1 or -1 for whatever values, it is that number: zeros make short equations.
  bool keep_axes = false;
};

/// The numbers that something is made of: where the model stands, and with the other values of parameters
/// that are tried.
struct SourceNumbers {
  std::vector<double> now;
  std::vector<double> tried;  ///< one try after the other
  bool has_symbols = false;   ///< a parameter is in them, or what is made of one
};

/// What the model asks of its numbers, and what it makes of them; when they are stated, and for other values
/// of parameters. A demand makes nothing.
struct VINCULUM_EXPORT DemandData {
  Making asked;
  struct Made {
    int place = -1;       ///< among made_numbers; -1: a number whatever the parameters
    double number = 0.0;  ///< that one
  };
  std::vector<Made> made;
  /// The error where `of` is not as asked for; else what is made of it, into all made_numbers.
  void judge(std::span<const double> of, std::span<double> made_numbers) const;
};
struct MadeNumber {
  Expr symbol;
  double value = 0.0;
};

struct ReactionData {
  int constraint = 0, velocity = 0;
  int row = -1;  // within the constraint; -1: all
};
/// A coordinate that is known from the others but for full turns: kept so by the motion.
struct AngleData {
  int coordinate = 0;
  Expr sine, cosine;
  Expr start;  // its value where sine is 0 and cosine 1
};
/// A spring that has a length, along the line between its ends: where these meet its force has no direction.
struct SpringData {
  std::string name;
  Vector between;
};

struct VINCULUM_EXPORT StatedModel {
  StatedModel();

  // --- What was stated, in its order.
  GraphRef shared_graph;
  std::vector<Model::CoordinateData> coordinates;
  std::vector<Model::VelocityData> velocities;
  std::vector<Model::ParameterData> parameters;
  std::vector<DemandData> demands;
  std::vector<MadeNumber> made_numbers;
  std::vector<std::vector<double>> made_probes;  // the same for other values of parameters, see make()
  bool is_of_numbers = false;                    // no parameter is left in it
  std::vector<Model::MassData> masses;
  std::vector<Model::ForceData> forces, nonideal_forces;
  std::vector<Model::ForceData> gyroscopic_forces;  // -w x (I w) of bodies: forces without power
  std::vector<Model::ConstraintData> constraints;
  std::vector<Expr> multipliers;  // of all rows
  std::vector<Model::FrictionData> frictions;
  std::vector<Model::ServoData> servos;
  /// mu at the start of every row; nothing where none was stated, and for rows behind the last.
  std::vector<std::optional<Expr>> start_multipliers;
  std::unordered_map<int, int> multiplier_coordinates;  // row -> coordinate
  Mechanics mechanics = Mechanics::dalembert;
  std::vector<Expr> potentials, lagrangians;
  std::vector<SpringData> springs_with_length;
  std::vector<Model::OutputData> outputs;
  std::vector<Model::EventData> events;
  std::vector<ReactionData> reactions;
  std::vector<Particle> particles;
  std::vector<std::pair<Vector, Expr>> weights;  // what gravity acts on: where, and the mass
  std::vector<Model::BodyData> bodies;
  std::vector<JointData> joints;
  std::vector<BushingData> bushings;
  std::vector<AngleData> angles;
  bool has_lagrangian = false, has_kinetic = false, has_potential = false, has_gravity = false;
  Vector gravity;
  bool has_idle_gravity() const { return has_gravity && weights.empty(); }

  // --- Its symbols.
  Graph& graph() const { return *shared_graph; }
  Expr new_symbol(std::string_view name, Role role, int index);
  void give_role(const Expr& symbol, Role role, int index) { roles.emplace(symbol.id(), {role, index}); }
  /// The role of a symbol; an error for a symbol the model does not know.
  SymbolRole role(const Expr& symbol) const;
  /// An expression of the state, where the motion starts.
  Expr at_start(const Expr& e) const;
  /// The velocity that is the rate of a plain coordinate; -1 where the rate is another expression.
  int velocity_of_coordinate(int coordinate) const;
  /// The velocity that `what` acts on, given as a coordinate or as a speed.
  int velocity_of(const Expr& coordinate, const char* what) const;
  /// The time-derivative map with accelerations zero: q -> q', t -> 1; and what it lacks: q' -> q''.
  SymbolMap rates, accelerations;
  Expr rate(const Expr& e) const { return time_derivative(e, rates, accelerations); }  ///< by both
  /// The entries of a rotation matrix are symbols of their own while expressions are differentiated, because
  /// their rates are far shorter than what the quaternion would make of them. Here they are written out.
  Expr written_out(const Expr& e) const;
  const Expr& meaning_of_abbreviation(int index) const { return abbreviations.at(index).second; }
  const Expr& rate_of_abbreviation(const Expr& symbol) const { return *rates.find(symbol.id()); }
  std::vector<std::pair<Expr, Expr>> abbreviations;  // symbol, meaning
  SymbolMap meanings;                                // the same, to look up

  // --- Its names.
  /// The symbol of a name that nothing else has; what no expression contains is called by one as well.
  Expr claim_name(std::string_view name, const char* what);
  void release_name(std::string_view name);
  int find_constraint(std::string_view name) const;
  const JointData& find_joint(std::string_view name) const;
  /// "ground" or a body; `what` it is a part of is for the sentence about a body of another model.
  std::string name_of(const Part& part, const std::string& what) const;
  NodeMap<SymbolRole> roles;
  NodeMap<int> own_velocities;        // plain coordinates: the velocity that is their rate
  NodeMap<const char*> claimed;       // the symbol of a name -> what it is: "coordinate"
  NameMap<int> constraint_names;      // name -> place
  NameMap<int> joint_names;           // name -> place
  NodeMap<int> body_at;               // the symbol of its x, in plane yz of its y -> place
  NameMap<const char*> observations;  // outputs and events: a set of their own

  // --- Its numbers.
  /// Asks something of numbers that are made of parameters: `rule` is an error where they are not as asked
  /// for, now and for other values of these. `what` they are, for a number that is not finite.
  void demand(std::vector<Expr> of, const std::string& what,
              std::function<void(std::span<const double>)> rule);
  void demand(std::vector<Expr> of, Sentence what, std::function<void(std::span<const double>)> rule);
  /// Numbers where no parameter is in it; else a symbol for each, whose value follows.
  std::vector<Expr> make(Making making);
  /// The same where several things are made of the same numbers.
  std::vector<Expr> make(Making making, const SourceNumbers& of);
  SourceNumbers source_numbers(std::span<const Expr> of, const std::string& name, bool with_tries) const;
  /// Says that a number was made of a parameter which does not follow it; `what` is for the sentence that
  /// refuses another value.
  void use_as_number(std::string_view parameter, std::string_view what);
  /// All numbers that an expression may contain as symbols, and where one of them is: those of parameters,
  /// then those made of them.
  std::vector<double> numbers() const;
  int place_of_number(const SymbolRole& which) const {
    return which.index + (which.role == Role::made ? static_cast<int>(parameters.size()) : 0);
  }
  double number_of(const SymbolRole& which) const {
    return which.role == Role::made ? made_numbers[which.index].value : parameters[which.index].value;
  }
  /// Of an expression of parameters; an error where something else stands in it. Also where it is not finite:
  double value_now(const Expr& constant, const std::string& what) const;
  double number_of(const Expr& constant, const std::string& what) const;
  /// The same where words are made only where they are needed.
  template <std::invocable What>
  double number_of(const Expr& constant, const What& what) const {
    const bool is_finite = constant.is_constant() && std::isfinite(constant.value());
    return is_finite ? constant.value() : number_of(constant, std::string(what()));
  }
  /// Those of which a parameter is made, itself among them.
  std::vector<int> sources_of_parameter(int parameter) const;
  /// The symbols of which a number is made.
  std::vector<Expr> sources_of_made(int made) const;
  /// It is one of these, or made of one.
  bool lives(int parameter, std::span<const std::string> living) const;
  /// The values of all parameters where these have others: those made of them follow.
  std::vector<double> parameter_values(std::span<const std::string> names,
                                       std::span<const double> values) const;

  // --- Forces and constraints.
  /// A force does work where it acts: its part along a velocity is what the place moves with that velocity.
  std::vector<Model::ForceData> acting_at(const Vector& at, const Vector& value) const;
  /// A torque in the world, on the speeds of a body.
  std::vector<Model::ForceData> turning(const Body& body, const Vector& torque) const;
  void add_weight(std::size_t k);
  void add_constraint(Model::ConstraintData constraint);
  /// Remembers what acts on the angle or distance of a joint; nothing where `at` is none.
  void add_motor(const Expr& at, const Expr& value);
  /// lambda of a row, by its number.
  const Expr& multiplier_of_row(int row) const { return multipliers.at(row); }
  /// mu of a row as a further coordinate `mu(row)`, for what is compiled. Differentiation by time holds it:
  /// its rate is -lambda, which is unknown as accelerations are.
  Expr add_multiplier_coordinate(int row, const Expr& start);
  /// The coordinate that is mu of a row; -1 where there is none.
  int multiplier_coordinate(int row) const;
};

/// A joint in two steps, for rows that stand in another order than what they rest on: where it is, and its
/// rows.
VINCULUM_EXPORT void place_joint(Model& model, std::string_view name, const Part& a, const Part& b,
                                 const JointOptions& options);
VINCULUM_EXPORT void constrain_joint(Model& model, std::string_view name);

/// Joints say where they start in coordinates of their own.
VINCULUM_EXPORT bool has_joint_starts(const Model& model);
/// The same model where it starts there, `part` of the way from where it is drawn: what is beyond a joint is
/// turned and moved with it as one piece. Joints that close loops are left to assembly.
VINCULUM_EXPORT Model at_joint_starts(const Model& model, const Expr& part = 1.0);
/// What such a coordinate is where it is drawn, and its name: "crank.angle".
VINCULUM_EXPORT Expr drawn_coordinate(const JointData& joint, int place);
VINCULUM_EXPORT std::string coordinate_name(const JointData& joint, int place);
/// A start that is said, of a joint that closes a loop: others decide where that is.
VINCULUM_EXPORT bool has_starts_in_loops(const Model& model);
/// The links without mass between joints in a row, moving at the start as A and B let them. The joints are
/// then told in the world.
VINCULUM_EXPORT std::vector<Part> add_links(Model& model, std::string_view name, const Part& a, const Part& b,
                                            std::span<NamedJoint> joints);

/// Every expression that a system is compiled from.
VINCULUM_EXPORT std::vector<Expr> all_expressions(const Model& model);
/// The same model with every parameter replaced by its value, but for those that are `living`.
VINCULUM_EXPORT Model with_numbers(const Model& model, std::span<const std::string> living = {});
/// The same model with what functions make of parameters replaced by numbers: equations to be read have
/// parameters in them, and no symbols that nobody stated.
VINCULUM_EXPORT Model with_made_numbers(const Model& model);

}  // namespace vinculum
