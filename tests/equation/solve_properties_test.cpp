// What must hold for every system, over thousands of random ones: dimensions to 40, any rank, copies and
// combinations of rows, nearly dependent rows, row scales 1e-6 .. 1e6, mass ratios to 1e8, dense and sparse,
// singular M.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/QR>

#include "equation/kinds.hpp"
#include "vinculum/equation/row_scale.hpp"

namespace vinculum {
namespace {

using dense::to_vector;
using sample::Kind;
using sample::Measure;
using sample::Numbers;
using sample::Vector;

const std::vector<Road> roads{Road::robust, Road::lagrange, Road::gauss, Road::fast};

/// Rounding of a sum of n + m terms, a few sums one after the other.
double rounding(const Measure& measure) {
  return 16.0 * (measure.at.coordinates() + measure.at.rows()) * dense::epsilon;
}
/// The same, grown by the condition of the unit rows in the metric of M: what a solution may lose.
double loss(const Measure& measure) { return rounding(measure) * measure.condition; }
/// The fast road multiplies by M^-1, and loses what that does.
double loss(const Measure& measure, const Solution& out) {
  return loss(measure) * (out.road_used == Road::fast ? measure.mass_condition : 1.0);
}

Solution solve_by(Road road, const Equations& at) { return solve(at, {.road = road}); }

/// What q'' is made of, in the metric of M: a is rounded before the rows are met.
double moving(const Measure& measure, const Solution& out) {
  const Vector a = to_vector(out.free_acceleration);
  return measure.length(to_vector(out.acceleration)) + (a.allFinite() ? measure.length(a) : 0.0);
}
double pushing(const Measure& measure) {
  return measure.pull(measure.at.Q) + (measure.at.C.size() > 0 ? measure.pull(measure.at.C) : 0.0);
}

void expect_rows_hold(const Equations& at, const Measure& measure, const Solution& out) {
  const Vector q = to_vector(out.acceleration);
  Vector size = measure.at.A.rowwise().norm() * q.norm() + measure.at.b.cwiseAbs();
  // The fast road stops at the rounding of b - A a. Where M has no inverse, a is that of the masses lent.
  if (out.road_used == Road::fast) {
    Vector a = to_vector(out.free_acceleration);
    if (!a.allFinite()) {
      const Vector push = measure.at.C.size() > 0 ? Vector(measure.at.Q.cwiseAbs() + measure.at.C.cwiseAbs())
                                                  : Vector(measure.at.Q.cwiseAbs());
      a = measure.mass_condition * push.cwiseProduct(to_vector(inverse_masses(at.M, at.A)));
    }
    size += measure.at.A.rowwise().norm() * a.norm();
  }
  const Vector residual = (measure.at.A * q - measure.at.b).cwiseAbs();
  for (int i = 0; i < at.rows(); ++i) {
    // A row that follows from others inherits their rounding.
    double terms = size(i);
    for (const Dependency& d : out.dependencies)
      if (d.row == i)
        for (std::size_t k = 0; k < d.on.size(); ++k) terms += std::abs(d.weight[k]) * size(d.on[k]);
    RC_ASSERT(residual(i) <= rounding(measure) * terms);
  }
}

RC_GTEST_PROP(SolveProperties, TheRowsHoldToRoundingOnEveryRoad, ()) {
  sample::for_systems(sample::any_kind(), [](const Equations& at, const Measure& measure, const Kind& kind) {
    for (Road road : roads) {
      const Solution out = solve_by(road, at);
      RC_ASSERT(out.status == Status::solved);
      RC_ASSERT(out.rank == kind.rank);
      RC_ASSERT(out.road_asked == road);
      expect_rows_hold(at, measure, out);
    }
  });
}

RC_GTEST_PROP(SolveProperties, TheCertificateHoldsOnEveryRoad, ()) {
  const Kind kind = sample::any_of(0, 3) == 0 ? sample::any_singular_kind() : sample::any_kind();
  sample::for_systems(kind, [](const Equations& at, const Measure&, const Kind&) {
    for (Road road : roads) {
      const Certificate certificate = solve_by(road, at).certificate;
      RC_ASSERT(certificate.constraint_residual.holds());
      RC_ASSERT(certificate.virtual_work.holds());
      RC_ASSERT(certificate.gauss_gap.holds());
      RC_ASSERT(certificate.kkt_residual.holds());
      RC_ASSERT(certificate.nonideal_work.holds());
    }
  });
}

RC_GTEST_PROP(SolveProperties, TheExtendedFunctionIsLeastAndThatOfCAsAForce, ()) {
  Kind drawn = sample::any_kind();
  drawn.nonideal = true;
  sample::for_systems(drawn, [](const Equations& at, const Measure& measure, const Kind& kind) {
    Equations pushed = at;
    for (std::size_t i = 0; i < at.C.size(); ++i) pushed.Q[i] += at.C[i];
    pushed.C.clear();
    const double expected = solve_by(Road::robust, pushed).gaussian;  // (24), (25): the same problem
    for (const Road road : roads) {
      const Solution out = solve_by(road, at);
      const double size = moving(measure, out) + pushing(measure);
      RC_ASSERT(std::abs(out.extended_gaussian - expected) <= 4.0 * loss(measure, out) * size * size);
    }
    // (28): q'' + v is possible as well, to the rounding of the terms of its rows.
    if (measure.rows.complement.cols() == 0) return;
    Numbers number(kind.seed);
    const Vector v = measure.virtual_displacement(number), row = measure.at.A * v;
    const Vector terms = measure.at.A.cwiseAbs() * v.cwiseAbs();
    for (int i = 0; i < at.rows(); ++i) {
      // v is rounded in the metric of M, where the row has the length 1 / scale.
      const double size = terms(i) + measure.length(v) / measure.rows.scale(i);
      RC_ASSERT(std::abs(row(i)) <= loss(measure) * size);
    }
  });
}

/// (44)-(47) of Fan et al. with all masses 1, against a pseudo-inverse of another make.
RC_GTEST_PROP(SolveProperties, WithoutMechanicsTheAnswerIsSAndTwoVectorsAtRightAngles, ()) {
  Kind drawn = sample::any_kind();
  drawn.nonideal = true;
  drawn.full_mass = drawn.mass_ratios = drawn.row_scales = drawn.nearly_dependent = false;
  sample::for_systems(drawn, [](const Equations& mechanical, const Measure&, const Kind& kind) {
    Equations at = mechanical;
    at.M = SparseMatrix::diagonal(std::vector<double>(at.coordinates(), 1.0));
    const Measure measure(at);
    if (measure.rows.near != 0.0) return;
    const Solution out = solve(at);
    const Vector s = measure.at.Q, c = measure.at.C;
    const Vector v1 = to_vector(out.constraint_force), v2 = to_vector(out.nonideal_force);
    const double tolerance =
        64.0 * rounding(measure) * measure.condition * (s.norm() + c.norm() + moving(measure, out));
    Vector first = Vector::Zero(at.coordinates()), second = c;  // (42), (43)
    if (kind.rank > 0) {
      Eigen::CompleteOrthogonalDecomposition<sample::Matrix> inverse(measure.at.A.rows(),
                                                                     measure.at.A.cols());
      inverse.setThreshold(1e-10);
      inverse.compute(measure.at.A);
      first = inverse.solve(measure.at.b - measure.at.A * s);
      second = c - inverse.solve(measure.at.A * c);
    }
    RC_ASSERT((v1 - first).norm() <= tolerance);
    RC_ASSERT((v2 - second).norm() <= tolerance);
    RC_ASSERT((to_vector(out.acceleration) - s - v1 - v2).norm() <= tolerance);  // (41)
    RC_ASSERT(std::abs(v1.dot(v2)) <= tolerance * (v1.norm() + v2.norm()));      // (47)
    if (measure.rows.complement.cols() == 0) return;
    Numbers number(kind.seed);
    const Vector v = measure.virtual_displacement(number);
    RC_ASSERT(std::abs(v.dot(v1)) <= tolerance * v.norm());      // (44)
    RC_ASSERT(std::abs(v.dot(v2 - c)) <= tolerance * v.norm());  // (46), (48)
  });
}

RC_GTEST_PROP(SolveProperties, AllRoadsLeadToTheSameMotionAndForces, ()) {
  const Kind kind = sample::any_of(0, 3) == 0 ? sample::any_singular_kind() : sample::any_kind();
  sample::for_systems(kind, [](const Equations& at, const Measure& measure, const Kind&) {
    const Solution first = solve_by(roads[0], at);
    for (std::size_t k = 1; k < roads.size(); ++k) {
      const Solution out = solve_by(roads[k], at);
      const double tolerance = 4.0 * loss(measure, out) * (moving(measure, first) + pushing(measure));
      RC_ASSERT(out.status == first.status);
      RC_ASSERT(out.rank == first.rank);
      const auto apart = [&](auto field) { return Vector(to_vector(out.*field) - to_vector(first.*field)); };
      RC_ASSERT(measure.length(apart(&Solution::acceleration)) <= tolerance);
      RC_ASSERT(measure.pull(apart(&Solution::constraint_force)) <= tolerance);
      RC_ASSERT(measure.pull(apart(&Solution::nonideal_force)) <= tolerance);
    }
  });
}

RC_GTEST_PROP(SolveProperties, NoAccelerationThatMeetsTheRowsIsCloserToTheFreeOne, ()) {
  sample::for_systems(sample::any_kind(), [](const Equations& at, const Measure& measure, const Kind& kind) {
    if (measure.rows.complement.cols() == 0) return;
    const Solution out = solve(at);
    const Vector q = to_vector(out.acceleration);
    Vector push = measure.at.Q;
    if (kind.nonideal) push += measure.at.C;  // the extended function (26) of Fan et al.
    const Vector c =
        dense::solve_lower_transposed(measure.mass.factor, dense::solve_lower(measure.mass.factor, push));
    const double least = measure.length(q - c);
    Numbers number(kind.seed);
    for (int trial = 0; trial < 5; ++trial) {
      const Vector v = measure.virtual_displacement(number);
      RC_ASSERT(measure.length(q + v - c) > least);
      // At the minimum the slope along v is zero. q'' is a plus what C adds to it, which may nearly cancel.
      const double slope = v.dot(measure.at.M * (q - c));
      const double size =
          measure.length(q) + measure.length(c) + measure.length(to_vector(out.free_acceleration));
      RC_ASSERT(std::abs(slope) <= loss(measure, out) * measure.length(v) * size);
    }
  });
}

RC_GTEST_PROP(SolveProperties, InAVirtualDisplacementFLDoesNoWorkAndFCThatOfC, ()) {
  const Kind kind = sample::any_of(0, 3) == 0 ? sample::any_singular_kind() : sample::any_kind();
  sample::for_systems(kind, [](const Equations& at, const Measure& measure, const Kind& of) {
    if (measure.rows.complement.cols() == 0) return;
    const Solution out = solve(at);
    const Vector ideal = to_vector(out.constraint_force), nonideal = to_vector(out.nonideal_force);
    Numbers number(of.seed);
    const Vector v = measure.virtual_displacement(number);
    const double step = loss(measure, out) * measure.length(v);
    RC_ASSERT(std::abs(v.dot(ideal)) <= step * (measure.pull(ideal) + moving(measure, out)));
    if (of.nonideal)
      RC_ASSERT(std::abs(v.dot(nonideal - measure.at.C)) <= step * pushing(measure));
    else
      RC_ASSERT(nonideal.isZero(0.0));
  });
}

RC_GTEST_PROP(SolveProperties, MotionAndForceDoNotSeeTheOrderAndScaleOfRows, ()) {
  Kind drawn = sample::any_kind();
  drawn.row_scales = false;
  sample::for_systems(drawn, [](const Equations& at, const Measure& measure, const Kind& kind) {
    Numbers number(kind.seed + 99);
    sample::Matrix A = measure.at.A;
    Vector b = measure.at.b;
    for (int i = at.rows() - 1; i > 0; --i) {
      const int j = number.below(i + 1);
      A.row(i).swap(A.row(j));
      std::swap(b(i), b(j));
    }
    for (int i = 0; i < at.rows(); ++i) {
      const double scale = std::pow(10.0, number.between(-6.0, 6.0));
      A.row(i) *= scale;
      b(i) *= scale;
    }
    Equations other = at;
    other.A = sample::sparse(A);
    other.b = sample::plain(b);
    const Solution first = solve(at), second = solve(other);
    RC_ASSERT(second.rank == first.rank);
    const double tolerance = 4.0 * std::max(loss(measure, first), loss(measure, second)) *
                             (moving(measure, first) + pushing(measure));
    RC_ASSERT(measure.length(to_vector(second.acceleration) - to_vector(first.acceleration)) <= tolerance);
    RC_ASSERT(measure.pull(to_vector(second.constraint_force) - to_vector(first.constraint_force)) <=
              tolerance);
  });
}

RC_GTEST_PROP(SolveProperties, MultipliersAreTheShortestOfTheirFamily, ()) {
  const Kind kind = sample::any_of(0, 3) == 0 ? sample::any_singular_kind() : sample::any_kind();
  sample::for_systems(kind, [](const Equations& at, const Measure& measure, const Kind& of) {
    for (Road road : {Road::robust, Road::lagrange, Road::gauss, Road::automatic}) {
      const Solution out = solve_by(road, at);
      const Vector lambda = to_vector(out.multipliers);
      RC_ASSERT(out.multipliers_unique == (out.rank == at.rows()));
      RC_ASSERT(static_cast<int>(out.freedom.size()) == at.rows() - out.rank);
      // A^T lambda = F^L, to the rounding of its terms.
      const Vector force = to_vector(out.constraint_force);
      const double terms = lambda.cwiseAbs().dot(measure.rows.scale.cwiseInverse());
      RC_ASSERT(measure.pull(measure.at.A.transpose() * lambda - force) <=
                rounding(measure) * (terms + measure.condition * measure.pull(force)));
      double heaviest = 1.0;  // of the combinations: an orthonormal vector is one divided by its length
      for (const Dependency& d : out.dependencies)
        for (std::size_t k = 0; k < d.on.size(); ++k)
          heaviest = std::max(
              heaviest, std::abs(d.weight[k]) * measure.rows.scale(d.row) / measure.rows.scale(d.on[k]));
      Numbers number(of.seed);
      Vector other = lambda;
      for (std::size_t k = 0; k < out.freedom.size(); ++k) {
        const Vector free = to_vector(out.freedom[k]);
        for (std::size_t i = 0; i <= k; ++i)
          RC_ASSERT(std::abs(free.dot(to_vector(out.freedom[i])) - (i == k)) <= rounding(measure));
        // No force. The entries are rounded at the size of the whole vector, which is one; the rows multiply
        // that.
        RC_ASSERT(measure.pull(measure.at.A.transpose() * free) <=
                  heaviest * loss(measure) * measure.rows.scale.cwiseInverse().maxCoeff());
        RC_ASSERT(std::abs(free.dot(lambda)) <= rounding(measure) * lambda.norm());
        other += number.normal() * lambda.norm() * free;
      }
      RC_ASSERT(lambda.norm() <= other.norm() * (1.0 + rounding(measure)));
    }
  });
}

RC_GTEST_PROP(SolveProperties, DependenciesGiveBackTheirRows, ()) {
  sample::for_systems(sample::any_kind(), [](const Equations& at, const Measure& measure, const Kind& kind) {
    const Solution out = solve_by(Road::robust, at);
    RC_ASSERT(static_cast<int>(out.dependencies.size()) == at.rows() - kind.rank);
    const sample::Matrix A = measure.at.A;
    int before = -1;
    for (const Dependency& d : out.dependencies) {
      RC_ASSERT(d.row > before);
      before = d.row;
      Vector left = A.row(d.row);
      double terms = 1.0;
      for (std::size_t k = 0; k < d.on.size(); ++k) {
        RC_ASSERT(d.on[k] < d.row);  // on earlier rows only
        left -= d.weight[k] * A.row(d.on[k]).transpose();
        terms += std::abs(d.weight[k]) * measure.rows.scale(d.row) / measure.rows.scale(d.on[k]);
      }
      if (A.row(d.row).isZero(0.0)) {
        RC_ASSERT(d.on.empty());
        continue;
      }
      RC_ASSERT(measure.pull(left) * measure.rows.scale(d.row) <= rounding(measure) * terms);
    }
  });
}

RC_GTEST_PROP(SolveProperties, WithASingularMassMatrixTheMotionIsThatOfLagrange, ()) {
  sample::for_systems(
      sample::any_singular_kind(), [](const Equations& at, const Measure& measure, const Kind& kind) {
        for (Road road : roads) {
          const Solution out = solve_by(road, at);
          RC_ASSERT(out.status == Status::solved);
          RC_ASSERT(out.rank == kind.rank);
          expect_rows_hold(at, measure, out);
          const Vector q = to_vector(out.acceleration);
          const Vector held = to_vector(out.constraint_force) + to_vector(out.nonideal_force);
          RC_ASSERT(measure.pull(measure.at.M * q - measure.at.Q - held) <=
                    loss(measure) * (measure.length(q) + pushing(measure) + measure.pull(held)));
          for (double a : out.free_acceleration) RC_ASSERT(std::isnan(a));
          for (double e : out.dissatisfaction) RC_ASSERT(std::isnan(e));
          for (double d : out.deviation) RC_ASSERT(std::isnan(d));
          RC_ASSERT(std::isnan(out.gaussian));
        }
      });
}

}  // namespace
}  // namespace vinculum
