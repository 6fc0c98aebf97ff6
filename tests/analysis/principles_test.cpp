// The principles of the papers with the numbers of an instant, against their definitions.
#include "vinculum/analysis/principles.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "equation/dense/dense.hpp"
#include "equation/sample.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using dense::Matrix;
using dense::to_vector;
using dense::Vector;

Matrix matrix(const std::vector<double>& row_major, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      row_major.data(), rows, columns);
}

/// A ball on a rod, with gravity downwards along -z and friction in the pivot; the rod may be stated thrice.
Model ball(int rods, bool rubs) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {2, 0.5}),
                   z = m.coordinate("z", {2, -0.5});
  for (const Coordinate& c : {x, y, z}) m.mass(c, 2.0);
  m.mass(x, y, 0.3);
  m.potential(2.0 * 9.81 * z);
  for (int k = 0; k < rods; ++k)
    m.constrain("rod" + std::to_string(k), (k + 1.0) * (pow(x, 2) + pow(y, 2) + pow(z, 2)), 9.0 * (k + 1.0));
  if (rubs) {
    m.nonideal(x, 0.7);
    m.nonideal(z, -0.2);
  }
  return m;
}

struct Looked {
  Model model;
  System system;
  Instant at;
  explicit Looked(Model m) : model(std::move(m)), system(model), at(examine(model, system, system.start())) {}
};

TEST(Principles, OfARowWhoseSquaresAreNoNumbersTheSpacesAreToldAndNotTheMatrices) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0.0, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("rod", 1e160 * (pow(x, 2) + pow(y, 2)), 1e160);
  const Looked of(m);
  const Principles found = principles_of(of.system, of.at);
  EXPECT_FALSE(found.matrices);
  ASSERT_TRUE(found.spaces);
  EXPECT_EQ(found.spaces->reactions, 1);
  EXPECT_TRUE(of.at.solution.certificate.holds());
}

TEST(Principles, TheMatricesAreThoseOfThePaper) {
  const Looked of(ball(2, false));
  const Principles found = principles_of(of.system, of.at);
  ASSERT_TRUE(found.matrices);
  const dense::Problem p = dense::to_problem(of.at.equations);
  // By the spectral theorem and singular values, as the paper defines them.
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(p.M);
  const Matrix root = spectrum.operatorSqrt(), B = p.A * spectrum.operatorInverseSqrt();
  const Matrix inverse = B.completeOrthogonalDecomposition().pseudoInverse();
  const Proportionality& k = *found.matrices;
  const double rounding = 1e-14 * 50;  // the largest entry of B is 24
  EXPECT_LT((matrix(k.constraint_matrix, 2, 3) - B).norm(), rounding);
  EXPECT_LT((matrix(k.inverse, 3, 2) - inverse).norm(), rounding);
  EXPECT_LT((matrix(k.K, 3, 2) - root * inverse).norm(), rounding);
  EXPECT_LT((matrix(k.K1, 3, 2) - spectrum.operatorInverseSqrt() * inverse).norm(), rounding);
  EXPECT_LT((matrix(k.K2, 2, 2) -
             (p.A * p.M.inverse() * p.A.transpose()).completeOrthogonalDecomposition().pseudoInverse())
                .norm(),
            rounding);
  const Vector z = to_vector(found.scaled_deviation);
  EXPECT_LT((z - inverse * to_vector(of.at.solution.dissatisfaction)).norm(), rounding * 20);
  EXPECT_NEAR(z.squaredNorm(), of.at.solution.gaussian, 1e-12 * of.at.solution.gaussian);  // (13): G is |z|^2
}

TEST(Principles, VirtualDisplacementsMakeUpTheNullSpaceAndForcesWorkInThemAsTheyShould) {
  for (const bool rubs : {false, true}) {
    const Looked of(ball(3, rubs));
    const Principles found = principles_of(of.system, of.at);
    ASSERT_TRUE(found.displacements_known);
    ASSERT_EQ(found.displacements.size(), 2u);
    Matrix all(3, 2);
    const Matrix A = dense::to_problem(of.at.equations).A;
    for (int k = 0; k < 2; ++k) {
      const VirtualDisplacement& d = found.displacements[k];
      all.col(k) = to_vector(d.v);
      EXPECT_LT((A * to_vector(d.v)).norm(), 1e-14 * A.norm());
      EXPECT_NEAR(d.ideal, 0.0, 1e-13);
      EXPECT_NEAR(d.nonideal, d.stated, 1e-13);
      EXPECT_EQ(d.stated != 0.0, rubs);
    }
    EXPECT_EQ(all.fullPivLu().rank(), 2);
  }
}

TEST(Principles, TheSpacesHaveTheDimensionsOfTheConstraints) {
  const Looked thrice(ball(3, false));
  const Spaces held = principles_of(thrice.system, thrice.at).spaces.value();
  EXPECT_EQ(held.states, 6);
  EXPECT_EQ(held.held, 4);  // the sphere and its tangents
  EXPECT_EQ(held.rows, 3);
  EXPECT_EQ(held.reactions, 1);
  Model skate;
  const Coordinate x = skate.coordinate("x", {0, 1}), y = skate.coordinate("y", {0, 0});
  for (const Coordinate& c : {x, y}) skate.mass(c, 1.0);
  skate.constrain("blade", y.rate() - x * x.rate(), 0.0);
  const Looked of(std::move(skate));
  const Spaces blade = principles_of(of.system, of.at).spaces.value();
  EXPECT_EQ(blade.held, 3);
  EXPECT_EQ(blade.reactions, 1);
}

TEST(Principles, ATrialThatKeepsTheRowsIsAboveTheMotionByItsDistance) {
  for (const bool rubs : {false, true}) {
    const Looked of(ball(1, rubs));
    const Solution& s = of.at.solution;
    // Along a displacement that is virtual at (1, 2, 2): (2, -1, 0).
    const Trial kept =
        try_out(of.system, of.at, {{"x", s.acceleration[0] + 2}, {"y''", s.acceleration[1] - 1}});
    EXPECT_TRUE(kept.keeps);
    EXPECT_NEAR(kept.above, 2 * 4 + 2 * 1 - 2 * 0.3 * 2, 1e-12);
    const double function = rubs ? kept.extended - s.extended_gaussian : kept.gaussian - s.gaussian;
    EXPECT_NEAR(function, kept.above, 1e-11);
    const Trial off = try_out(of.system, of.at, {{"z", s.acceleration[2] + 1}});
    EXPECT_FALSE(off.keeps);
    EXPECT_NEAR(off.miss[0], 4.0, 1e-12);
    // The extended function by its definition: with M^-1 C.
    const dense::Problem p = dense::to_problem(of.at.equations);
    Vector apart = to_vector(off.acceleration) - p.M.inverse() * (p.C.size() > 0 ? Vector(p.Q + p.C) : p.Q);
    EXPECT_NEAR(off.extended, apart.dot(p.M * apart), 1e-10);
    const Trial moved = try_out(of.system, of.at, {{"x'", 2}, {"y'", -1}});
    EXPECT_TRUE(moved.is_virtual);
    EXPECT_NEAR(moved.ideal, 0.0, 1e-12);
    EXPECT_NEAR(moved.nonideal, moved.stated, 1e-12);
    EXPECT_NEAR(moved.stated, rubs ? 1.4 : 0.0, 1e-15);
  }
}

TEST(Principles, ChosenMultipliersMakeTheSameForceAndAreWhatWasAskedFor) {
  const Looked of(ball(3, false));
  const Solution& s = of.at.solution;
  const Matrix A = dense::to_problem(of.at.equations).A;
  const Vector force = to_vector(s.constraint_force);
  // By definition: K2 e + [I - (A^T)^+ A^T] h.
  const Matrix At = A.transpose();
  const Vector h(Eigen::Vector3d(0, 5, 0));
  const Vector family = to_vector(multipliers_for(of.system, of.at, {{"rod1", 5}}));
  const Vector expected =
      to_vector(s.multipliers) + h - At.completeOrthogonalDecomposition().pseudoInverse() * (At * h);
  EXPECT_LT((family - expected).norm(), 1e-12);
  EXPECT_LT((At * family - force).norm(), 1e-12 * force.norm());
  // One rod that costs next to nothing carries next to all; rows 1 : 2 : 3 at the weights 1, 1, w.
  const Vector weighted = to_vector(multipliers_by_weight(of.system, of.at, {{"rod2", 1e-6}}));
  EXPECT_LT((At * weighted - force).norm(), 1e-9 * force.norm());
  const double share =
      1.0 / (1 + 4 + 9 / 1e-6);  // least sum of w l^2 with l1 + 2 l2 + 3 l3 = L: l_k = k / w_k
  const double L = force.dot(A.row(0)) / A.row(0).squaredNorm();
  EXPECT_NEAR(weighted[0], L * share, 1e-12 * std::fabs(L));
  EXPECT_NEAR(weighted[1], L * 2 * share, 1e-12 * std::fabs(L));
  EXPECT_NEAR(weighted[2], L * 3e6 * share, 1e-9 * std::fabs(L));
}

std::string fault(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    return error.text();
  }
  return "no error";
}

/// The principle is d'Alembert's and Gauss's: of vakonomic motion, or without M^-1, it says nothing.
TEST(Principles, WhatThePrincipleDoesNotSayIsNotSaid) {
  const auto page_of = [](Model m) {
    const Looked of(std::move(m));
    const Answer found = answer(of.system, of.at, {{{"x", of.at.solution.acceleration[0]}}, {}, {}});
    EXPECT_TRUE(found.trial->keeps);
    return answer_page(of.system, of.at, found);
  };
  const auto skate = [](bool vakonomic, double mass) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0}),
                     z = m.coordinate("z", {0, 0.5});
    m.mass(x, mass);
    m.mass(y, 1.0);
    m.mass(z, 1.0);
    m.constrain("blade", mass > 0 ? y.rate() - z * x.rate() : x - z, 0.0);
    if (vakonomic) {
      m.set_mechanics(Mechanics::vakonomic);
      m.start_multiplier("blade", 0, 0.2);
    }
    return m;
  };
  const std::string said = "no trial that keeps the constraints is below the motion";
  EXPECT_NE(page_of(skate(false, 1)).find(said), std::string::npos);
  EXPECT_EQ(page_of(skate(true, 1)).find(said), std::string::npos);
  EXPECT_EQ(page_of(skate(false, 0)).find(said), std::string::npos);
}

TEST(Principles, WhatIsAskedWronglyGetsASentence) {
  const Looked of(ball(1, false));
  EXPECT_EQ(fault([] { read_named("x"); }), "'x' is not name=number; write them as \"x=1, y=-2.5\"");
  EXPECT_EQ(fault([] { read_named(""); }), "'' is not name=number; write them as \"x=1, y=-2.5\"");
  EXPECT_EQ(fault([] { read_named("x=1, x=2"); }), "'x' is given twice");
  EXPECT_EQ(fault([] { read_named("x=1,"); }), "'' is not name=number; write them as \"x=1, y=-2.5\"");
  EXPECT_EQ(fault([] { read_named("x=nan"); }), "'x=nan' is not name=number; write them as \"x=1, y=-2.5\"");
  EXPECT_EQ(fault([&] { try_out(of.system, of.at, {{"q", 1}}); }),
            "--try: nothing that moves is called 'q'; there are x, y and z");
  EXPECT_EQ(fault([&] { multipliers_for(of.system, of.at, {{"rod", 1}}); }),
            "--family: there is no constraint or row 'rod' (did you mean 'rod0'?)");
  EXPECT_EQ(fault([&] { multipliers_by_weight(of.system, of.at, {{"rod0", 0}}); }),
            "--weights: the weight of 'rod0' is 0; it must be positive");
}

}  // namespace
}  // namespace vinculum
