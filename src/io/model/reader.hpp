// From the tree of a model file to a model: names, levels, places of faults.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/model/document.hpp"
#include "io/model/format.hpp"
#include "vinculum/base/name_map.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/lower/validate.hpp"

namespace vinculum {

/// What an expression may contain. Each level includes those before it.
enum class Reach {
  parameters,  ///< numbers: parameters stand for their values
  symbols,     ///< parameters, as symbols
  positions,   ///< coordinates and t
  velocities,
  accelerations,
};

/// What is being read: for the sentences of faults, and for what may stand in it.
struct Context {
  std::string what;  ///< "constraint 'rod'"
  Reach reach = Reach::velocities;
  bool forces = false;    ///< force(..) and multiplier(..)
  bool nonideal = false;  ///< these only where they are d'Alembert's
  bool energy = false;
  bool ground = false;          ///< `ground` is the origin
  bool place_of_force = false;  ///< the key of a force: a body has a torque besides
  bool view = false;            ///< names of view points, and `s` of a curve
  std::string user = {};  ///< of a definition: what asked for it, where that may not contain forces or energy
};

/// What other programs call a joint or the ground, as it is called here; "" for other words.
std::string name_here(std::string_view elsewhere);

/// A text that leaves something open: "?" or "?(t)".
bool is_open_text(const Entry& entry, std::string_view mark);

/// By names as the document has them, of which a big model has many; those that are told to people are sorted
/// first.
template <class T>
using ByName = NameMap<T, std::string_view>;

/// Reads a document once. Faults are noted where they are found, and reading goes on: what a faulty name
/// stands for is then unknown, and an unknown part makes no further fault.
class Reader : private Scope {
  struct Named;

 public:
  /// Names may be missing where `root` is not `complete`, for faults noted before.
  Reader(const Source& source, const Entry& root, const Overrides& overrides, OpenNames open,
         bool complete = true);
  std::vector<Fault> faults;  ///< in the order of the text when all is read, what `--set` gave first
  /// Parameters that count elements, and which.
  void use_as_numbers(const std::vector<std::pair<std::string, std::string>>& counting);
  ModelFile read();

 private:
  // --- read_model.cpp: the order of reading.
  void check_top();
  void read_texts();
  void leave_mechanics();
  // --- read_names.cpp: what has a name.
  void declare_all();
  void declare(const Entry& entry, const char* what);
  bool require_name(const Entry& entry, const std::string& what);
  /// Whether a name with dots belongs to a part: `leg1.knee` does where there is a part `leg1`.
  bool is_of_part(std::string_view name);
  /// Where the first name of `leg1.shank.omega.x` ends: the longest that is known, else at the first dot.
  std::size_t end_of_name(std::string_view path) const;
  bool is_stated(std::string_view name) const;  ///< a coordinate, particle or body, also one with a fault
  void apply_overrides(const Overrides& overrides);
  void read_parameters();
  void define_parameters();
  void require_value(const std::string& parameter);
  Value open_function(const Entry& entry);
  void require_values_of_numbers(const Entry& entry, const std::string& what);
  double parameter_value(const std::string& name, const Named& named);
  void read_coordinates();
  void read_particles();
  // --- read_bodies.cpp: bodies and joints.
  void read_bodies();
  /// nullptr for what is none, or not yet one.
  const Body* body_named(std::string_view name) const;
  struct StatedBody {  // before it is part of the model
    const Entry* entry;
    BodyOptions options;
    bool visited = false, placed = false, good = true;
  };
  std::optional<BodyOptions> read_body(const Entry& entry);
  void place_bodies(std::vector<StatedBody>& bodies);
  void place_chain(std::span<StatedBody* const> chain, std::vector<StatedBody>& bodies);
  StatedBody* frame_of(const StatedBody& body, std::vector<StatedBody>& bodies);
  static bool is_ground(const Entry& name);
  void read_frame(const Entry* entry, const std::string& what, Part& out);
  bool read_solid(const Entry& entry, const std::string& what, Solid& out);
  bool read_inertia(const Entry& entry, const std::string& what, Plane plane, Inertia& out);
  /// Three numbers or a 3x3 matrix; `of` says of what.
  bool read_symmetric(const Entry& entry, const std::string& of, Symmetric& out);
  void read_plane(const Entry& entry, const std::string& what, BodyOptions& options);
  bool read_orientation(const Entry* entry, const std::string& what, Orientation& out);
  void read_turn(const Entry& entry, const std::string& what, Orientation& out);
  void read_rotation_matrix(const Entry& entry, const std::string& what, Orientation& out);
  Triple read_omega(const Entry& entry, const std::string& what, const Orientation& q);
  void read_joints();
  void place_joint(const Entry& entry);
  std::optional<JointType> joint_of(const Entry& entry, const std::string& what);
  // --- read_ensemble.cpp: what varies.
  void read_ensemble();
  void read_variation(const Entry& entry, Study& study);
  bool may_vary(const Entry& entry);
  std::vector<double> values_in(const Entry& list, const std::string& what, std::size_t least,
                                std::size_t most);
  // --- read_series.cpp: joints in a row.
  void place_series(const Entry& entry);
  bool is_in_series(std::string_view name) const;
  /// The document with each of them in [joints], by its full name; `own` where it is not the one given.
  static const Entry& with_series(const Entry& root, Entry& own);
  JointOptions read_joint_options(const Entry& entry, const std::string& what, JointType type,
                                  const std::array<Part, 2>& parts);
  void read_limits(const Entry* entry, const std::string& what, JointOptions& options);
  void couple_joints(const Entry& entry);
  void read_starts(const Entry& entry, const std::string& what, JointOptions& options);
  /// One of the coordinates a joint has of its own, by its word; an error where it has none of that name.
  Expr coordinate_of(const JointData& joint, std::string_view word);
  /// A joint that a gear or a rack couples: whether there is one, and whether it slides.
  bool read_coupled(const Entry& name, const std::string& what, bool rack, bool& slides);
  bool read_parts(const Entry& entry, const std::string& what, std::array<Part, 2>& out);
  bool read_part(const Entry& name, const std::string& what, Part& out);
  std::vector<std::string> body_names() const;  ///< what joints connect
  void refuse_keys(const Entry& entry, std::string_view type, const std::string& what);
  bool is_in_plane(const Entry& entry) const;
  static std::string type_of(const Entry& entry);
  Triple start_of_part(const Part& part) const;
  // --- read_free.cpp: how it moves when free.
  void read_mass();
  void read_mass_entry(const Entry& entry, std::set<std::pair<int, int>>& stated);
  void read_energies();
  bool refuse_bodies(const Entry& energy, const Expr& value);
  void settle_masses(const Entry& energy);
  void refuse_second_mass(const Entry& energy, int velocity);
  void read_gravity();
  void read_springs();
  // --- read_bushings.cpp
  void read_bushings();
  void read_bushing(const Entry& entry);
  void read_joint_spring(const Entry& entry, const SpringOptions& options);
  void warn_of_drive(const Expr& damping, const std::string& of);
  void warn_of_drive(double size, const std::string& of);
  void read_forces(const char* table, bool nonideal);
  void read_force(const Entry& entry, const std::string& path, const char* table, bool nonideal);
  Value place_of_force(const Entry& entry, const std::string& path, const char* table);
  void refuse_force(const Entry& entry, const std::string& path, const char* table);
  // --- read_motion.cpp: what it must satisfy, what is looked at, how it is computed.
  void read_constraints();
  void read_constraint(const Entry& entry);
  void read_friction(const Entry& entry);
  void read_servo(const Entry& entry);
  void read_actuators(const Entry& list, const std::string& what, std::vector<Expr>& out);
  void read_outputs();
  void read_events();
  void read_simulate();
  // --- read_multipliers.cpp: vakonomic motion.
  void read_multipliers();
  void refuse_multiplier(const Entry& entry, const std::vector<std::string>& known);
  void refuse_mu(Rule rule, int row);
  // --- read_whole.cpp: what only the whole model tells.
  void judge_whole();
  void refuse_idle_gravity();
  void refuse_missing_mass(int velocity);
  void refuse_friction(int constraint, int programme);
  void refuse_law_of_reactions(int constraint, const char* key);
  // --- read_view.cpp
  void read_view();
  void read_units();
  void read_view_points(const Entry& table);
  void read_view_links(const Entry& table);
  void read_view_curves(const Entry& table);
  void read_view_curve(const Entry& entry);
  void read_view_arrows(const Entry& table);

  // --- scope.cpp: what names in expressions stand for.
  Value name(std::string_view text, const Place& place) override;
  Value force(const RowName& of, std::string_view on, const Place& on_place) override;
  Value torque(const RowName& of, std::string_view on, const Place& on_place) override;
  Value fixed_in(std::string_view body, std::string_view what, const Vector& in_body,
                 const Place& place) override;
  Value multiplier(const RowName& of) override;
  Value of_instant(std::string_view word, const RowName& of) override;
  Value component(const Value& force, std::string_view name, const Place& place) override;
  Value rate(const Value& value, const Place& place) override;
  Value differentiated(const Value& value, const Place& place);
  Value base_value(const std::string& base, const Named* known, const Place& place, bool primed);
  Value parameter_here(const std::string& name, const Named& named, const Place& place, bool primed);
  Value part_of_body(const std::string& body, const std::string& part, const Place& place);
  /// `hinge.angle`, `slider.distance`.
  Value part_of_joint(const std::string& joint, const std::string& part, const Place& place);
  static bool is_part_of_joint(std::string_view word);
  bool is_joint(std::string_view name) const;
  /// `mount.offset`, `mount.force.x`.
  Value part_of_bushing(const std::string& bushing, const std::string& part, const Place& place);
  bool is_bushing(std::string_view name) const;
  const JointData* placed_joint(std::string_view name) const;  ///< nullptr for what is none, or not yet one
  Value reaction(const RowName& of, std::string_view word = "force");
  Value power(const RowName& of);
  /// One number for each row: a number, a vector, or a fault where a row must be chosen.
  template <class OfRow>
  Value by_rows(std::string_view word, const RowName& of, const OfRow& of_row);
  template <class OnVelocity>
  Value by_velocities(const RowName& of, const OnVelocity& on_velocity);
  int velocity_named(std::string_view plain) const;
  Value definition(const std::string& name);
  std::string rate_meant(std::string_view name) const;
  Value unknown_name(const std::string& name, const Place& place);
  /// The place of a constraint in the model; -1 noted as a fault, -2 unknown for a fault noted before.
  int find_constraint(const RowName& of);
  bool observed_here(std::string_view word, const Place& place);
  bool has_multipliers(int constraint, std::string_view word, const RowName& of);
  bool is_moving(const Value& value) const;  ///< contains velocities or accelerations
  void require_reach(const Value& value, std::string_view shown, const Place& place);
  Value reaction_of_row(int constraint, int row);
  Value vakonomic_reaction(int constraint, int row);

  // --- values.cpp: entries as values.
  /// Calls `parse` with the text of the entry; faults inside are noted at their true places.
  template <class Parse>
  Value parsed(const Entry& entry, const Context& context, const Parse& parse);
  Value value(const Entry& entry, const Context& context);
  Value scalar(const Entry& entry, const Context& context);
  Value vector(const Entry& entry, const Context& context);
  ValueEquation equation(const Entry& entry, const Context& context);
  /// A number made of parameters; `fallback` for a fault or where there is no entry.
  double number(const Entry* entry, const std::string& what, double fallback);
  std::array<double, 3> numbers(const Entry* entry, const std::string& what);
  /// The same as expressions of the parameters, which starts follow.
  Expr start_number(const Entry* entry, const std::string& what);
  Triple start_numbers(const Entry* entry, const std::string& what);
  /// What is made of parameters that all have values, read once; nothing where it has a fault, which is left
  /// to be told by who asks for the number alone.
  using ReadEntry = Value (Reader::*)(const Entry&, const Context&);
  std::optional<Value> of_parameters(const Entry& entry, const std::string& what, ReadEntry as);
  /// A constant and its number now, which `judge` may refuse; nothing where it has a fault.
  std::optional<Expr> judged_constant(const Entry& entry, const std::string& what, double fallback,
                                      const std::function<void(double)>& judge);
  /// A number that is zero by its parameters, where zero is another statement than every other number.
  void fix_zero(const Entry* entry, const std::string& what);
  /// What is read now is a number that does not follow the parameters it is made of.
  class Fixing {
   public:
    Fixing(Reader& reader, const std::string& what) : reader_(reader) { reader_.fixed_in_ = what; }
    ~Fixing() { reader_.fixed_in_.clear(); }
    Fixing(const Fixing&) = delete;

   private:
    Reader& reader_;
  };
  bool pair(const Entry& entry, const Context& context, Vector& from, Vector& to);
  bool truth(const Entry* entry, const std::string& what, bool fallback);
  std::string word(const Entry* entry, const KeyFormat& format, const std::string& what,
                   std::string fallback);
  long count(const Entry* entry, const std::string& what, long least, long most, long fallback);
  void require_finite(const Value& value, const Entry& entry, const Context& context);
  bool is_finite_number(std::span<const Expr> roots) const;
  /// The entry as a table whose keys are checked; nullptr noted as a fault.
  /// `of_use` are the keys to tell of where only some of them are; none: all.
  const Entry* table_of(const Entry& entry, std::span<const KeyFormat> keys, const std::string& what,
                        const std::function<std::vector<std::string>()>& of_use = {});
  const Entry* top(
      const char* name) const;  ///< a table of the file, nullptr where there is none (or no table)

  void note(std::size_t at, std::string text);
  void note(const Entry& entry, std::string text);    ///< where the value stands
  void note(const Place& in_text, std::string text);  ///< a place inside the text being read
  /// The fault noted last may have meant one of these by `name`.
  void suggest(std::string name, std::function<std::vector<std::string>()> known);
  /// The first hundred say what may have been meant: to look for it among all names takes time, and nobody
  /// reads more. Asks for the names of the model, so that it must still be there.
  void sort_faults();
  /// Of faults at one place, those of its first use; how many others have them is told.
  std::vector<std::size_t> of_first_uses(const std::vector<std::size_t>& order,
                                         std::map<std::size_t, std::size_t>& others) const;
  std::size_t offset_of(const Place& in_text) const;
  void remember(const Value& value, const Place& in_text);
  /// Where the text read last first says something that contains such a symbol; else where it begins.
  template <class Symbol>
  std::size_t place_where(const Entry& text, const Symbol& is_such) const;
  std::size_t first_letter(const Entry& text) const;  ///< where the text itself begins, behind its quote
  /// Runs `state`, which tells the model something; what the model refuses is noted at `at`.
  template <class State>
  void noting_faults(std::size_t at, const State& state);

  struct Suggestion {
    std::string name;
    std::function<std::vector<std::string>()> known;
  };
  std::map<std::size_t, Suggestion> suggestions_;  // by the fault they belong to

  const Source& source_;
  Entry own_root_;
  const Entry& root_;
  ModelFile file_;
  Model& model_;
  const OpenNames open_;
  const bool complete_;
  std::vector<std::pair<std::string, std::string>> counting_;
  std::string open_read_;  // an open parameter whose value was taken since this was emptied
  bool has_open_ = false;  // some name in it has no value
  bool is_start_ = false;  // what is read now is part of no equation
  std::string fixed_in_;   // what is being read where parameters become numbers for good, see Fixing

  enum class Stage { waiting, reading, read };
  struct ParameterState {
    Stage stage = Stage::waiting;
    double value = 0.0;
    bool known = true;
    bool open = false;             // without value, or made of one that is
    const Entry* entry = nullptr;  // as in the file, or as given by --set
    bool overridden = false;
    std::optional<Expr> symbol;  // once it is part of the model
  };
  ByName<ParameterState> parameters_;
  struct Named {
    const Entry* entry = nullptr;
    const char* what = "";  // "parameter", "definition", "coordinate", "particle", "body"
    ParameterState* parameter = nullptr;
  };
  ByName<Named> names_;
  std::string last_part_;  // the one that a name was last found to belong to: those of a part stand together
  std::deque<Entry> given_;  // by --set
  struct DefinitionState {
    Stage stage = Stage::waiting;
    Value value;
  };
  std::map<std::string, DefinitionState, std::less<>> definitions_;
  std::map<std::string, Coordinate, std::less<>> coordinates_;  // in the order of their masses
  std::set<int> with_mass_entry_;       // velocities whose mass the file states, well or not
  std::set<std::string> refused_mass_;  // particles and bodies with a second one
  ByName<Particle> particles_;
  ByName<Part> bodies_;
  ByName<std::size_t> frames_;  // bodies that were read, in their order
  NameMap<int> constraints_;    // -1: declared, not (yet) in the model
  std::map<std::string, Value, std::less<>> view_points_;
  mutable std::unordered_map<std::string, int>
      velocity_places_;                                 // by name without prime, as far as asked for
  std::map<std::string, std::vector<Expr>> actuators_;  // what they may be, when first asked for
  std::vector<std::string> path_;  // definitions and parameters being read: a circle shows here

  /// Where some name in a text brings in a symbol, counted in its content.
  using SymbolPlaces = std::vector<std::pair<NodeId, std::size_t>>;
  /// The text being read: its entry, and what it may contain.
  struct Text {
    const Entry* entry;
    const Context* context;
    SymbolPlaces symbol_at = {};
  };
  Text* text_ = nullptr;
  SymbolPlaces symbols_read_;  // `symbol_at` of the text read last
};

}  // namespace vinculum
