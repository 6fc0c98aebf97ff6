// Digits that verification claims, against motions that are known in closed form, and against far tighter
// computations of chaotic ones.
#include "vinculum/motion/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "motion/elliptic.hpp"
#include "motion/systems.hpp"

namespace vinculum {
namespace {

using Place = std::vector<double>;

/// A motion somebody knows: the coordinates as functions of time.
struct Known {
  const char* name;
  std::function<Model()> model;
  std::function<Place(double)> exact;
  double until = 10;
};

Model circling(bool upright) {
  Model m;
  const Coordinate x = m.coordinate("x", {1.0, 0.0}), y = m.coordinate("y", {0.0, 2.0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  if (upright) {
    const Coordinate z = m.coordinate("z");  // held at rest
    m.mass(z, 1.0);
    m.constrain("floor", z + 0.3 * (pow(x, 2) + pow(y, 2)), 0.3);
  }
  m.constrain("ring", pow(x, 2) + pow(y, 2), 1.0);
  return m;
}

Model kepler() {
  Model m;
  const Particle p = m.particle("p", {1.0, {0.5, 0, 0}, {0, std::sqrt(3.0), 0}});  // e = 1/2, a = 1
  const Expr r = sqrt(pow(p.x, 2) + pow(p.y, 2) + pow(p.z, 2));
  m.potential(-1 / r);
  return m;
}
Place on_ellipse(double t) {
  double e = t;  // Kepler's equation
  for (int k = 0; k < 50; ++k) e -= (e - 0.5 * std::sin(e) - t) / (1 - 0.5 * std::cos(e));
  return {std::cos(e) - 0.5, std::sqrt(0.75) * std::sin(e), 0.0};
}

Model magnet() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.0, 0.0}), y = m.coordinate("y", {0.0, -3.0});
  m.lagrangian(0.5 * (pow(x.rate(), 2) + pow(y.rate(), 2)) + 1.5 * (x * y.rate() - y * x.rate()));
  return m;
}

Model two_masses() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.0, 0.0}), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.potential(0.5 * pow(x, 2) + 0.5 * pow(y, 2) + 0.5 * pow(x - y, 2));
  return m;
}

Model thrown() {
  Model m;
  m.particle("p", {2.0, {0, 0, 0}, {3, 4, 5}});
  m.gravity({0, 0, -9.81});
  return m;
}

/// A free symmetric top: it turns about its axis at the rate (1 - I3/I1) w3 while that goes round L at
/// |L|/I1.
Model top() {
  Model m;
  BodyOptions o;
  o.inertia = {1, 1, 2, 0, 0, 0};
  o.omega_body = {0.6, 0, 1.1};
  m.body("b", o);
  return m;
}
Place top_at(double t) {
  const double l = std::hypot(0.6, 2.2);
  const double n[3] = {0.6 / l, 0, 2.2 / l}, a = 0.5 * l * t, b = 0.5 * -1.1 * t;
  const double p[4] = {std::cos(a), n[0] * std::sin(a), 0, n[2] * std::sin(a)}, c = std::cos(b),
               s = std::sin(b);
  return {0, 0, 0, p[0] * c - p[3] * s, p[1] * c + p[2] * s, p[2] * c - p[1] * s, p[0] * s + p[3] * c};
}

Model swinging(double k) {
  Model m;
  const Coordinate a = m.coordinate("a", {0.0, 2 * k * std::sqrt(test::gravity)});
  m.mass(a, 1.0);
  m.potential(-test::gravity * cos(a));
  return m;
}

Model on_rod() {  // on a rod that turns at a rate of 1
  Model m;
  const Coordinate x = m.coordinate("x", {1.0, 0.0}), y = m.coordinate("y", {0.0, 1.0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("rod", y * cos(m.time()), x * sin(m.time()));
  return m;
}

Model rolling() {  // an upright disc of radius 1 on a circle
  Model m;
  const Coordinate x = m.coordinate("x", {0.0, 1.0}), y = m.coordinate("y"),
                   heading = m.coordinate("h", {0.0, 0.5}), turn = m.coordinate("s", {0.0, 1.0});
  for (const Coordinate* c : {&x, &y, &heading, &turn}) m.mass(*c, 1.0);
  m.constrain("along", x.rate(), turn.rate() * cos(heading));
  m.constrain("across", y.rate(), turn.rate() * sin(heading));
  return m;
}

Model block() {  // slides until t = 2 / 2.943 and stays
  Model m;
  const Coordinate x = m.coordinate("x", {0.0, 2.0}), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, -9.81);
  m.constrain("table", y + 0 * x);
  m.friction("table", 0.3);
  return m;
}

const std::vector<Known>& known() {
  using std::cos;
  using std::sin;
  static const std::vector<Known> list = {
      {"oscillator", [] { return test::on_line(1, 0, [](auto& x, auto&) { return -x; }); },
       [](double t) { return Place{cos(t)}; }, 30},
      {"small oscillator", [] { return test::on_line(1e-3, 0, [](auto& x, auto&) { return -x; }); },
       [](double t) { return Place{1e-3 * cos(t)}; }, 20},
      {"oscillator far away",
       [] { return test::on_line(1e6 + 1, 0, [](auto& x, auto&) { return 1e6 - x; }); },
       [](double t) { return Place{1e6 + cos(t)}; }, 10},
      {"oscillator at zero", [] { return test::on_line(1, 0, [](auto& x, auto&) { return -x; }); },
       [](double t) { return Place{cos(t)}; }, 4.5 * std::numbers::pi},
      {"damped",
       [] { return test::on_line(1, -0.1, [](auto& x, auto&) { return -0.2 * x.rate() - 1.01 * x; }); },
       [](double t) { return Place{std::exp(-0.1 * t) * cos(t)}; }, 40},
      {"driven",
       [] { return test::on_line(0, 0, [](auto& x, auto& t) { return Expr(3.0 * sin(2.0 * t)) - x; }); },
       [](double t) { return Place{2 * sin(t) - sin(2 * t)}; }, 30},
      {"resonance", [] { return test::on_line(0, 0, [](auto& x, auto& t) { return Expr(sin(t)) - x; }); },
       [](double t) { return Place{0.5 * (sin(t) - t * cos(t))}; }, 50},
      {"falling from its edge", [] { return test::on_line(1e-3, 0, [](auto& x, auto&) { return Expr(x); }); },
       [](double t) { return Place{1e-3 * std::cosh(t)}; }, 12},
      {"stiff",
       [] { return test::on_line(1, -1, [](auto& x, auto&) { return -1001.0 * x.rate() - 1000.0 * x; }); },
       [](double t) { return Place{std::exp(-t)}; }, 3},
      {"drag", [] { return test::on_line(0, 5, [](auto& x, auto&) { return -0.5 * pow(x.rate(), 2); }); },
       [](double t) { return Place{2 * std::log(1 + 2.5 * t)}; }, 20},
      {"corner", [] { return test::on_line(0.5, 0, [](auto& x, auto&) { return -sign(x); }); },
       [](double t) {
         const double u = std::fmod(t + 1, 4.0), w = u < 2 ? u : u - 2;  // arcs of length 2
         return Place{(u < 2 ? 1 : -1) * (w - 0.5 * w * w)};
       },
       9.3},
      {"ring", [] { return circling(false); }, [](double t) { return Place{cos(2 * t), sin(2 * t)}; }, 20},
      {"ring and rest", [] { return circling(true); },
       [](double t) { return Place{cos(2 * t), sin(2 * t), 0}; }, 20},
      {"kepler", kepler, on_ellipse, 25},
      {"magnet", magnet, [](double t) { return Place{cos(3 * t), -sin(3 * t)}; }, 15},
      {"two masses", two_masses,
       [](double t) {
         const double a = cos(t), b = cos(std::sqrt(3.0) * t);
         return Place{0.5 * (a + b), 0.5 * (a - b)};
       },
       30},
      {"thrown", thrown, [](double t) { return Place{3 * t, 4 * t, 5 * t - 4.905 * t * t}; }, 3},
      {"turning", test::turning, [](double t) { return Place{0, 0, 0, cos(0.35 * t), 0, 0, sin(0.35 * t)}; },
       30},
      {"top", top, top_at, 20},
      {"pendulum", [] { return swinging(0.9); },
       [](double t) { return Place{pendulum_swing(t, std::sqrt(test::gravity), 0.9).angle}; }, 20},
      {"over the top", [] { return swinging(1.05); },
       [](double t) { return Place{pendulum_swing(t, std::sqrt(test::gravity), 1.05).angle}; }, 10},
      {"rod", on_rod, [](double t) { return Place{std::cosh(t) * cos(t), std::cosh(t) * sin(t)}; }, 6},
      {"disc", rolling, [](double t) { return Place{2 * sin(0.5 * t), 2 - 2 * cos(0.5 * t), 0.5 * t, t}; },
       20},
      {"block", block,
       [](double t) {
         const double u = std::min(t, 2 / 2.943);
         return Place{2 * u - 0.5 * 2.943 * u * u, 0};
       },
       1.5},
      {"back in time", [] { return test::on_line(1, 0, [](auto& x, auto&) { return -x; }); },
       [](double t) { return Place{cos(t)}; }, -20},
  };
  return list;
}

/// How far each coordinate, or its position as a whole, has moved by a time: from the exact motion itself.
class Reach {
 public:
  Reach(const Known& k, const System& system)
      : until_(k.until), most_(parts + 1, Place(k.exact(0).size(), 0.0)) {
    const Place start = k.exact(0);
    for (int n = 1; n <= parts; ++n) {
      const Place now = k.exact(k.until * n / parts);
      for (std::size_t i = 0; i < start.size(); ++i)
        most_[n][i] = std::max(most_[n - 1][i], std::fabs(now[i] - start[i]));
    }
    for (Place& most : most_)
      for (std::size_t i = 0; i < start.size(); ++i) {
        const std::string& name = system.coordinate_names()[i];
        if (name.find(".q") != name.npos) most[i] = 1;
        if (name == "p.x") most[i] = most[i + 1] = most[i + 2] = *std::max_element(most.begin(), most.end());
      }
  }
  /// The first tenth of the time counts as a whole.
  double by(double t, std::size_t i) const {
    return most_[static_cast<int>(std::ceil(parts * std::max(0.1, t / until_) - 1e-9))][i];
  }

 private:
  static constexpr int parts = 1000;
  double until_;
  std::vector<Place> most_;
};

/// What the digits may be off by: `q` beside the exact place.
void expect_honest(const Known& k, const Reach& reach, const System& system, double t,
                   std::span<const double> q, const std::function<double(std::size_t)>& digits,
                   const std::string& what) {
  const Place exact = k.exact(t);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double size = reach.by(t, i);
    // What rests is judged by the size of its fellows, which is about 1.
    const bool turns = system.coordinate_names()[i].find(".q") != std::string::npos;
    const double scale = turns || size == 0 ? 1.0 : std::min(size, std::max(std::fabs(exact[i]), 0.1 * size));
    const double error = std::min(std::fabs(q[i] - exact[i]),
                                  system.rotations().empty() ? INFINITY : std::fabs(q[i] + exact[i]));
    EXPECT_LE(error, std::pow(10.0, -digits(i)) * scale + 1e-15 * std::fabs(exact[i]))
        << what << ": " << system.coordinate_names()[i] << " at t = " << t << " is " << q[i] << ", should be "
        << exact[i] << ", " << digits(i) << " digits are claimed";
  }
}

void expect_right_or_too_few(const Known& k, const std::string& integrator, double tolerance, int least) {
  const System system(k.model());
  const MotionOptions o = test::asked(integrator, tolerance, k.until);
  const Trajectory motion = simulate(system, o);
  ASSERT_EQ(motion.stop, Stop::end) << k.name << " " << integrator << ": " << motion.reason;
  const Verification v = verify(system, motion, o);
  const std::string what = std::string(k.name) + ", " + integrator + ", " + std::to_string(tolerance);
  ASSERT_EQ(v.outcome, Verification::Outcome::compared) << what << ": " << v.text;
  ASSERT_EQ(v.digits.size(), k.exact(0).size()) << what;
  const Reach reach(k, system);
  expect_honest(
      k, reach, system, motion.last.t, motion.last.q, [&](std::size_t i) { return v.digits[i]; }, what);
  ASSERT_EQ(v.times.back(), motion.last.t) << what;
  for (std::size_t at = 0, w = 0; at + 1 < v.times.size(); ++at) {
    while (motion.waypoints.times()[w] != v.times[at]) ++w;
    expect_honest(
        k, reach, system, v.times[at], motion.waypoints.q(static_cast<int>(w)),
        [&](std::size_t i) { return v.agreement[i][at]; }, what + " on the way");
  }
  for (const int digits : v.digits) EXPECT_GE(digits, least) << what << ": " << v.text;
  EXPECT_TRUE(least < 3 || v.trusted_until == k.until) << what << ": " << v.text;
}

TEST(Verify, DigitsOfKnownMotionsAreRightOrTooFewAndNotMuchTooFew) {
  for (const Known& k : known())
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      const int asked = static_cast<int>(-std::log10(tolerance));
      // A number of 1e6 keeps ten digits of what moves by 1, and every step rounds.
      const bool far = std::string(k.name) == "oscillator far away";
      expect_right_or_too_few(k, "dop853", tolerance, std::min(asked - 3, far ? 3 : asked));
    }
}

TEST(Verify, DigitsAreRightOrTooFewWithEveryIntegrator) {
  for (const Known& k : known()) {
    expect_right_or_too_few(k, "extrapolation", 1e-9, 6);
    expect_right_or_too_few(k, "dopri5", 1e-6, 2);
    expect_right_or_too_few(k, "radau5", 1e-6, 1);
    if (std::string(k.name) != "stiff") expect_right_or_too_few(k, "rk4", 1e-9, 2);
  }
}

TEST(Verify, LooseTolerancesGetFewDigits) {
  for (const Known& k : known())
    for (const double tolerance : {1e-2, 1e-3}) expect_right_or_too_few(k, "dop853", tolerance, 0);
}

// --- Chaos

Model double_pendulum() {
  Model m;
  const Coordinate a = m.coordinate("a", {2.0, 0.0}), b = m.coordinate("b", {1.0, 0.0});
  m.lagrangian(0.5 * (2 * pow(a.rate(), 2) + pow(b.rate(), 2) + 2 * a.rate() * b.rate() * cos(a - b)) +
               9.81 * (2 * cos(a) + cos(b)));
  return m;
}
Model driven_cubic() {  // Ueda's oscillator
  return test::on_line(3, 4,
                       [](auto& x, auto& t) { return Expr(7.5 * cos(t)) - 0.05 * x.rate() - pow(x, 3); });
}
Model henon_heiles() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.0, 0.55}), y = m.coordinate("y", {-0.1, 0.0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.potential(0.5 * (pow(x, 2) + pow(y, 2)) + pow(x, 2) * y - pow(y, 3) / 3);
  return m;
}

/// The first waypoint at which a coordinate is off by a hundredth of what it has moved, against a far tighter
/// motion.
double lost_at(const System& system, const Trajectory& motion, const MotionOptions& asked) {
  MotionOptions o = asked;
  o.integrator = Integrator::extrapolation;
  o.tolerance = 3e-14;
  o.instants.assign(motion.waypoints.times().begin() + 1, motion.waypoints.times().end());
  const Trajectory tight = simulate(system, o);
  Place most(motion.first.q.size(), 0.0);
  for (int w = 1; w < motion.waypoints.size(); ++w)
    for (std::size_t i = 0; i < most.size(); ++i) {
      most[i] = std::max(most[i], std::fabs(motion.waypoints.q(w)[i] - motion.first.q[i]));
      if (motion.waypoints.times()[w] > 0.1 * asked.until &&
          std::fabs(motion.waypoints.q(w)[i] - tight[w].q[i]) > 1e-2 * most[i])
        return motion.waypoints.times()[w];
    }
  return asked.until;
}

TEST(Verify, OfAFixedStepItIsTheStepThatMayBeTooLong) {
  const System system(double_pendulum());
  MotionOptions o = test::asked("rk4", 1e-9, 20);
  o.step = 0.1;
  const Verification v = verify(system, simulate(system, o), o);
  EXPECT_TRUE(v.doubtful);
  EXPECT_TRUE(v.text.ends_with("It is chaotic or unstable, or the step is too long for it")) << v.text;
}

TEST(Verify, ChaoticMotionsAreTrustedUntilTheyPartAndNotMuchLess) {
  struct Chaos {
    Model model;
    double until;
  };
  for (const Chaos& c :
       {Chaos{double_pendulum(), 60}, Chaos{driven_cubic(), 300}, Chaos{henon_heiles(), 400}})
    for (const char* integrator : {"dop853", "extrapolation"}) {
      const System system(c.model);
      const MotionOptions o = test::asked(integrator, 1e-7, c.until);
      const Trajectory motion = simulate(system, o);
      const Verification v = verify(system, motion, o);
      const double lost = lost_at(system, motion, o);
      ASSERT_LT(lost, c.until) << system.coordinate_names()[0];
      EXPECT_LT(v.trusted_until, lost) << system.coordinate_names()[0] << " " << integrator;
      EXPECT_GT(v.trusted_until, 0.5 * lost) << system.coordinate_names()[0] << " " << integrator;
      EXPECT_TRUE(v.doubtful);
      EXPECT_NE(v.text.find("is not to be trusted"), v.text.npos) << v.text;
      EXPECT_EQ(v.text.rfind("after t = ", 0), 0u) << v.text;
    }
}

}  // namespace
}  // namespace vinculum
