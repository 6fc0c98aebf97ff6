// What the theory says about one instant: options in, a named report out.
#pragma once
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// The ways to the same acceleration.
enum class Road {
  automatic,  ///< fast where its certificate holds, else robust
  fast,    ///< LDL^T of A M^-1 A^T (rows scaled), dependent rows dropped, answer refined until A q'' = b to
           ///< rounding
  robust,  ///< orthogonal, rank-revealing factorisation of the row-scaled A M^-1/2: the Moore-Penrose answer
  lagrange,  ///< Lagrange's equations of the first kind: the KKT system, a witness
  gauss,     ///< the minimum of Gauss's function by elimination, a witness
};
VINCULUM_EXPORT std::string_view road_name(Road road);

enum class Status {
  solved,
  contradicting,  ///< no acceleration satisfies all rows; `rows` is a smallest set that cannot hold together
  undetermined,   ///< M is singular and A does not make up for it; `coordinates` are left open
  indefinite,     ///< M has a negative direction; `coordinates` take part in it
  not_finite,     ///< an entry of M, Q, A, b or C is infinite or not a number
  uncertified,  ///< the fast road's residual is above its rounding bound, and the system is too large for the
                ///< robust one
};
VINCULUM_EXPORT std::string_view status_name(Status status);

/// How much to compute.
enum class Detail {
  motion,  ///< what an integrator needs: acceleration, forces, multipliers, residual check
  full,    ///< all of it: rank by singular values, least-norm multipliers, freedom, dependencies, certificate
};

struct SolveOptions {
  Road road = Road::automatic;
  Detail detail = Detail::full;
  /// Singular values of the row-scaled A M^-1/2 below this part of the largest count as zero.
  double rank_tolerance = 1e-10;
  /// Dependent rows may disagree by this much, relative to their terms, before they contradict.
  double contradiction_tolerance = 1e-8;
  /// Inside an integration step redundant rows disagree by the truncation error: those that depend on others
  /// are left out instead of compared, and nothing contradicts.
  bool within_step = false;
  /// M may have negative directions: what is asked for is the stationary point of Gauss's function under the
  /// rows, where it has exactly one, be it a minimum or not. So it is in vakonomic motion.
  bool stationary = false;
  /// The robust road works densely; above this number of rows or coordinates it is refused and reported.
  int robust_limit = 3000;
};

/// A measured number beside the rounding bound it must stay under.
struct Check {
  double value = 0.0;
  double bound = 0.0;
  bool holds() const { return value <= bound; }  // false for a value that is not a number
};

/// Independent statements of the theory, each relative and against its own rounding bound.
struct Certificate {
  Check constraint_residual;  ///< |A q'' - b| / (|A||q''| + |b|)
  Check virtual_work;         ///< of F^L over an orthonormal basis of virtual displacements, / |F^L|
  Check gauss_gap;            ///< (Gauss's function - its minimum by elimination) / (1 + Gauss's function)
  Check kkt_residual;         ///< |M q'' - Q - A^T lambda - F^C| / (|M||q''| + |Q| + |C|)
  Check nonideal_work;        ///< of F^L + F^C - C over virtual displacements, / |C|: (35) of Fan et al.
  bool holds() const {
    return constraint_residual.holds() && virtual_work.holds() && gauss_gap.holds() && kkt_residual.holds() &&
           nonideal_work.holds();
  }
};

/// A row that follows from others:  row = sum of weight[k] * on[k].
struct Dependency {
  int row = 0;
  std::vector<int> on;  // empty for a row of zeros
  std::vector<double> weight;
};

/// Why the fast road did not answer, and another did.
enum class Doubt {
  none,
  mass,   ///< M is not safely positive definite, or rows do not surely hold what has no mass
  rows,   ///< rows do not hold to rounding: they nearly depend on each other, or disagree
  light,  ///< masses are so different that rounding of the heavy ones hides the light ones
};

/// Everything about the instant. Vectors are over coordinates (velocities) or over rows, in the order given.
struct Solution {
  Status status = Status::solved;
  Road road_asked = Road::automatic;
  Road road_used = Road::automatic;
  Doubt doubt = Doubt::none;

  std::vector<double> free_acceleration;  ///< a = M^-1 Q; not a number where M is singular
  std::vector<double> dissatisfaction;    ///< e = b - A a
  std::vector<double> acceleration;  ///< q''; for contradicting rows the least-squares answer of the formula
  std::vector<double> deviation;     ///< q'' - a
  std::vector<double> constraint_force;  ///< F^L = A^T lambda, the ideal part
  std::vector<double> nonideal_force;    ///< F^C = C - A^T (A M^-1 A^T)^+ A M^-1 C
  std::vector<double> multipliers;       ///< lambda; of least Euclidean norm with Detail::full

  int rank = 0;           ///< of A; with Detail::motion on the fast road by its pivots, or -1: not looked at
  double gaussian = 0.0;  ///< (q'' - a)^T M (q'' - a)
  double extended_gaussian = 0.0;     ///< (q'' - a - M^-1 C)^T M (q'' - a - M^-1 C): (26) of Fan et al.
  std::vector<double> control_force;  ///< the part of F^L that programmes ask for; empty where there are none
  std::vector<double> actuator_force;  ///< of each actuator of programmes; empty where there are none
  double singular_value_near =
      0;  ///< relative singular value closest to the rank threshold (0: none within 1e3 of it)

  // With Detail::full:
  bool multipliers_unique = true;
  bool saddle = false;  ///< M has a negative direction: Gauss's function is stationary, not least
  std::vector<std::vector<double>> freedom;  ///< orthonormal vectors over rows that make no force
  std::vector<Dependency> dependencies;      ///< one for each redundant row
  Certificate certificate;

  // When not solved:
  std::vector<int> rows;  ///< contradicting rows; the rows whose entries are not finite; the uncertified row
  std::vector<int> coordinates;  ///< undetermined coordinates; those whose M, Q or C entry is not finite
  char term = ' ';               ///< not finite: which of M, Q, A, b, C; q: the acceleration itself overflows
  double gap = 0.0;              ///< contradicting: by how much, in the unit of the last named row
};

}  // namespace vinculum
