// Programmes along a motion: reference cases i01 and i02, stabilising, restricted actuators, work and
// records.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion/reference.hpp"
#include "motion/until.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using test::until;

ServoOptions driven_by(const std::vector<Expr>& actuators, double frequency = 0) {
  ServoOptions options;
  options.actuators = actuators;
  options.frequency = frequency;
  return options;
}

ServoOptions stabilised(double frequency, double damping = 1) {
  ServoOptions options;
  options.frequency = frequency;
  options.damping = damping;
  return options;
}

double power_of(const Sample& s) {
  double power = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i) power += s.control_force[i] * s.v[i];
  return power;
}

// --- The reference
// -----------------------------------------------------------------------------------------------------------

Model lissajous(const Case& c, bool marked = true) {
  Model m;
  const double mass = c.parameter("m"), drag = c.parameter("c");
  const Coordinate x = m.coordinate("x", {c.initial("x"), c.initial("vx")}),
                   y = m.coordinate("y", {c.initial("y"), c.initial("vy")}),
                   z = m.coordinate("z", {c.initial("z"), c.initial("vz")});
  for (const Coordinate& q : {x, y, z}) {
    m.mass(q, mass);
    m.force(q, -drag * q.rate());
  }
  m.force(z, -mass * c.parameter("g"));
  const Expr t = m.time();
  m.constrain("course", Vector{x, y, z}, Vector{cos(t), sin(2 * t), t / 5});
  if (marked) m.servo("course");
  return m;
}

TEST(Control, AMassOnACourseIsPushedByTheForceThatIsKnownInClosedForm) {
  const Case c("i01-servo-lissajous");
  expect_reproduced(c, lissajous(c), reference::standard_demands(), [](const Sample& s) {
    return reference::Quantities{
        {"Fx", s.control_force[0]}, {"Fy", s.control_force[1]}, {"Fz", s.control_force[2]}};
  });
}

Model arm(const Case& c, bool marked = true) {
  const double l1 = c.parameter("l1"), l2 = c.parameter("l2"), m1 = c.parameter("m1"), m2 = c.parameter("m2"),
               g = c.parameter("g");
  Model m;
  const Coordinate q1 = m.coordinate("q1", {c.initial("q1"), c.initial("q1_dot")}),
                   q2 = m.coordinate("q2", {c.initial("q2"), c.initial("q2_dot")});
  const Vector elbow{l1 * cos(q1), l1 * sin(q1), 0};
  const Vector tip = elbow + Vector{l2 * cos(q1 + q2), l2 * sin(q1 + q2), 0};
  const Vector first = 0.5 * elbow, second = 0.5 * (elbow + tip);
  const auto square_of_rate = [&](const Vector& r) { return pow(m.rate(r.x), 2) + pow(m.rate(r.y), 2); };
  m.kinetic(m1 / 2 * square_of_rate(first) + m1 * l1 * l1 / 24 * pow(q1.rate(), 2));
  m.kinetic(m2 / 2 * square_of_rate(second) + m2 * l2 * l2 / 24 * pow(q1.rate() + q2.rate(), 2));
  m.potential(g * (m1 * first.y + m2 * second.y));
  const Expr turn = c.parameter("Om") * m.time();
  m.constrain("tip_x", tip.x, c.parameter("xc") + c.parameter("rho") * cos(turn));
  m.constrain("tip_y", tip.y, c.parameter("yc") + c.parameter("rho") * sin(turn));
  if (marked) m.servo("tip_x"), m.servo("tip_y");
  m.output("q1_dot", q1.rate());
  m.output("q2_dot", q2.rate());
  m.output("q1_ddot", q1.acceleration());
  m.output("q2_ddot", q2.acceleration());
  return m;
}

TEST(Control, AnArmWhoseTipDrawsACircleTellsTheTorquesOfItsMotors) {
  const Case c("i02-servo-two-link-arm");
  expect_reproduced(c, arm(c), reference::standard_demands(), [](const Sample& s) {
    return reference::Quantities{{"tau1", s.control_force[0]}, {"tau2", s.control_force[1]}};
  });
}

/// The same arm of two bodies in hinges, with a motor in each hinge: their torques are the reference's.
TEST(Control, AnArmOfBodiesTellsTheTorquesOfTheMotorsInItsHinges) {
  const Case c("i02-servo-two-link-arm");
  const double l[2] = {c.parameter("l1"), c.parameter("l2")},
               mass[2] = {c.parameter("m1"), c.parameter("m2")},
               angle[2] = {c.initial("q1"), c.initial("q1") + c.initial("q2")},
               rate[2] = {c.initial("q1_dot"), c.initial("q1_dot") + c.initial("q2_dot")};
  Model m;
  m.gravity({0, -c.parameter("g"), 0});
  std::array<double, 3> end{}, speed{};  // of what was built so far
  Body link[2];
  std::array<double, 3> elbow{};
  for (int k = 0; k < 2; ++k) {
    const double x = l[k] * std::cos(angle[k]), y = l[k] * std::sin(angle[k]);
    const double across = mass[k] * l[k] * l[k] / 12;
    link[k] = m.body(k == 0 ? "upper" : "lower",
                     {.mass = mass[k],
                      .inertia = {1e-3, across, across},
                      .position = {end[0] + x / 2, end[1] + y / 2, 0},
                      .velocity = {speed[0] - rate[k] * y / 2, speed[1] + rate[k] * x / 2, 0},
                      .orientation = {std::cos(angle[k] / 2), 0, 0, std::sin(angle[k] / 2)},
                      .omega_body = {0, 0, rate[k]}});
    end = {end[0] + x, end[1] + y, 0};
    speed = {speed[0] - rate[k] * y, speed[1] + rate[k] * x, 0};
    if (k == 0) elbow = end;
  }
  m.joint("shoulder", {}, link[0], {.type = JointType::revolute, .angle = angle[0]});
  m.joint("elbow", link[0], link[1], {.type = JointType::revolute, .point = elbow, .angle = c.initial("q2")});
  const Vector tip = link[1].point({l[1] / 2, 0, 0});
  const Expr turn = c.parameter("Om") * m.time();
  m.constrain("tip_x", tip.x, c.parameter("xc") + c.parameter("rho") * cos(turn));
  m.constrain("tip_y", tip.y, c.parameter("yc") + c.parameter("rho") * sin(turn));
  const Expr q1 = m.joint_angle("shoulder"), q2 = m.joint_angle("elbow");
  for (const char* row : {"tip_x", "tip_y"}) m.servo(row, driven_by({q1, q2}));
  m.output("q1", q1);
  m.output("q2", q2);
  m.output("q1_dot", link[0].wz);
  m.output("q2_dot", link[1].wz - link[0].wz);
  m.output("q1_ddot", link[0].wz.acceleration());
  m.output("q2_ddot", link[1].wz.acceleration() - link[0].wz.acceleration());
  expect_reproduced(c, m, reference::standard_demands(), [](const Sample& s) {
    // On the upper link the torque of its own motor and against that of the other; no forces at all.
    for (const int i : {0, 1, 2, 3, 4, 6, 7, 8, 9, 10}) EXPECT_NEAR(s.control_force[i], 0, 1e-12);
    return reference::Quantities{{"tau1", s.control_force[5] + s.control_force[11]},
                                 {"tau2", s.control_force[11]}};
  });
}

// --- The mark changes nothing but what is said
// -----------------------------------------------------------------------------------------------------------

void expect_same_motion(const Model& plain, const Model& marked) {
  const System a(plain), b(marked);
  const Trajectory one = simulate(a, until(2, 1e-9)), other = simulate(b, until(2, 1e-9));
  ASSERT_EQ(one.stop, Stop::end) << one.reason;
  // The same steps up to rounding: work is added up in other parts.
  ASSERT_EQ(one.size(), other.size());
  for (int i = 0; i < one.size(); ++i)
    for (std::size_t k = 0; k < one[i].v.size(); ++k) {
      EXPECT_NEAR(one[i].q[k], other[i].q[k], 1e-12 * (1 + std::fabs(one[i].q[k])));
      EXPECT_NEAR(one[i].v[k], other[i].v[k], 1e-12 * (1 + std::fabs(one[i].v[k])));
      const double pace = one[i].acceleration[k], f = one[i].constraint_force[k];
      EXPECT_NEAR(pace, other[i].acceleration[k], 1e-10 * (1 + std::fabs(pace)));
      EXPECT_NEAR(f, other[i].constraint_force[k], 1e-10 * (1 + std::fabs(f)));
    }
  // What the constraints did, the control force does now.
  EXPECT_EQ(one.work.control, 0);
  // Stages inside a step lie beside constraints at rest, whose work is then of the size of the tolerance.
  EXPECT_NEAR(one.work.constraint, other.work.constraint + other.work.control,
              1e-9 * std::fabs(one.work.constraint));
}

TEST(Control, TheMotionIsTheSameWithoutTheMark) {
  const Case i01("i01-servo-lissajous"), i02("i02-servo-two-link-arm");
  expect_same_motion(lissajous(i01, false), lissajous(i01, true));
  expect_same_motion(arm(i02, false), arm(i02, true));
}

/// Masses on rods that are joined to a point led along a circle: too large for closed forms.
Model led_chain(bool marked) {
  Model m;
  m.gravity({0, 0, -9.81});
  std::vector<Particle> p;
  for (int k = 0; k < 6; ++k)
    p.push_back(m.particle("p" + std::to_string(k),
                           {.mass = 1.0 + 0.1 * k, .position = {1.0 + k, 0, 0}, .velocity = {0, 0.5, 0}}));
  for (int k = 1; k < 6; ++k) m.constrain("rod" + std::to_string(k), norm_squared(p[k] - p[k - 1]), 1.0);
  m.constrain("lead", Vector(p[0]), Vector{cos(0.5 * m.time()), sin(0.5 * m.time()), 0});
  if (marked) m.servo("lead");
  return m;
}

TEST(Control, ReactionsAndControlForceAreToldApart) {
  expect_same_motion(led_chain(false), led_chain(true));
  const System system(led_chain(true));
  const Trajectory motion = simulate(system, until(3));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_EQ(motion.work.constraint, 0);  // rods at rest do no work; all of it is that of the lead
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    for (int k = 0; k < 3; ++k) EXPECT_EQ(s.control_force[k], s.multipliers[5 + k]);  // phi = p0 - course
    for (std::size_t k = 3; k < s.v.size(); ++k) EXPECT_EQ(s.control_force[k], 0);
  }
  EXPECT_NEAR(motion.drift(), 0, 1e-8);
}

// --- Stabilising
// -----------------------------------------------------------------------------------------------------------

/// A mass that starts off x = sin(t), with a free y beside it.
Model off_course(double w, double z, double miss, double rate) {
  Model m;
  const Coordinate x = m.coordinate("x", {miss, 1 + rate}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 3.0);
  m.constrain("course", x, sin(m.time()));
  m.servo("course", stabilised(w, z));
  return m;
}

TEST(Control, ACriticallyDampedMissDiesOutAsItsEquationSays) {
  const double w = 2, c0 = 0.3, c1 = -0.1;
  const System system(off_course(w, 1, c0, c1));
  EXPECT_EQ(system.constraints()[0].order, 2);
  const Trajectory motion = simulate(system, until(6));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (int i = 0; i < motion.size(); ++i) {
    const double t = motion[i].t, decay = std::exp(-w * t), slope = c1 + w * c0;
    const double phi = (c0 + slope * t) * decay;
    EXPECT_NEAR(motion[i].q[0] - std::sin(t), phi, 1e-10);
    const double second = (w * w * (c0 + slope * t) - 2 * w * slope) * decay;
    EXPECT_NEAR(motion[i].control_force[0], 3 * (second - std::sin(t)), 1e-9);
    EXPECT_EQ(motion[i].control_force[1], 0);
  }
  ASSERT_EQ(motion.controls.size(), 1u);
  EXPECT_EQ(motion.controls[0].constraint, "course");
  EXPECT_NEAR(motion.controls[0].miss_start, c0, 1e-15);
  EXPECT_NEAR(motion.controls[0].miss_end, (c0 + (c1 + w * c0) * 6) * std::exp(-12.0), 1e-10);
}

TEST(Control, AnUnderdampedMissSwingsAndAnUndampedOneStays) {
  const double w = 5, c0 = 0.2;
  for (const double z : {0.0, 0.25, 0.6}) {
    const System system(off_course(w, z, c0, 0));
    const Trajectory motion = simulate(system, until(3));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double wd = w * std::sqrt(1 - z * z);
    for (int i = 0; i < motion.size(); ++i) {
      const double t = motion[i].t;
      const double phi = c0 * std::exp(-z * w * t) * (std::cos(wd * t) + z * w / wd * std::sin(wd * t));
      EXPECT_NEAR(motion[i].q[0] - std::sin(t), phi, 1e-10) << z;
    }
  }
}

TEST(Control, AProgrammeOnVelocitiesDiesOutAtItsRate) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("pace", x.rate() + y.rate(), 1.0);
  m.servo("pace", stabilised(3.0));
  const System system(m);
  EXPECT_EQ(system.constraints()[0].order, 2);
  const Trajectory motion = simulate(system, until(2));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (int i = 0; i < motion.size(); ++i)
    EXPECT_NEAR(motion[i].v[0] + motion[i].v[1] - 1, 2 * std::exp(-3 * motion[i].t), 1e-10);
  EXPECT_NEAR(motion.controls[0].miss_start, 2, 1e-15);
  EXPECT_NEAR(motion.controls[0].miss_end, 2 * std::exp(-6.0), 1e-10);
}

TEST(Control, AStartOffTheProgrammeIsRefusedWithTheWayOut) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.5, 1});
  m.mass(x, 1.0);
  m.constrain("course", x, sin(m.time()));
  m.servo("course");
  const System system(m);
  const Trajectory motion = simulate(system, until(1));
  EXPECT_EQ(motion.stop, Stop::start);
  EXPECT_EQ(
      motion.reason,
      "the start breaks constraint 'course' by 0.5; the nearest consistent start moves 'x' by -0.5 "
      "(--assemble applies it); 'course' is a programme: with 'frequency = ..' beside 'servo' it may start "
      "off it");
}

// --- Actuators
// -----------------------------------------------------------------------------------------------------------

struct CartPole {
  double cart = 1.2, bob = 0.4, l = 0.7, g = 9.81;
  /// The pole obeys  bob l cos(th) x'' + bob l^2 th'' = bob g l sin(th); the cart takes the push.
  double cart_acceleration(double th, double th2) const {
    return (g * std::sin(th) - l * th2) / std::cos(th);
  }
  double push(double th, double th1, double th2) const {
    return (cart + bob) * cart_acceleration(th, th2) +
           bob * l * (std::cos(th) * th2 - std::sin(th) * th1 * th1);
  }
  Model model(Coordinate& x, Coordinate& th, double start, double rate) const {
    Model m;
    x = m.coordinate("x", {0, -1});
    th = m.coordinate("th", {start, rate});
    m.kinetic((cart + bob) / 2 * pow(x.rate(), 2) + bob * l * cos(th) * x.rate() * th.rate() +
              bob * l * l / 2 * pow(th.rate(), 2));
    m.potential(bob * g * l * cos(th));
    return m;
  }
};

TEST(Control, APoleNodsByThePushOnItsCartAlone) {
  const CartPole p;
  const double A = 0.2, Om = 3, w = 4, c0 = 0.1, c1 = 0;
  Coordinate x, th;
  Model m = p.model(x, th, c0, A * Om + c1);
  m.constrain("nod", th, A * sin(Om * m.time()));
  m.servo("nod", driven_by({x}, w));
  const System system(m);
  const Trajectory motion = simulate(system, until(3));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  double speed = -1, before = 0, largest = 0;  // of the cart, by Simpson's rule
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    const auto closed = [&](double t) {
      const double slope = c1 + w * c0, decay = std::exp(-w * t), line = c0 + slope * t;
      return std::array{A * std::sin(Om * t) + line * decay,
                        A * Om * std::cos(Om * t) + (slope - w * line) * decay,
                        -A * Om * Om * std::sin(Om * t) + (w * w * line - 2 * w * slope) * decay};
    };
    const auto pull = [&](double t) { return p.cart_acceleration(closed(t)[0], closed(t)[2]); };
    const auto now = closed(s.t);
    EXPECT_NEAR(s.q[1], now[0], 1e-10);
    EXPECT_NEAR(s.acceleration[0], p.cart_acceleration(now[0], now[2]), 1e-8);
    EXPECT_NEAR(s.control_force[0], p.push(now[0], now[1], now[2]), 1e-8);
    EXPECT_EQ(s.control_force[1], 0);
    EXPECT_EQ(s.constraint_force[0], s.control_force[0]);
    EXPECT_TRUE(std::isnan(s.multipliers[0]));
    const int parts = 40;
    for (int k = 0; k < parts; ++k) {
      const double a = before + (s.t - before) * k / parts, b = before + (s.t - before) * (k + 1) / parts;
      speed += (b - a) / 6 * (pull(a) + 4 * pull((a + b) / 2) + pull(b));
    }
    before = s.t;
    EXPECT_NEAR(s.v[0], speed, 1e-9);
    largest = std::max(largest, std::fabs(s.control_force[0]));
  }
  EXPECT_EQ(motion.controls[0].largest_force, largest);
  EXPECT_NEAR(motion.drift(), 0, 1e-9);
  EXPECT_GT(std::fabs(motion.work.control), 0.1);
  EXPECT_EQ(motion.work.constraint, 0);
}

TEST(Control, AProgrammeThatTheActuatorsCannotFollowEndsTheRunAndIsNamed) {
  const CartPole p;
  Coordinate x, th;
  Model m = p.model(x, th, 0, 0);
  m.constrain("ride", x, -1.0 * m.time());
  m.constrain("nod", th, 0.1 * pow(m.time(), 3));
  m.servo("ride", driven_by({x}));
  m.servo("nod", driven_by({x}));
  const System system(m);
  const Trajectory motion = simulate(system, until(1));
  EXPECT_EQ(motion.stop, Stop::contradicting);
  EXPECT_NE(motion.reason.find(
                "programme 'ride' cannot be followed with its actuator 'x', nor programme 'nod' with "
                "its actuator 'x'"),
            std::string::npos)
      << motion.reason;
  EXPECT_EQ(motion.names, (std::vector<std::string>{"ride", "nod"}));
}

TEST(Control, ADriveThatDoesNotReachWhatIsAskedIsSaidAtOnce) {
  Model m;  // two masses, nothing between them
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("lift", y, 0.5 * pow(m.time(), 2));
  m.servo("lift", driven_by({x}));
  const System system(m);
  const Trajectory motion = simulate(system, until(1));
  EXPECT_EQ(motion.stop, Stop::contradicting);
  EXPECT_EQ(
      motion.reason,
      "at t = 0: programme 'lift' cannot be followed with its actuator 'x': no force on what they drive "
      "keeps it, and it misses by 1");
}

TEST(Control, AProgrammeThatCanBeFollowedNoMoreEndsTheRunWhereThatIs) {
  // A pendulum hung on a cart: while it swings through the horizontal the cart cannot turn it.
  const CartPole p;
  Coordinate x, th;
  Model m = p.model(x, th, 0.5, 1);
  m.constrain("turn", th, 0.5 + m.time());
  m.servo("turn", driven_by({x}));
  const System system(m);
  const Trajectory motion = simulate(system, until(3));
  EXPECT_NE(motion.stop, Stop::end);
  EXPECT_NEAR(motion.last.t, std::numbers::pi / 2 - 0.5, 0.02) << motion.reason;
  EXPECT_FALSE(motion.reason.empty());
}

/// A leader on a Kepler orbit and two followers that circle it.
TEST(Control, FollowersKeepAFormationAndOnlyTheirOwnEnginesPush) {
  const double GM = 398.6004418, m0 = 800, mass = 500, rp = 7.5, e = 0.25, rho = 0.05;
  const double vp = std::sqrt(GM * (1 + e) / rp), n = std::sqrt(GM * std::pow((1 - e) / rp, 3));
  Model m;
  const Particle leader = m.particle("leader", {.mass = m0, .position = {rp, 0, 0}, .velocity = {0, vp, 0}});
  const Particle one =
      m.particle("one", {.mass = mass, .position = {rp + rho, 0, 0}, .velocity = {0, vp + rho * n, 0}});
  const Particle two =
      m.particle("two", {.mass = mass, .position = {rp - rho, 0, 0}, .velocity = {0, vp - rho * n, 0}});
  m.potential(-GM * m0 / norm(leader));
  m.potential(-GM * mass / norm(one));
  m.potential(-GM * mass / norm(two));
  const Expr t = m.time();
  const Vector place = rho * Vector{cos(n * t), sin(n * t), 0};
  m.constrain("first", Vector(one), leader.position() + place);
  m.constrain("second", Vector(two), leader.position() - place);
  m.servo("first", driven_by({one.x, one.y, one.z}));
  m.servo("second", driven_by({two.x, two.y, two.z}));
  const System system(m);
  const Trajectory motion = simulate(system, until(2 * std::numbers::pi / n, 1e-12));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    double E = n * s.t;  // Kepler's equation by Newton's method
    for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - n * s.t) / (1 - e * std::cos(E));
    const double a = rp / (1 - e), X = a * (std::cos(E) - e), Y = a * std::sqrt(1 - e * e) * std::sin(E);
    EXPECT_NEAR(s.q[0], X, 1e-9 * a);
    EXPECT_NEAR(s.q[1], Y, 1e-9 * a);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(s.control_force[k], 0);
    for (const int sign : {1, -1}) {
      const double dx = sign * rho * std::cos(n * s.t), dy = sign * rho * std::sin(n * s.t);
      const double r3 = std::pow(std::hypot(X, Y), 3), f3 = std::pow(std::hypot(X + dx, Y + dy), 3);
      const int first = sign == 1 ? 3 : 6;
      // Differences of forces of some thousand newtons: rounding of 1e-12 of them, and the error of the
      // orbit.
      EXPECT_NEAR(s.control_force[first], mass * (-GM * X / r3 - n * n * dx + GM * (X + dx) / f3), 1e-6);
      EXPECT_NEAR(s.control_force[first + 1], mass * (-GM * Y / r3 - n * n * dy + GM * (Y + dy) / f3), 1e-6);
      EXPECT_NEAR(s.control_force[first + 2], 0, 1e-12);
    }
  }
  EXPECT_NEAR(motion.drift(), 0, 1e-6);  // megajoules, of forty thousand
}

// --- Records
// -----------------------------------------------------------------------------------------------------------

TEST(Control, TheLargestForceAndPowerAreThoseOfTheAcceptedStates) {
  const System system(lissajous(Case("i01-servo-lissajous")));
  const Trajectory motion = simulate(system, until(2, 1e-9));  // every accepted state is a sample
  double force = 0, power = 0, time = 0;
  for (int i = 0; i < motion.size(); ++i) {
    if (std::fabs(power_of(motion[i])) > std::fabs(power)) power = power_of(motion[i]), time = motion[i].t;
    const auto f = motion[i].control_force;
    force = std::max(force, std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
  }
  ASSERT_EQ(motion.controls.size(), 1u);
  EXPECT_NEAR(motion.controls[0].largest_force, force, 1e-14 * force);
  EXPECT_NEAR(motion.controls[0].largest_power, power, 1e-14 * std::fabs(power));
  EXPECT_EQ(motion.controls[0].largest_power_time, time);
  EXPECT_LT(motion.controls[0].miss_end, 1e-15);
}

TEST(Control, TheRecordIsTheSameWhateverIsSampled) {
  const Case c("i02-servo-two-link-arm");
  const System system(arm(c));
  MotionOptions options = until(2, 1e-9);
  const Trajectory all = simulate(system, options);
  options.samples = 1;
  const Trajectory last = simulate(system, options);
  ASSERT_EQ(last.controls.size(), all.controls.size());
  for (std::size_t k = 0; k < all.controls.size(); ++k) {
    EXPECT_EQ(last.controls[k].largest_force, all.controls[k].largest_force);
    EXPECT_EQ(last.controls[k].largest_power_time, all.controls[k].largest_power_time);
  }
}

TEST(Control, RestrictedProgrammesAndAFixedStepOrBaumgarteGoTogether) {
  const CartPole p;
  for (const char* integrator : {"rk4", "dopri5", "extrapolation"}) {
    Coordinate x, th;
    Model m = p.model(x, th, 0, 0.3);
    m.constrain("nod", th, 0.1 * sin(3 * m.time()));
    m.servo("nod", driven_by({x}));
    const System system(m);
    MotionOptions options = until(1, 1e-9);
    options.integrator = integrator_named(integrator).value();
    if (options.integrator == Integrator::rk4) options.step = 0.005;
    for (const Stabilisation keep : {Stabilisation::projection, Stabilisation::baumgarte}) {
      options.keep = keep;
      const Trajectory motion = simulate(system, options);
      ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
      EXPECT_NEAR(motion.last.q[1], 0.1 * std::sin(3.0), 1e-7) << integrator;
      EXPECT_NEAR(motion.drift(), 0, 1e-6) << integrator;
    }
  }
}

}  // namespace
}  // namespace vinculum
