// Power series through the constraints: their order, and the motions they make.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>

#include "motion/series_models.hpp"
#include "motion/systems.hpp"
#include "system/series/motion_series.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

struct Case {
  const char* name;
  Model (*model)();
};

Model spherical() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.2, 0.8}), y = m.coordinate("y", {1.6, -0.6}),
                   z = m.coordinate("z", {0.0, 0.5});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1.3);
  m.force(y, -9.81 * 1.3);
  m.constrain("rod", x * x + y * y + z * z, 4);
  return m;
}

Model turning_rod() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.5, -0.2}), y = m.coordinate("y", {0, 0.4});
  m.mass(x, 1);
  m.mass(y, 2);
  m.constrain("rod", x * sin(0.8 * m.time()), y * cos(0.8 * m.time()));
  return m;
}

Model knife_edge() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0}),
                   a = m.coordinate("a", {0, 0.7});
  m.mass(x, 1);
  m.mass(y, 1);
  m.mass(a, 0.3);
  m.force(x, 2);
  m.constrain("edge", x.rate() * sin(a) - y.rate() * cos(a));
  return m;
}

Model equal_speeds() {  // not linear in the velocities: Appell's kind
  Model m;
  const Coordinate x = m.coordinate("x", {0, 3}), y = m.coordinate("y", {0, 4}),
                   z = m.coordinate("z", {0, 5});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
  m.force(x, cos(m.time()));
  m.force(z, -2);
  m.constrain("speed", pow(x.rate(), 2) + pow(y.rate(), 2) - pow(z.rate(), 2));
  return m;
}

Model driven_acceleration() {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.3}), y = m.coordinate("y", {0.2, 0.5});
  m.mass(x, 1);
  m.mass(y, 2);
  m.force(x, -4 * x + sin(y));
  m.constrain("law", x.acceleration() + x * y.acceleration() + x.rate() * y.rate() - cos(m.time()));
  return m;
}

Model redundant() {  // each row twice, once squared
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0.8}), y = m.coordinate("y", {-0.8, 0.6});
  m.mass(x, 1);
  m.mass(y, 1);
  m.force(y, -9.81);
  m.constrain("rod", x * x + y * y, 1);
  m.constrain("again", 3 * sqrt(x * x + y * y), 3);
  return m;
}

Model double_pendulum_of_energies() {
  Model m;
  const Coordinate a = m.coordinate("a", {1.1, 0}), b = m.coordinate("b", {0.3, -0.5}),
                   c = m.coordinate("c", {1.4, -0.5});
  m.kinetic(pow(a.rate(), 2) + 0.5 * pow(b.rate(), 2) + a.rate() * b.rate() * cos(a - b) +
            0.1 * pow(c.rate(), 2) * exp(0.2 * a));
  m.potential(-9.81 * (2 * cos(a) + cos(b)) + 0.3 * pow(c, 4));
  m.constrain("sum", c - a - b);
  return m;
}

Model heavy_body() {
  Model m;
  m.gravity({0, 0, -9.81});
  BodyOptions options;
  options.mass = 2;
  options.inertia = {0.4, 0.5, 0.2};
  options.position = {0, 0, 0.5};
  options.omega_body = {0.3, 0.2, 4};
  options.velocity = {0.1, -0.15, 0};  // that of the centre, about the tip
  const Body top = m.body("top", options);
  m.joint("tip", {}, top, {.type = JointType::spherical, .point = {0, 0, 0}});
  return m;
}

Model many_operations() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.5, 0.1}),
                   y = m.coordinate("y", {0.7, -0.03 * std::exp(0.15) / std::cos(0.7)});
  m.mass(x, 1 + 0.1 * x * x);
  m.mass(y, 1);
  m.force(x, tanh(y) - atan(x) + log(2 + y) - sqrt(1 + x * x) + atan2(x, y) + pow(y, 1.5));
  m.force(y, asin(0.3 * x) - sinh(0.5 * x) + cosh(x * y) - tan(0.4 * y) + hypot(x, y) + abs(x) * min(x, y));
  m.constrain("curve", exp(0.3 * x) + sin(y) - exp(0.15) - std::sin(0.7));
  m.mass(x, y, 0.1);
  return m;
}

Model chain() {
  Model m;
  std::vector<Particle> p;
  for (int i = 0; i < 9; ++i) {
    ParticleOptions o;
    o.mass = 1 + 0.1 * i;
    o.position = {0.6 * (i + 1), 0.8 * (i % 2), 0};
    p.push_back(m.particle("p" + std::to_string(i), o));
  }
  m.gravity({0, -9.81, 0});
  for (int i = 0; i < 9; ++i) {
    const Expr dx = i == 0 ? Expr(p[0].x) : p[i].x - p[i - 1].x,
               dy = i == 0 ? Expr(p[0].y) : p[i].y - p[i - 1].y,
               dz = i == 0 ? Expr(p[0].z) : p[i].z - p[i - 1].z;
    const double length = i == 0 ? 0.36 : 1.0;
    m.constrain("rod" + std::to_string(i), dx * dx + dy * dy + dz * dz, length);
  }
  return m;
}

constexpr Case cases[] = {{"spherical", spherical},
                          {"turning_rod", turning_rod},
                          {"knife_edge", knife_edge},
                          {"equal_speeds", equal_speeds},
                          {"driven_acceleration", driven_acceleration},
                          {"redundant", redundant},
                          {"energies", double_pendulum_of_energies},
                          {"heavy_body", heavy_body},
                          {"many_operations", many_operations},
                          {"chain", chain},
                          {"dragged", test::dragged},
                          {"dragged_by_a_moving_rod", test::dragged_by_a_moving_rod},
                          {"rubbed_on_a_ring", test::rubbed_on_a_ring},
                          {"puck_on_a_lift", test::puck_on_a_lift},
                          {"puck_on_a_belt", test::puck_on_a_belt},
                          {"two_pucks", test::two_pucks},
                          {"vakonomic_skate", test::vakonomic_skate},
                          {"vakonomic_wind", test::vakonomic_wind},
                          {"cart_and_pole", test::cart_and_pole},
                          {"led_rod", test::led_rod}};

class Taylor : public testing::TestWithParam<Case> {};

Model two_rods() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {-0.8, 0}),
                   u = m.coordinate("u", {1.6, 0}), w = m.coordinate("w", {-0.8, 0.5});
  for (const Coordinate& q : {x, y, u, w}) m.mass(q, 1);
  m.force(y, -9.81);
  m.force(w, -9.81);
  m.constrain("upper", x * x + y * y, 1);
  m.constrain("lower", pow(u - x, 2) + pow(w - y, 2), 1);
  return m;
}

/// tools/derive_motions: 40 digits, and the accelerations written out by hand.
TEST(TaylorSteps, EndsAreThoseOfFortyDigits) {
  const struct {
    Model model;
    std::vector<double> end;  // coordinates, then velocities
  } known[] = {
      {spherical(),
       {-1.16279471800404796764050686013, 1.58394406089692584308795151319, -0.372866806958251838400335838401,
        1.01766150366595568987569587142, 0.702429859292309905902381421016,
        -0.189670456142348957894514782326}},
      {two_rods(),
       {0.0544153699060533322180507688101, -0.998518386169221916229082666162,
        -0.545564691646777455873039199998, -1.79853333961638178923415992353, 1.17386427875605966733933021052,
        0.0639710393246461335217426490943, 4.18715077849903259038758250889,
        -2.19587649452712400063097968153}},
      {equal_speeds(),
       {5.77981959195397491544960935259, 6.16504224709357706618496440673, 8.46172543766652290621669265684,
        2.3393627507103550015313160612, 2.32531560153822726566955165182, 3.29844065069666006822284727246}}};
  for (const auto& [model, end] : known) {
    MotionOptions o;
    o.until = 2;
    o.samples = 1;
    o.integrator = Integrator::taylor;
    for (const double tolerance : {1e-9, 1e-13}) {
      o.tolerance = tolerance;
      const Trajectory motion = simulate(System(model), o);
      ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
      const std::size_t count = end.size() / 2;
      for (std::size_t i = 0; i < count; ++i) {  // errors of some steps, grown along the motion
        EXPECT_NEAR(motion.last.q[i], end[i], 30 * tolerance + 1e-13);
        EXPECT_NEAR(motion.last.v[i], end[count + i], 100 * tolerance + 1e-12);
      }
    }
  }
}

TEST(TaylorSteps, WhatHasNoSeriesIsMadeByAnotherMethodAndSaid) {
  const auto notes_of = [](const Model& model, Stabilisation keep = Stabilisation::projection) {
    MotionOptions o;
    o.until = 0.5;
    o.integrator = Integrator::taylor;
    o.keep = keep;
    const Trajectory motion = simulate(System(model), o);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    std::string all;
    for (const std::string& note : motion.notes) all += note + "\n";
    return all;
  };
  EXPECT_EQ(notes_of(spherical()), "");
  EXPECT_NE(notes_of(spherical(), Stabilisation::baumgarte).find("no series of Baumgarte's terms"),
            std::string::npos);

  // The root has no slope where the motion begins, and all slopes behind it.
  Model root;
  const Coordinate z = root.coordinate("z", {0, 1});
  root.mass(z, 1);
  root.force(z, -sqrt(z));
  EXPECT_NE(notes_of(root).find("from where there is no series"), std::string::npos);
}

/// On a switch the motion tells which side is next; a series that took one for granted would miss the other.
TEST(TaylorSteps, WhatBeginsOnASwitchGoesToTheSideOfTheMotion) {
  const auto end_of = [](const Model& model, double until) {
    MotionOptions o;
    o.until = until;
    o.samples = 1;
    o.integrator = Integrator::taylor;
    const Trajectory motion = simulate(System(model), o);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    return std::make_tuple(motion.last.q[0], motion.last.v[0], motion[motion.size() - 1].work);
  };
  const auto moved = [](double start, const auto& force) {
    Model m;
    const Coordinate x = m.coordinate("x", {start, 1});
    m.mass(x, 1);
    m.force(x, force(x, m.time()));
    return m;
  };
  // A thirty-second of the run is 0.3125: steps end on 4.6875 exactly. Then 100 for that time.
  const Model pulse = moved(0, [](const Expr&, const Expr& t) {
    return if_less_equal(t, 4.6875, 0.0, if_less(t, 5.0, 100.0, 0.0));
  });
  EXPECT_NEAR(std::get<1>(end_of(pulse, 10)), 32.25, 1e-6);
  EXPECT_NEAR(std::get<0>(end_of(pulse, 10)), 5 + 0.5 * 100 * 0.3125 * 0.3125 + 5 * 32.25, 1e-5);
  // From the edge of a field, out of it: no force at all.
  const Model leaves = moved(1, [](const Expr& x, const Expr&) { return if_less_equal(x, 1.0, 5.0, 0.0); });
  EXPECT_NEAR(std::get<0>(end_of(leaves, 2)), 3, 1e-6);
  const Model signs = moved(1, [](const Expr& x, const Expr&) { return -3 * sign(x - 1); });
  EXPECT_NEAR(std::get<0>(end_of(signs, 0.25)), 1 + 0.25 - 1.5 * 0.0625, 1e-6);
  // The work of time itself.
  Model raised = moved(0, [](const Expr& x, const Expr&) { return 0.0 * x; });
  raised.potential(abs(raised.time()));
  EXPECT_NEAR(std::get<2>(end_of(raised, 10)).explicit_time, 10, 1e-6);
}

/// A force that nothing tells of at the start, nor far behind it.
TEST(TaylorSteps, WhatComesUpAlongTheStepIsSeen) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 2});
  m.mass(x, 1);
  m.mass(y, 1);
  m.force(x, 3 * exp(-pow(m.time() - 5, 2) / 0.02));
  m.constrain("line", y, 2 * x);
  const System system(m);
  MotionOptions o;
  o.until = 10;
  o.integrator = Integrator::taylor;
  const Trajectory motion = simulate(system, o);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  // A push of 3 sqrt(0.02 pi) on a mass of 1 + 4.
  const double gained = 3 * std::sqrt(0.02 * std::numbers::pi) / 5;
  EXPECT_NEAR(motion[motion.size() - 1].v[0], 1 + gained, 1e-8);
}

std::vector<double> coordinates_after(MotionSeries& series, std::size_t count, double h) {
  std::vector<double> q(count, 0.0);
  for (int k = series.order(); k >= 0; --k)
    for (std::size_t i = 0; i < count; ++i) q[i] = series.coordinates(k)[i] + h * q[i];
  return q;
}

/// Half the step has an error of 2^-(order + 1): compared with a Runge-Kutta method that knows no series.
TEST_P(Taylor, SeriesHaveTheirOrder) {
  constexpr int order = 6;
  const System system(GetParam().model());
  ASSERT_EQ(why_no_series(system), "");
  MotionSeries series(system, order);
  Workspace work(system);
  ASSERT_EQ(series.expand(system.start(), {}, 1.0, work), SeriesFound::all);
  const auto error = [&](double h) {
    MotionOptions o;
    o.until = h;
    o.tolerance = 1e-14;
    o.samples = 1;
    const Trajectory truth = simulate(system, o);
    EXPECT_EQ(truth.stop, Stop::end) << truth.reason;
    const std::span<const double> at = truth[truth.size() - 1].q;
    const std::vector<double> q = coordinates_after(series, at.size(), h);
    double most = 0;
    for (std::size_t i = 0; i < at.size(); ++i) most = std::max(most, std::fabs(q[i] - at[i]));
    return most;
  };
  // A step whose error is a millionth: there the next order is the rest.
  double h = 0.5;
  while (error(h) > 1e-6) h /= 2;
  const double whole = error(h), half = error(h / 2);
  EXPECT_GT(std::log2(whole / half), order + 0.3) << whole << " " << half << " at " << h;
}

/// As one kernel, and element by element, order by order.
TEST_P(Taylor, BothRoadsHaveTheSameCoefficients) {
  constexpr int order = 10;
  const System system(GetParam().model());
  const State start = system.start();
  Workspace work(system);
  MotionSeries series(system, order);
  ASSERT_EQ(series.expand(start, {}, 0.25, work), SeriesFound::all);

  if (has_restricted_programmes(system)) GTEST_SKIP() << "only one road";
  const Equations& here = evaluate(system, start, work);
  SolveWorkspace solved(system.structure());
  Solution found;
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system.structure(), here, solved, found, options);
  OrderSeries by_order(system, order);
  by_order.bind();
  SeriesNumbers numbers(system, order);
  ASSERT_TRUE(by_order.expand(start, here, found, solved, nullptr, 0.25, numbers));

  // Rounding, of a few thousand operations; what is left of terms that cancel has the rounding of the terms.
  double largest = 0;
  const auto expect_same = [&](const double* one, const double* other, int count, int k) {
    double size = 0, apart = 0;
    for (int i = 0; i < count; ++i) {
      size = std::max(size, std::fabs(one[i]));
      apart = std::max(apart, std::fabs(one[i] - other[i]));
    }
    largest = std::max(largest, size);
    EXPECT_LE(apart, std::max(1e-12 * size, 1e-20 * largest)) << "order " << k;
  };
  for (int k = 0; k <= order; ++k) {
    expect_same(series.coordinates(k), numbers.q(k), static_cast<int>(start.q.size()), k);
    expect_same(series.coordinates(k) + start.q.size(), numbers.v(k), static_cast<int>(start.v.size()), k);
    if (k == 0) continue;
    const double sizes = 1 + std::fabs(numbers.work(k).impressed) + std::fabs(numbers.work(k).constraint);
    EXPECT_NEAR(series.work(k).impressed, numbers.work(k).impressed, 1e-11 * sizes);
    EXPECT_NEAR(series.work(k).constraint, numbers.work(k).constraint, 1e-11 * sizes);
    EXPECT_NEAR(series.work(k).nonideal, numbers.work(k).nonideal, 1e-11 * sizes);
    EXPECT_NEAR(series.work(k).explicit_time, numbers.work(k).explicit_time, 1e-11 * sizes);
  }
}

TEST_P(Taylor, MotionsAreThoseOfAnotherMethod) {
  const System system(GetParam().model());
  MotionOptions o;
  o.until = 1.5;
  o.samples = 3;
  o.tolerance = 1e-12;
  const Trajectory truth = simulate(system, o);
  ASSERT_EQ(truth.stop, Stop::end) << truth.reason;
  o.integrator = Integrator::taylor;
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    o.tolerance = tolerance;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    for (const std::string& note : motion.notes)
      EXPECT_EQ(note.find("in the place of taylor"), note.npos) << note;
    const Sample last = motion[motion.size() - 1], want = truth[truth.size() - 1];
    double most = 0, size = 0;
    for (std::size_t i = 0; i < last.q.size(); ++i) {
      most = std::max(most, std::fabs(last.q[i] - want.q[i]));
      size = std::max(size, std::fabs(want.q[i]));
    }
    EXPECT_LT(most, 30 * tolerance * size + 1e-11) << "to " << tolerance;
    const double near = 100 * tolerance * (1 + std::fabs(want.energy));
    for (const auto part : {&Work::impressed, &Work::constraint, &Work::nonideal, &Work::control})
      EXPECT_NEAR(last.work.*part, want.work.*part, near);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Taylor, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace vinculum
