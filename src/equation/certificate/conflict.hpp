// Rows that cannot hold together.
#pragma once
#include "equation/certificate/circuits.hpp"

namespace vinculum::dense {

/// Measures by how much dependent rows disagree, against the size of what they are made of.
/// Everything is for rows of length one, D A q'' = D b.
struct Agreement {
  Vector b;      ///< D b
  Vector terms;  ///< D (|A||q''| + |b|): what a row is made of
  Vector floor;  ///< below this a row is rounding
  double tolerance = 0.0;

  /// `free` is a = M^-1 Q, or not a number where M is singular: e = b - A a has been rounded too.
  Agreement(const Problem& at, const RowSpace& rows, const Vector& acceleration, const Vector& free,
            double tolerance);

  double gap(const Circuit& circuit) const;  ///< |b_j - sum w_i b_i|
  /// Part of their terms by which the rows disagree, less what is rounding; above 1 they contradict.
  double disagreement(const Circuit& circuit) const;
};

struct Conflict {
  std::vector<int> rows;  ///< rising; empty if there is none
  double gap = 0.0;       ///< in the unit of the last row
};

/// The circuits that the factorisation itself found; decides whether the rows agree at all.
std::vector<Circuit> pivot_circuits(const RowSpace& rows);

/// A smallest set of rows that cannot hold together: every single row, pair and triple is looked at (pairs
/// and triples up to a limit of rows), larger sets among the circuits of several row orders.
Conflict find_conflict(const RowSpace& rows, const Agreement& agreement, double rank_tolerance);

}  // namespace vinculum::dense
