#include "io/model/format.hpp"

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
    {"gravity", Form::constants, "The acceleration of free fall, a vector; acts on particles and bodies."},
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
constexpr std::array<KeyFormat, 12> body{{
    {"mass", Form::constant, "Its mass; of a shape with a density, what that gives."},
    {"inertia", Form::inertia,
     "About the centre of mass, body axes: [Ixx, Iyy, Izz] or a 3x3 matrix, in a plane one number; of a "
     "shape, what that gives."},
    {"position", Form::constants, "Where its centre of mass is at the start; the origin unless said."},
    {"velocity", Form::constants, "Its velocity at the start, world axes; at rest unless said."},
    {"orientation", Form::orientation,
     "Body axes to world axes at the start: a quaternion [w, x, y, z], an axis and an angle, roll, pitch and "
     "yaw, Euler's angles or a matrix."},
    {"omega", Form::constants, "Its angular velocity at the start, world axes."},
    {"omega_body", Form::constants, "The same in body axes; one of the two."},
    {"shape", Form::solid, "What it looks like, and its inertia where none is stated."},
    {"density", Form::constant, "Of a shape, instead of its mass."},
    {"frame", Form::name,
     "The body in whose frame, as that starts, position, orientation, velocity and omega are told; the world "
     "unless said."},
    {"plane", Form::word,
     "Where it stays in a plane: it then has three coordinates, two along the plane and its angle.", false,
     "xy yz xz"},
    {"angle", Form::constant, "Of a body in a plane, instead of 'orientation': its angle at the start."},
}};
constexpr std::array<KeyFormat, 6> orientation{{
    {"axis", Form::constants, "The axis it is turned about, of any length but zero."},
    {"angle", Form::constant, "By how much, in radians."},
    {"rpy", Form::constants, "Roll, pitch and yaw: about x, then y, then z, none of which turn along."},
    {"euler", Form::text, "Axes that turn along with the body, one after the other: \"zxz\", \"xyz\", .."},
    {"angles", Form::constants, "By how much about each of them."},
    {"matrix", Form::inertia, "A rotation matrix: its columns are the body's axes."},
}};
constexpr std::array<KeyFormat, 4> solid{{
    {"box", Form::constants, "Its edges along x, y, z."},
    {"sphere", Form::numbers, "Its radius."},
    {"cylinder", Form::numbers, "Its radius and height, along z."},
    {"rod", Form::numbers, "Its length and radius, along x."},
}};
constexpr std::array<KeyFormat, 25> joint{{
    {"type", Form::word, "Which joint it is.", true,
     "spherical revolute prismatic cylindrical planar universal weld distance screw rolling gear rack "
     "series"},
    {"between", Form::names, "Its two parts: bodies, or \"ground\"."},
    {"point", Form::constants, "Where it is, in the world at the start. rolling: a point of the plane."},
    {"axis", Form::constants, "Its axis, in the world at the start. rolling: the axis of a disc."},
    {"point2", Form::constants,
     "The same point as drawn on the second part, where that is elsewhere; distance: its second point; "
     "rolling: the centre of what rolls."},
    {"axis2", Form::constants,
     "The same axis as drawn on the second part; universal: the axis in the second part."},
    {"length", Form::constant, "distance: as at the start unless said."},
    {"pitch", Form::constant, "screw: how far it travels in one turn."},
    {"angle", Form::constant, "What its angle is called where it is drawn; 0 unless said."},
    {"start", Form::numbers,
     "Where it starts: its angle or distance, several in brackets; what is beyond it is turned and moved "
     "there from where it is drawn."},
    {"rate", Form::numbers, "How fast that changes at the start."},
    {"fixed", Form::truths,
     "Whether start and rate hold whatever is assembled (true unless said), or are where assembly begins."},
    {"radius", Form::constant, "rolling: of the ball or disc; rack: of the pinion."},
    {"normal", Form::constants, "rolling: across the plane, towards what rolls; [0, 0, 1] unless said."},
    {"stiffness", Form::constant,
     "Of a spring about the axis (prismatic: along it): torque per radian, force per length; 0 unless said."},
    {"rest", Form::constant, "The angle or distance at which that spring is without force; 0 unless said."},
    {"damping", Form::constant, "Torque or force per rate of the joint, against it; 0 unless said."},
    {"friction", Form::constant,
     "Dry friction: the torque or force against the rate, and up to which the joint stays at rest; 0 unless "
     "said."},
    {"armature", Form::constant,
     "Inertia of what turns or moves as fast as the joint: a rotor, times the square of its gear; 0 unless "
     "said."},
    {"limits", Form::limits, "Of the angle or distance, two numbers: the run ends where one is passed."},
    {"frame", Form::name,
     "The body in whose frame, as that starts, point, axis and normal are told; the world unless said."},
    {"frame2", Form::name, "The same for point2 and axis2."},
    {"joints", Form::joints,
     "gear, rack: the two joints that are coupled. series: joints one after the other, tables with the keys "
     "of "
     "joints and a 'name'."},
    {"name", Form::text, "Of a joint in a series: its name behind that of the series, as in ankle.pitch."},
    {"ratio", Form::constant, "gear: turns of the first joint for one of the second."},
}};
constexpr std::array<KeyFormat, 6> spring{{
    {"between", Form::pair, "The two points it joins: vector expressions; \"ground\" is the origin."},
    {"joint", Form::text, "Instead of 'between': the joint it turns or pushes along."},
    {"angle", Form::constant, "Of a joint that turns: its angle without torque; 0 unless said."},
    {"stiffness", Form::constant, "Force per length; 0 unless said."},
    {"damping", Form::constant, "Force per speed along the spring; 0 unless said."},
    {"length", Form::constant, "Length without force; 0 unless said."},
}};
constexpr std::array<KeyFormat, 11> bushing{{
    {"between", Form::names, "Its two parts: bodies, or \"ground\".", true},
    {"point", Form::constants, "Where it is, in the world at the start.", true},
    {"orientation", Form::orientation,
     "How its axes are turned at the start; those of the world, or of 'frame', unless said."},
    {"point2", Form::constants, "The same point as drawn on the second part, where that is elsewhere."},
    {"orientation2", Form::orientation, "The same axes as drawn on the second part."},
    {"frame", Form::name,
     "The body in whose frame, as that starts, point and orientation are told; the world unless said."},
    {"frame2", Form::name, "The same for point2 and orientation2."},
    {"stiffness", Form::inertia,
     "Force per length: a number, one for each axis, or a symmetric 3x3 matrix; 0 unless said."},
    {"damping", Form::inertia, "Force per speed, likewise; 0 unless said."},
    {"rotational_stiffness", Form::inertia,
     "Torque per radian of the rotation vector, likewise; 0 unless said."},
    {"rotational_damping", Form::inertia, "Torque per angular velocity, likewise; 0 unless said."},
}};
constexpr std::array<KeyFormat, 6> constraint{{
    {"equation", Form::equation, "left = right", true},
    {"friction", Form::constant, "Coefficient mu of Coulomb friction; 0 unless said."},
    {"servo", Form::truth, "A programme to be followed: its force is a control force."},
    {"frequency", Form::constant,
     "Of a programme: w of phi'' + 2 z w phi' + w^2 phi = 0, in rad/s; it may then start off it."},
    {"damping", Form::constant, "Of a programme with a frequency: z; 1 unless said."},
    {"actuators", Form::names,
     "Of a programme: the coordinates, particles, bodies and coordinates of joints its force may act on; all "
     "unless said."},
}};
constexpr std::array<KeyFormat, 3> event{{
    {"at", Form::expression, "The event is where this passes zero.", true},
    {"direction", Form::word, "Which passages count; both unless said.", false, "rising falling both"},
    {"stop", Form::truth, "Whether the run ends there; false unless said."},
}};
constexpr std::array<KeyFormat, 8> simulate{{
    {"from", Form::constant, "The time of the start; 0 unless said."},
    {"until", Form::constant, "The time to reach; earlier than `from` runs backward."},
    {"tolerance", Form::constant,
     "The error asked for, relative to the size of the motion; 1e-9 unless said."},
    {"absolute_tolerance", Form::constant,
     "An error that does no harm whatever the size, in the units of each number; none unless said."},
    {"step", Form::constant, "The largest step; the step of fixed-step methods."},
    {"samples", Form::count,
     "Instants to record, equally spaced, both ends among them; every step unless said."},
    {"integrator", Form::word, "The method; auto unless said.", false,
     "auto dop853 dopri5 rk4 radau5 extrapolation taylor"},
    {"closure", Form::constant,
     "How far loops may stay open, of the size of the machine; 1e-8 unless said, 0: to rounding."},
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

constexpr std::array<KeyFormat, 7> variation{{
    {"from", Form::constant, "The first of equally spaced values."},
    {"to", Form::constant, "The last of them."},
    {"count", Form::count, "How many of them."},
    {"values", Form::numbers_list, "These values, one after the other."},
    {"uniform", Form::limits, "Drawn anew for each member: between two numbers."},
    {"normal", Form::limits, "Drawn likewise: mean and standard deviation."},
    {"log", Form::limits, "Drawn likewise: its logarithm is uniform between those of two positive numbers."},
}};
constexpr std::array<KeyFormat, 6> ensemble{{
    {"count", Form::count, "How many draws, at each combination of the values; 1 unless said."},
    {"seed", Form::count, "Another whole number draws others; 0 unless said."},
    {"sampling", Form::word, "How draws are made; random unless said.", false, "random sobol"},
    {"keep", Form::names,
     "What is kept of each member: coordinates, velocities, outputs, energy, t at the end; NAME.max, "
     "NAME.min, NAME.mean; EVENT.time, EVENT.count."},
    {"table", Form::text,
     "A file beside the model, FILE.csv or FILE.h5, whose columns vary together: each row is a member, or as "
     "many as the rest says."},
    {"columns", Form::names, "Those of the table that vary; all of them unless said."},
}};

constexpr std::array<TableFormat, 19> all{{
    {"parameters", "Constants by name; --set changes them.", Form::constant, true},
    {"definitions", "Named expressions or vectors of anything; r' is the time derivative of r.", Form::any,
     true},
    {"coordinates", "Plain coordinates: a start, or a table.", Form::constant, true, coordinate},
    {"mass", "The mass matrix: x, or \"x,y\" off the diagonal.", Form::expression, true},
    {"forces",
     "Impressed forces: on coordinates (x, p.x), particles and bodies (p), points (\"b.point(0, 0, 1)\"), "
     "joints "
     "(hinge.angle), and torques (b.torque).",
     Form::any, true},
    {"particles", "Point masses; the name is the position vector.", Form::table, true, particle, false},
    {"springs", "Springs and dampers between two points, or of a joint.", Form::table, true, spring, false,
     "between joint"},
    {"constraints", "The equations the motion must satisfy.", Form::equation, true, constraint},
    {"nonideal", "The vector C of non-ideal constraints, keyed as [forces]; may use force(..).", Form::any,
     true},
    {"outputs", "Scalars and vectors to record.", Form::any, true},
    {"events", "Passages through zero.", Form::expression, true, event},
    {"view", "What the report draws.", Form::table, false, view},
    {"units",
     "Units of t, energy, coordinates, velocities and outputs, by name: written on axes and into files, "
     "never "
     "computed with.",
     Form::text, true},
    {"simulate", "How the motion is computed.", Form::table, false, simulate},
    {"ensemble",
     "What varies from member to member in 'vinculum sweep': parameters and starts, by name; and what is "
     "kept.",
     Form::table, true, variation, false},
    {"multipliers",
     "Vakonomic motion: mu of every row on velocities at the start; \"pin[0]\" for a row of a vector "
     "equation.",
     Form::constant, true},
    {"bodies", "Rigid bodies; the name is the position vector of the centre of mass.", Form::table, true,
     body, false},
    {"joints", "Joints between two bodies, or a body and the ground.", Form::table, true, joint, false},
    {"bushings",
     "Springs and dampers along and about three axes, between two bodies, or a body and the ground.",
     Form::table, true, bushing, false},
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
std::span<const KeyFormat> orientation_keys() { return orientation; }
std::span<const KeyFormat> solid_keys() { return solid; }
std::span<const KeyFormat> ensemble_keys() { return ensemble; }

const TableFormat& table_format(std::string_view name) {
  for (const std::span<const TableFormat> list : {tables(), view_tables()})
    for (const TableFormat& table : list)
      if (table.name == name) return table;
  fail("the format has no table '" + std::string(name) + "'");
}

}  // namespace vinculum
