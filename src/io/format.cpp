#include "io/format.hpp"

#include <array>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr std::array<KeyFormat, 7> top{{
    {"title", Form::text, "What the model is, in a few words."},
    {"description", Form::text, "What it is about, in a few sentences."},
    {"kinetic", Form::expression, "The kinetic energy, instead of [mass]: M and Q by Lagrange's equations."},
    {"lagrangian", Form::expression, "The Lagrangian L = T - V, instead of [mass] and potential."},
    {"potential", Form::expression, "The potential energy: of coordinates and t."},
    {"gravity", Form::constants, "The acceleration of free fall, a vector; acts on particles."},
    {"mechanics", Form::word, "The principle the motion obeys; \"none\" for systems with no mechanics.",
     false, "dalembert vakonomic none"},
}};

constexpr std::array<KeyFormat, 2> coordinate{{
    {"start", Form::constant, "Where it is at the start; 0 unless said."},
    {"rate", Form::constant, "Its velocity at the start; 0 unless said."},
}};
constexpr std::array<KeyFormat, 3> particle{{
    {"mass", Form::constant, "Its mass.", true},
    {"position", Form::constants, "Where it is at the start; the origin unless said."},
    {"velocity", Form::constants, "Its velocity at the start; at rest unless said."},
}};
constexpr std::array<KeyFormat, 4> spring{{
    {"between", Form::pair, "The two points it joins: vector expressions; \"ground\" is the origin.", true},
    {"stiffness", Form::constant, "Force per length; 0 unless said."},
    {"damping", Form::constant, "Force per speed along the spring; 0 unless said."},
    {"length", Form::constant, "Length without force; 0 unless said."},
}};
constexpr std::array<KeyFormat, 6> constraint{{
    {"equation", Form::equation, "left = right", true},
    {"friction", Form::constant, "Coefficient mu of Coulomb friction; 0 unless said."},
    {"servo", Form::truth, "A programme to be followed: its force is a control force."},
    {"frequency", Form::constant,
     "Of a programme: w of phi'' + 2 z w phi' + w^2 phi = 0, in rad/s; it may then start off it."},
    {"damping", Form::constant, "Of a programme with a frequency: z; 1 unless said."},
    {"actuators", Form::names,
     "Of a programme: the coordinates and particles its force may act on; all unless said."},
}};
constexpr std::array<KeyFormat, 3> event{{
    {"at", Form::expression, "The event is where this passes zero.", true},
    {"direction", Form::word, "Which passages count; both unless said.", false, "rising falling both"},
    {"stop", Form::truth, "Whether the run ends there; false unless said."},
}};
constexpr std::array<KeyFormat, 6> simulate{{
    {"from", Form::constant, "The time of the start; 0 unless said."},
    {"until", Form::constant, "The time to reach; earlier than `from` runs backward."},
    {"tolerance", Form::constant, "The error asked for, relative and absolute; 1e-9 unless said."},
    {"step", Form::constant, "The largest step; the step of fixed-step methods."},
    {"samples", Form::count,
     "Instants to record, equally spaced, both ends among them; every step unless said."},
    {"integrator", Form::word, "The method; dop853 unless said.", false,
     "dop853 dopri5 rk4 radau5 extrapolation"},
}};
constexpr std::array<KeyFormat, 6> view{{
    {"up", Form::word, "The axis that points up on the picture.", false, "x -x y -y z -z"},
    {"automatic", Form::truth, "Draw what a model shows without being asked; true unless said."},
    {"points", Form::table, "Points to draw."},
    {"links", Form::table, "Lines between two points."},
    {"curves", Form::table, "Wires, hoops and tracks."},
    {"arrows", Form::table, "Forces and other vectors, drawn at a place."},
}};
constexpr std::array<KeyFormat, 2> view_point{{
    {"at", Form::vector, "Where it is.", true},
    {"trail", Form::truth, "Whether its path is drawn; true unless said."},
}};
constexpr std::array<KeyFormat, 2> view_link{{
    {"between", Form::pair, "Its two ends: vector expressions; \"ground\" is the origin.", true},
    {"kind", Form::word, "How it is drawn; a rod unless said.", false, "rod spring line"},
}};
constexpr std::array<KeyFormat, 3> view_curve{{
    {"at", Form::vector, "A point of the curve, as a function of s.", true},
    {"s", Form::pair, "From where to where s goes: two numbers.", true},
    {"pieces", Form::count, "How many pieces are drawn; 96 unless said."},
}};
constexpr std::array<KeyFormat, 2> view_arrow{{
    {"at", Form::vector, "Where it begins.", true},
    {"along", Form::vector, "Its direction and size: any vector, a constraint force for example.", true},
}};

constexpr std::array<TableFormat, 16> all{{
    {"parameters", "Constants by name; --set changes them.", Form::constant, true},
    {"definitions", "Named expressions or vectors of anything; r' is the time derivative of r.", Form::any,
     true},
    {"coordinates", "Plain coordinates: a start, or a table.", Form::constant, true, coordinate},
    {"mass", "The mass matrix: x, or \"x,y\" off the diagonal.", Form::expression, true},
    {"forces", "Impressed forces on coordinates (x, p.x) and particles (p).", Form::any, true},
    {"particles", "Point masses; the name is the position vector.", Form::table, true, particle, false},
    {"springs", "Springs and dampers between two points.", Form::table, true, spring, false},
    {"constraints", "The equations the motion must satisfy.", Form::equation, true, constraint},
    {"nonideal", "The vector C of non-ideal constraints, keyed as [forces]; may use force(..).", Form::any,
     true},
    {"outputs", "Scalars and vectors to record.", Form::any, true},
    {"events", "Passages through zero.", Form::expression, true, event},
    {"view", "What the report draws.", Form::table, false, view},
    {"simulate", "How the motion is computed.", Form::table, false, simulate},
    {"multipliers",
     "Vakonomic motion: mu of every row on velocities at the start; \"pin[0]\" for a row of a vector "
     "equation.",
     Form::constant, true},
    {"bodies", "Rigid bodies.", Form::table, true, {}, false, true},
    {"joints", "Joints between bodies.", Form::table, true, {}, false, true},
}};
constexpr std::array<TableFormat, 4> of_view{{
    {"points", "Points to draw.", Form::vector, true, view_point},
    {"links", "Lines between two points.", Form::pair, true, view_link},
    {"curves", "Wires, hoops and tracks.", Form::table, true, view_curve, false},
    {"arrows", "Vectors drawn at a place.", Form::table, true, view_arrow, false},
}};

}  // namespace

std::span<const KeyFormat> top_keys() { return top; }
std::span<const TableFormat> tables() { return all; }
std::span<const TableFormat> view_tables() { return of_view; }

const TableFormat& table_format(std::string_view name) {
  for (const std::span<const TableFormat> list : {tables(), view_tables()})
    for (const TableFormat& table : list)
      if (table.name == name) return table;
  fail("the format has no table '" + std::string(name) + "'");
}

}  // namespace vinculum
