// Masses, forces and energies.
#include "vinculum/base/error.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

void require_levels(const StatedModel& stated, std::span<const Expr> e, const std::string& what,
                    bool velocities) {
  for (const Expr& s : symbols_of(e)) {
    const Role level = stated.role(s).role;
    if (level == Role::acceleration)
      fail(what + " contains the acceleration '" + s.name() +
           "'; accelerations may stand in constraints and outputs only");
    if (level == Role::velocity && !velocities)
      fail(what + " contains the velocity '" + s.name() + "'; it may depend on coordinates and t only");
    if (is_observed(level))
      fail(what + " contains '" + s.name() + "', which may stand in outputs and events only" +
           (is_reaction(level) ? ", and in non-ideal forces" : ""));
  }
}

void require_levels(const StatedModel& stated, const Expr& e, const std::string& what, bool velocities) {
  if (e.is_constant()) return;
  if (!velocities) require_no_function(e, what);
  require_levels(stated, {&e, 1}, what, velocities);
}

/// Lagrange's equations hold for velocities that are rates of coordinates; Euler's for angular velocities are
/// others.
void require_plain(const StatedModel& stated, const Expr& energy, const char* what) {
  require_no_function(energy, what);
  for (const Expr& s : symbols_of({&energy, 1})) {
    const SymbolRole which = stated.role(s);
    const bool odd_coordinate =
        which.role == Role::abbreviation ||
        (which.role == Role::coordinate && stated.velocity_of_coordinate(which.index) < 0);
    const bool odd_velocity = which.role == Role::velocity && s.name().back() != '\'';
    if (odd_coordinate || odd_velocity)
      fail(std::string(what) + " contains '" + s.name() +
           "', and Lagrange's equations ask for coordinates whose rates are the velocities; state "
           "masses and forces");
  }
}

}  // namespace

void require_force(const StatedModel& stated, std::span<const Expr> value) {
  require_levels(stated, value, "a force", true);
}

void Model::mass(const Expr& coordinate, const Expr& value) {
  require_levels(*stated_, value, "a mass", false);
  const int i = stated_->velocity_of(coordinate, "a mass");
  stated_->masses.push_back({i, i, value});
}

void Model::mass(const Expr& first, const Expr& second, const Expr& value) {
  require_levels(*stated_, value, "a mass", false);
  const int i = stated_->velocity_of(first, "a mass"), j = stated_->velocity_of(second, "a mass");
  stated_->masses.push_back({i, j, value});
}

void Model::force(const Expr& coordinate, const Expr& value) {
  require_levels(*stated_, value, "a force", true);
  stated_->forces.push_back({stated_->velocity_of(coordinate, "a force"), value});
}

void Model::force(const Particle& particle, const Vector& value) { force_at(particle, value); }

void Model::nonideal(const Expr& coordinate, const Expr& value) {
  require_no_function(value, "a non-ideal force");
  for (const Expr& s : symbols_of({&value, 1}))
    if (const Role level = stated_->role(s).role; level == Role::acceleration || is_of_instant(level))
      fail("a non-ideal force contains '" + s.name() +
           "'; it may depend on coordinates, velocities, t and ideal constraint forces");
  stated_->nonideal_forces.push_back({stated_->velocity_of(coordinate, "a non-ideal force"), value});
}

void Model::nonideal(const Particle& particle, const Vector& value) { nonideal_at(particle, value); }

void Model::gravity(const Vector& acceleration) {
  if (stated_->has_gravity) fail("gravity is stated twice");
  for (const Expr& g : {acceleration.x, acceleration.y, acceleration.z}) {
    if (g.is_constant()) require_finite(g.value(), "gravity");
    for (const Expr& s : symbols_of({&g, 1}))
      if (!is_number(stated_->role(s).role))
        fail("gravity contains '" + s.name() + "'; it may use parameters only");
  }
  stated_->has_gravity = true;
  stated_->gravity = acceleration;
  for (std::size_t k = 0; k < stated_->weights.size(); ++k) stated_->add_weight(k);
}

void StatedModel::add_weight(std::size_t k) {
  const auto& [at, m] = weights[k];
  for (const auto& [g, axis] :
       {std::pair{gravity.x, at.x}, std::pair{gravity.y, at.y}, std::pair{gravity.z, at.z}})
    if (!g.is_constant(0)) potentials.push_back(-m * g * axis);
}

/// Along the line d between the ends: tension stiffness (|d| - length) + damping |d|'.
void Model::spring(const Vector& from, const Vector& to, const SpringOptions& options) {
  const Vector d = to - from;
  for (const Expr& part : {d.x, d.y, d.z}) require_levels(*stated_, part, "the end of a spring", false);
  for (const Expr& constant : {options.stiffness, options.damping, options.length})
    require_levels(*stated_, constant, "a constant of a spring", false);
  if (!options.length.is_constant(0)) stated_->springs_with_length.push_back({options.name, d});
  // Without a length the energy is smooth where the ends meet.
  const Expr stretch_squared =
      options.length.is_constant(0) ? norm_squared(d) : pow(norm(d) - options.length, 2);
  if (!options.stiffness.is_constant(0))
    stated_->potentials.push_back(options.stiffness * stretch_squared / 2);
  if (options.damping.is_constant(0)) return;
  const Vector rate{time_derivative(d.x, stated_->rates), time_derivative(d.y, stated_->rates),
                    time_derivative(d.z, stated_->rates)};
  // Where the ends meet there is no line; a motion through that point has its velocity along it.
  const Expr square = norm_squared(d), along = dot(d, rate);
  const auto pull = [&](const Expr& offset, const Expr& speed) {
    return if_less(0, square, -options.damping * (along / square) * offset, -options.damping * speed);
  };
  force_at(d, {pull(d.x, rate.x), pull(d.y, rate.y), pull(d.z, rate.z)});
}

void Model::spring(const Expr& along, const SpringOptions& options) {
  require_levels(*stated_, along, "the end of a spring", false);
  for (const Expr& constant : {options.stiffness, options.damping, options.length})
    require_no_function(constant, "a constant of a spring");
  if (!options.stiffness.is_constant(0)) {
    stated_->potentials.push_back(options.stiffness * pow(along - options.length, 2) / 2);
    stated_->add_motor(along, -options.stiffness * (along - options.length));
  }
  if (!options.damping.is_constant(0))
    force_along(along, -options.damping * time_derivative(along, stated_->rates));
}

void Model::potential(const Expr& energy) {
  require_levels(*stated_, energy, "a potential", false);
  if (stated_->has_lagrangian) fail("a potential beside a Lagrangian: put it into the Lagrangian, L = T - V");
  stated_->has_potential = true;
  stated_->potentials.push_back(energy);
}

void Model::kinetic(const Expr& energy) {
  require_levels(*stated_, energy, "a kinetic energy", true);
  require_plain(*stated_, energy, "a kinetic energy");
  if (stated_->has_lagrangian)
    fail("a kinetic energy beside a Lagrangian: put it into the Lagrangian, L = T - V");
  stated_->has_kinetic = true;
  stated_->lagrangians.push_back(energy);
}

void Model::lagrangian(const Expr& value) {
  require_levels(*stated_, value, "a Lagrangian", true);
  require_plain(*stated_, value, "a Lagrangian");
  if (stated_->has_kinetic || stated_->has_lagrangian || stated_->has_potential)
    fail("a Lagrangian is stated once and stands for kinetic energy and potential together");
  stated_->has_lagrangian = true;
  stated_->lagrangians.push_back(value);
}

}  // namespace vinculum
