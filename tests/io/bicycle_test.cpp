// The benchmark bicycle: its linear motion about riding straight ahead against the published eigenvalues.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <random>
#include <sstream>

#include "support/data.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/assemble.hpp"

namespace vinculum {
namespace {

ModelFile bicycle(double speed) {
  std::ifstream file(test_data() + "/mechanisms/whipple_bicycle.toml", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  ReadResult read = read_model(text.str(), "whipple_bicycle.toml", {{"v", std::to_string(speed)}});
  for (const Fault& fault : read.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  return std::move(*read.file);
}

/// The outputs at a state: lean, steering, their rates and their accelerations.
Eigen::Matrix<double, 6, 1> seen(const System& system, const State& at) {
  MotionOptions how;
  how.until = at.t;
  how.samples = 1;
  const Trajectory here = simulate(system, at, how);
  EXPECT_EQ(here.stop, Stop::end) << here.reason;
  return Eigen::Map<const Eigen::Matrix<double, 6, 1>>(here.back().outputs.data());
}

/// The matrix of the linear motion of (lean, steering, their rates), from states beside riding straight
/// ahead: each is closed by assemble(), which decides what it is; accelerations are then fitted to what was
/// seen.
Eigen::Matrix4d linear_motion(double speed) {
  const System system(bicycle(speed).model);
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> by(-1e-5, 1e-5);
  const int tries = 24;
  Eigen::Matrix<double, 4, tries> states;
  Eigen::Matrix<double, 2, tries> accelerations;
  for (int k = 0; k < tries; ++k) {
    State ahead = system.start(), back = ahead;
    for (std::size_t i = 0; i < ahead.q.size(); ++i) {
      const double d = by(engine);
      ahead.q[i] += d;
      back.q[i] -= d;
    }
    for (std::size_t i = 0; i < ahead.v.size(); ++i) {
      const double d = by(engine);
      ahead.v[i] += d;
      back.v[i] -= d;
    }
    const Assembly one = assemble(system, ahead), other = assemble(system, back);
    EXPECT_TRUE(one.repaired && other.repaired) << one.text << other.text;
    const Eigen::Matrix<double, 6, 1> half = (seen(system, one.state) - seen(system, other.state)) / 2;
    states.col(k) = half.head<4>();
    accelerations.col(k) = half.tail<2>();
  }
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomRows<2>() = states.transpose().colPivHouseholderQr().solve(accelerations.transpose()).transpose();
  return A;
}

/// Of lean and steering by (lean, steering, their rates) at a speed v: so in the documentation of SymPy
/// (github: sympy/sympy, bicycle example of physics.mechanics), to 15 digits.
Eigen::Matrix<double, 2, 4> accelerations_of_sympy(double v) {
  Eigen::Matrix<double, 2, 4> a;
  a << 9.48977444677355, -0.891197738059089 * v * v - 0.571523173729245, -0.105522449805691 * v,
      -0.330515398992311 * v, 11.7194768719633, 30.9087533932407 - 1.97171508499972 * v * v,
      3.67680523332152 * v, -3.08486552743311 * v;
  return a;
}

/// Published eigenvalues: capsize, weave (one of the pair, or both of two real ones) and castering.
struct Published {
  double speed;
  std::complex<double> values[4];
};

/// J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007), table 2, 14
/// decimals.
const Published published[] = {
    {0, {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393}},
    {1,
     {-7.11008014637442,
      -3.13423125066578,
      {3.52696170990070, 0.80774027519930},
      {3.52696170990070, -0.80774027519930}}},
    {3,
     {-10.35101467245920,
      -2.63366137253667,
      {1.70675605663975, 2.31582447384325},
      {1.70675605663975, -2.31582447384325}}},
    {5,
     {-14.07838969279820,
      -0.32286642900409,
      {-0.77534188219585, 4.46486771378823},
      {-0.77534188219585, -4.46486771378823}}},
    {7,
     {-18.15788466125262,
      0.10268170574766,
      {-2.13875644258362, 7.19525913329805},
      {-2.13875644258362, -7.19525913329805}}},
    {10,
     {-24.62459635017404,
      0.16105338653172,
      {-3.72016840437287, 10.90681139476287},
      {-3.72016840437287, -10.90681139476287}}},
};

TEST(Bicycle, LeansAndSteersAsPublished) {
  for (const Published& known : published) {
    SCOPED_TRACE(known.speed);
    const Eigen::Matrix4d A = linear_motion(known.speed);
    // Quotients of differences of 1e-5: second powers of it, times accelerations of up to some hundreds, and
    // rounding.
    const double allowed = 1e-6 * (1 + known.speed * known.speed);
    const Eigen::Matrix<double, 2, 4> theirs = accelerations_of_sympy(known.speed);
    EXPECT_LT((A.bottomRows<2>() - theirs).cwiseAbs().maxCoeff(), allowed) << A.bottomRows<2>() << "\n\n"
                                                                           << theirs;
    const Eigen::Vector4cd found = A.eigenvalues();
    for (const std::complex<double>& value : known.values) {
      double nearest = INFINITY;
      for (const std::complex<double>& own : found) nearest = std::min(nearest, std::abs(own - value));
      EXPECT_LT(nearest, allowed) << value;
    }
  }
}

}  // namespace
}  // namespace vinculum
