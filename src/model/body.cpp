// Rigid bodies: their symbols, their inertia, and forces where they act.
#include "vinculum/model/body.hpp"
#include "vinculum/model/frames.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/plane.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

Expr Solid::volume() const {
  const Expr pi = std::numbers::pi;
  switch (kind) {
    case Kind::box:
      return size[0] * size[1] * size[2];
    case Kind::sphere:
      return 4 * pi / 3 * pow(size[0], 3);
    case Kind::cylinder:
      return pi * pow(size[0], 2) * size[1];
    default:
      return pi * pow(size[1], 2) * size[0];
  }
}

std::array<Expr, 3> Solid::inertia(const Expr& mass) const {
  const auto square = [this](int k) { return pow(size[k], 2); };
  switch (kind) {
    case Kind::box:
      return {mass * (square(1) + square(2)) / 12, mass * (square(0) + square(2)) / 12,
              mass * (square(0) + square(1)) / 12};
    case Kind::sphere: {
      const Expr all = 2 * mass * square(0) / 5;
      return {all, all, all};
    }
    case Kind::cylinder: {
      const Expr across = mass * (3 * square(0) + square(1)) / 12;
      return {across, across, mass * square(0) / 2};
    }
    default: {
      const Expr across = mass * (3 * square(1) + square(0)) / 12;
      return {mass * square(1) / 2, across, across};
    }
  }
}

BodyOptions body_of(const Solid& solid, const Expr& mass) {
  BodyOptions options;
  const std::array<Expr, 3> principal = solid.inertia(mass);
  options.mass = mass;
  options.inertia = {principal[0], principal[1], principal[2], 0.0, 0.0, 0.0};
  options.solid = solid;
  return options;
}

void require_orientation(double length, const std::string& what) {
  if (!(length > 0) || !std::isfinite(length))
    fail(what + " has the length " + number_text(length) +
         "; a quaternion [w, x, y, z] of any finite length but zero is asked for");
}

void require_size(double size, const std::string& what) {
  if (!(size > 0)) fail(what + " has the size " + number_text(size) + "; it must be more than 0");
}

std::string_view solid_word(Solid::Kind kind) {
  constexpr std::string_view words[] = {"box", "sphere", "cylinder", "rod"};
  return words[static_cast<int>(kind)];
}

namespace {

/// Inertia is a sum of m (y^2 + z^2) and so on: no principal moment is more than the two others together. The
/// numbers are the mass and the six of the inertia.
void require_physical(const std::string& name, std::span<const double> numbers) {
  const double m = numbers[0], *i = numbers.data() + 1;
  if (m < 0) fail("the mass of body '" + name + "' is " + number_text(m) + "; it must not be negative");
  Eigen::Matrix3d matrix;
  matrix << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  Eigen::Vector3d principal(i[0], i[1], i[2]);
  if (i[3] != 0 || i[4] != 0 || i[5] != 0)
    principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  else
    std::sort(principal.begin(), principal.end());
  constexpr double rounding = 1e-12;  // a flat body reaches the limit, and its numbers were typed
  const double slack = rounding * matrix.cwiseAbs().maxCoeff();
  // One moment alone is how machines of a plane are told: the other turns resist nothing, and rows that leave
  // one of them open leave its acceleration open, too.
  const bool is_alone = principal[0] == 0 && principal[1] == 0;
  if (principal[0] >= -slack && (is_alone || principal[2] <= principal[0] + principal[1] + slack)) return;
  const std::string moments = "the principal moments of inertia of body '" + name + "' are " +
                              number_text(principal[0], 6) + ", " + number_text(principal[1], 6) + ", " +
                              number_text(principal[2], 6);
  if (principal[0] < -slack) fail(moments + "; none may be negative");
  fail(moments + ": the largest is more than the two others together, which no body can have");
}

Expr abbreviate(StatedModel& stated, const std::string& name, const Expr& meaning) {
  const Expr symbol =
      stated.new_symbol(name, Role::abbreviation, static_cast<int>(stated.abbreviations.size()));
  stated.abbreviations.emplace_back(symbol, meaning);
  stated.meanings.set(symbol, meaning);
  return symbol;
}

/// q' = 1/2 q o (0, w), and the columns of the rotation matrix R with R' = R [w x].
void add_rotation(Model& model, Body& body, const std::string& name, const Orientation& start) {
  const std::string what = "the orientation of body '" + name + "'";
  const std::vector<Expr> unit =
      model.stated().make({.name = what,
                           .of = {start[0], start[1], start[2], start[3]},
                           .what = every(what + " is"),
                           .rule =
                               [what](std::span<const double> q, std::span<double> of_length_1) {
                                 const double length =
                                     std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
                                 require_orientation(length, what);
                                 for (int k = 0; k < 4; ++k) of_length_1[k] = q[k] / length;
                               },
                           .count = 4});
  const char* const suffix[4] = {".qw", ".qx", ".qy", ".qz"};
  for (int k = 0; k < 4; ++k)
    body.orientation[k] = model.coordinate_with_rate(name + suffix[k], 0.0, unit[k]);
  const auto& [w, x, y, z] = body.orientation;
  // Linear in the velocities as they are written: nothing is to be checked.
  const auto set_rate = [&stated = model.stated()](const Expr& coordinate, const Expr& rate) {
    stated.coordinates[stated.role(coordinate).index].rate = rate;
    stated.rates.set(coordinate, rate);
  };
  set_rate(w, -0.5 * (x * body.wx + y * body.wy + z * body.wz));
  set_rate(x, 0.5 * (w * body.wx + y * body.wz - z * body.wy));
  set_rate(y, 0.5 * (w * body.wy + z * body.wx - x * body.wz));
  set_rate(z, 0.5 * (w * body.wz + x * body.wy - y * body.wx));
  const Expr ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  // Homogeneous of degree two: then R' = R [w x] holds for a quaternion of any length.
  const Vector meaning[3] = {{ww + xx - yy - zz, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                             {2 * (x * y - w * z), ww - xx + yy - zz, 2 * (y * z + w * x)},
                             {2 * (x * z + w * y), 2 * (y * z - w * x), ww - xx - yy + zz}};
  const char* const axis[3] = {".axis(1, 0, 0)", ".axis(0, 1, 0)", ".axis(0, 0, 1)"};
  for (int k = 0; k < 3; ++k)
    body.column[k] = {abbreviate(model.stated(), name + axis[k] + ".x", meaning[k].x),
                      abbreviate(model.stated(), name + axis[k] + ".y", meaning[k].y),
                      abbreviate(model.stated(), name + axis[k] + ".z", meaning[k].z)};
  const auto turn = [&](const Vector& column, const Vector& rate) {
    model.stated().rates.set(column.x, rate.x);
    model.stated().rates.set(column.y, rate.y);
    model.stated().rates.set(column.z, rate.z);
  };
  turn(body.column[0], body.column[1] * body.wz - body.column[2] * body.wy);
  turn(body.column[1], body.column[2] * body.wx - body.column[0] * body.wz);
  turn(body.column[2], body.column[0] * body.wy - body.column[1] * body.wx);
}

/// Of parameters, as was demanded: nothing is to be checked. The velocities of a body follow each other.
void add_mass(StatedModel& stated, int first, int second, const Expr& value) {
  stated.masses.push_back({first, second, value});
}

/// I w' = torque - w x (I w), body axes.
void add_inertia(StatedModel& stated, const Body& body, const Inertia& inertia) {
  const auto& [xx, yy, zz, xy, xz, yz] = inertia;
  const int wx = stated.role(body.wx).index, wy = stated.role(body.wy).index, wz = stated.role(body.wz).index;
  add_mass(stated, wx, wx, xx);
  add_mass(stated, wy, wy, yy);
  add_mass(stated, wz, wz, zz);
  if (!xy.is_constant(0)) add_mass(stated, wx, wy, xy);
  if (!xz.is_constant(0)) add_mass(stated, wx, wz, xz);
  if (!yz.is_constant(0)) add_mass(stated, wy, wz, yz);
  const Expr &x = body.wx, &y = body.wy, &z = body.wz;
  const auto times = [](const Expr& moment, const Expr& of) {  // zeros make short equations
    return moment.is_constant(0) ? Expr(0.0) : moment * of;
  };
  const Vector gyroscopic = {
      times(yy - zz, y * z) + times(xy, x * z) - times(xz, x * y) + times(yz, z * z - y * y),
      times(zz - xx, x * z) + times(yz, x * y) - times(xy, y * z) + times(xz, x * x - z * z),
      times(xx - yy, x * y) + times(xz, y * z) - times(yz, x * z) + times(xy, y * y - x * x)};
  for (const auto& [velocity, value] :
       {std::pair<int, const Expr&>{wx, gyroscopic.x}, {wy, gyroscopic.y}, {wz, gyroscopic.z}})
    if (!value.is_constant(0)) stated.gyroscopic_forces.push_back({velocity, value});
}

void move_in_space(Model& model, Model::BodyData& data, const BodyOptions& options) {
  Body& b = data.body;
  Coordinate* const place[3] = {&b.x, &b.y, &b.z};
  const char* const suffix[3] = {".x", ".y", ".z"};
  for (int k = 0; k < 3; ++k) {
    *place[k] = model.coordinate(data.name + suffix[k], {options.position[k], options.velocity[k]});
    const int velocity = data.first_velocity + k;
    add_mass(model.stated(), velocity, velocity, options.mass);
  }
  Speed* const spin[3] = {&b.wx, &b.wy, &b.wz};
  const char* const turning[3] = {".wx", ".wy", ".wz"};
  for (int k = 0; k < 3; ++k) *spin[k] = model.speed(data.name + turning[k], options.omega_body[k]);
  add_rotation(model, b, data.name, options.orientation);
  add_inertia(model.stated(), b, options.inertia);
}

void demand_size(StatedModel& stated, const Solid& solid, const std::string& body) {
  const std::string what = "the " + std::string(solid_word(solid.kind)) + " of body '" + body + "'";
  stated.demand(solid.size, what, [what](std::span<const double> n) {
    for (const double size : n) require_size(size, what);
  });
}

void add_forces(Model& model, const std::vector<Model::ForceData>& list) {
  for (const Model::ForceData& f : list) model.force(model.stated().velocities[f.velocity].symbol, f.value);
}

void add_nonideal(Model& model, const std::vector<Model::ForceData>& list) {
  for (const Model::ForceData& f : list)
    model.nonideal(model.stated().velocities[f.velocity].symbol, f.value);
}

}  // namespace

Expr StatedModel::written_out(const Expr& e) const { return meanings.empty() ? e : substitute(e, meanings); }

std::vector<Model::ForceData> StatedModel::acting_at(const Vector& at, const Vector& value) const {
  for (const Expr& part : {at.x, at.y, at.z}) require_no_function(part, "the place of a force");
  const std::array<Expr, 3> rate{time_derivative(at.x, rates), time_derivative(at.y, rates),
                                 time_derivative(at.z, rates)};
  std::vector<Model::ForceData> list;
  for (const Expr& v : symbols_of(rate)) {
    if (role(v).role != Role::velocity) continue;
    const Vector lever{derivative(rate[0], v), derivative(rate[1], v), derivative(rate[2], v)};
    if (const Expr part = dot(value, lever); !part.is_constant(0)) list.push_back({role(v).index, part});
  }
  return list;
}

std::vector<Model::ForceData> StatedModel::turning(const Body& body, const Vector& torque) const {
  const Vector in_body = body.in_body(torque);
  std::vector<Model::ForceData> list;
  list.reserve(3);
  for (const auto& [speed, part] :
       {std::pair<const Expr&, const Expr&>{body.wx, in_body.x}, {body.wy, in_body.y}, {body.wz, in_body.z}})
    if (speed.is_symbol()) list.push_back({role(speed).index, part});
  return list;
}

Body Model::body(std::string_view name, const BodyOptions& given) {
  const std::string text(name);
  BodyOptions options = given;
  if (given.frame) place_in_world(*stated_, start_of(*stated_, *given.frame), options, "body '" + text + "'");
  std::vector<Expr> asked{options.mass};
  asked.insert(asked.end(), options.inertia.begin(), options.inertia.end());
  const auto what = [text](std::size_t place) {
    return (place == 0 ? "the mass of body '" : "the inertia of body '") + text + "'";
  };
  stated_->demand(std::move(asked), what, [text, plane = options.plane](std::span<const double> n) {
    if (plane == Plane::none)
      require_physical(text, n);
    else
      require_physical_in_plane(text, plane, n);
  });
  if (options.solid) demand_size(*stated_, *options.solid, text);
  stated_->claim_name(name, "body");
  BodyData data{text,
                {},
                options.mass,
                options.inertia,
                options.solid,
                static_cast<int>(stated_->coordinates.size()),
                static_cast<int>(stated_->velocities.size())};
  Body& b = data.body;
  if (options.plane == Plane::none)
    move_in_space(*this, data, options);
  else
    move_in_plane(*this, data, options);
  const Expr& first = options.plane == Plane::yz ? b.y : b.x;
  stated_->body_at.emplace(first.id(), static_cast<int>(stated_->bodies.size()));
  stated_->weights.emplace_back(b.position(), options.mass);
  if (stated_->has_gravity) stated_->add_weight(stated_->weights.size() - 1);
  stated_->bodies.push_back(std::move(data));
  return stated_->bodies.back().body;
}

void Model::force(const Body& body, const Vector& value) { force_at(body, value); }
/// What may stand in it is asked of the torque as given, and not of its parts in body axes, which are longer.
void Model::torque(const Body& body, const Vector& value) {
  const Expr parts[] = {value.x, value.y, value.z};
  require_force(*stated_, parts);
  const std::vector<ForceData> list = stated_->turning(body, value);
  stated_->forces.insert(stated_->forces.end(), list.begin(), list.end());
}
void Model::force_at(const Vector& at, const Vector& value) {
  add_forces(*this, stated_->acting_at(at, value));
}
void Model::force_along(const Expr& at, const Expr& value) {
  force_at({at, 0, 0}, {value, 0, 0});
  stated_->add_motor(at, value);
}
void Model::nonideal(const Body& body, const Vector& value) { nonideal_at(body, value); }
void Model::nonideal_torque(const Body& body, const Vector& value) {
  add_nonideal(*this, stated_->turning(body, value));
}
void Model::nonideal_at(const Vector& at, const Vector& value) {
  add_nonideal(*this, stated_->acting_at(at, value));
}
void Model::nonideal_along(const Expr& at, const Expr& value) { nonideal_at({at, 0, 0}, {value, 0, 0}); }

}  // namespace vinculum
