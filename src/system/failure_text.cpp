// A solution that is not solved, as a sentence with names.
#include <algorithm>

#include "system/system_impl.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

std::vector<std::string> quoted(const std::vector<std::string>& names, const std::vector<int>& which) {
  std::vector<std::string> result;
  for (const int k : which) result.push_back("'" + names[k] + "'");
  return result;
}

std::string coordinates_of(const System& system, const Solution& s) {
  std::vector<std::string> names;
  for (const int v : s.coordinates) names.push_back("'" + name_of_moving(system, v) + "'");
  return list_text(names);
}

/// Springs that may have lost their direction: those with an end on what has no finite force.
std::string springs_on(const System& system, const std::vector<int>& velocities) {
  const Model& model = system.impl().model;
  const auto concerned = [&](const Expr& e) {
    for (const Expr& symbol : symbols_of({&e, 1}))
      if (const auto role = model.stated().role(symbol); role.role == Role::coordinate)
        if (std::ranges::count(velocities, model.stated().velocity_of_coordinate(role.index)) > 0)
          return true;
    return false;
  };
  std::vector<std::string> names;
  for (const auto& [name, between] : model.stated().springs_with_length)
    if (concerned(between.x) || concerned(between.y) || concerned(between.z))
      names.push_back(name.empty() ? "a spring" : "spring '" + name + "'");
  if (names.empty()) return "";
  return "; on it " + std::string(names.size() == 1 ? "acts " : "act ") + list_text(names) +
         ", and a spring with a length has no direction where its two ends meet";
}

std::string not_finite(const System& system, const Solution& s) {
  const std::string place = s.term == 'A' || s.term == 'b'
                                ? "constraint " + list_text(quoted(system.row_names(), s.rows))
                                : coordinates_of(system, s);
  switch (s.term) {
    case 'M':
      return "the mass of " + place + " is not a finite number at this state";
    case 'Q':
      return "the force on " + place + " is not a finite number at this state" +
             springs_on(system, s.coordinates);
    case 'C':
      return "the non-ideal force on " + place + " is not a finite number at this state";
    case 'A':
      return "the coefficients of the accelerations in " + place + " are not finite numbers at this state";
    case 'q':
      return "the acceleration of " + place + " is too large for a number";
    default:
      return "the right side of " + place + " is not a finite number at this state";
  }
}

/// "programme 'tip' cannot be followed with its actuator 'x'", for rows that only their actuators could meet.
std::string unfollowed(const System& system, const Solution& s) {
  std::string text;
  for (const ProgrammeInfo& p : programmes(system)) {
    const ConstraintInfo& c = system.constraints()[p.constraint];
    const bool missed = std::any_of(s.rows.begin(), s.rows.end(),
                                    [&](int r) { return r >= c.first_row && r < c.first_row + c.row_count; });
    if (missed && !p.actuators.empty())
      text += (text.empty() ? "programme '" : ", nor programme '") + c.name + "' " +
              (text.empty() ? "cannot be followed with " : "with ") + actuators_text(system, p);
  }
  return text;
}

}  // namespace

std::string name_of_moving(const System& system, int velocity) {
  std::string name = system.velocity_names()[velocity];
  if (name.back() == '\'') name.pop_back();
  return name;
}

std::string describe(const System& system, const Solution& s) {
  const auto rows = [&] { return list_text(quoted(system.row_names(), s.rows)); };
  switch (s.status) {
    case Status::solved:
      return "";
    case Status::contradicting:
      if (const std::string text = unfollowed(system, s); !text.empty())
        return text + ": no force on what they drive keeps it, and it misses by " + number_text(s.gap, 6);
      return s.rows.size() == 1
                 ? "constraint " + rows() + " cannot hold: no acceleration enters it, and it misses by " +
                       number_text(s.gap, 6)
                 : "constraints " + rows() +
                       " cannot hold together: the last misses what the others demand by " +
                       number_text(s.gap, 6);
    case Status::undetermined:
      return "the accelerations of " + coordinates_of(system, s) + " are left open: " +
             (system.mechanics() == Mechanics::vakonomic
                  ? "M + mu phi_vv is singular along what the constraints allow"
              : s.saddle ? "M, which has a negative direction, is singular along what the constraints allow"
                         : "they have no mass there and no constraint fixes them");
    case Status::indefinite:
      return "the mass matrix has a negative direction, in which " + coordinates_of(system, s) +
             (s.coordinates.size() == 1 ? " takes part" : " take part");
    case Status::not_finite:
      return not_finite(system, s);
    case Status::uncertified:
      if (s.rows.empty())
        return "the mass matrix is too nearly singular for the fast road, and the system is too large for "
               "the robust "
               "road (see robust_limit)";
      return "constraint " + rows() +
             " does not hold to rounding, and the system is too large for the robust road (see robust_limit)";
  }
  return "";
}

}  // namespace vinculum
