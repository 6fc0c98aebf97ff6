// Motions that go abreast: every one of them, to the bit, as it is alone.
#include "motion/abreast/abreast.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "motion/systems.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

struct One {
  System system;
  State start;
  MotionOptions options;
};

/// Takes all of them, and keeps how they ended.
class Group final : public Walkers {
 public:
  explicit Group(std::vector<One> members, bool events = true)
      : members_(std::move(members)), motions_(members_.size()), events_(events) {}
  std::optional<Asked> next(int place) override {
    if (next_ == members_.size()) return std::nullopt;
    at_[place] = next_++;
    const One& m = members_[at_[place]];
    return Asked{m.system, m.start, m.options, events_};
  }
  void take(int place, const Trajectory& motion) override { motions_[at_[place]] = motion; }
  void refuse(int /*place*/) override { ++refused; }

  const std::vector<One>& members() const { return members_; }
  const Trajectory& motion(std::size_t k) const { return motions_[k]; }
  int refused = 0;

 private:
  std::vector<One> members_;
  std::vector<Trajectory> motions_;
  bool events_;
  std::size_t next_ = 0, at_[Abreast::places] = {};
};

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}

/// What differs; nothing where all is the same to the bit.
std::string difference(const Trajectory& a, const Trajectory& b) {
  if (a.stop != b.stop || a.reason != b.reason) return a.reason + " / " + b.reason;
  if (!same(a.last.t, b.last.t)) return "time";
  if (!same(a.last.q, b.last.q) || !same(a.last.v, b.last.v)) return "state";
  if (a.steps != b.steps || a.rejected != b.rejected || a.evaluations != b.evaluations) return "steps";
  if (!same(a.energy_end, b.energy_end) || !same(a.work.impressed, b.work.impressed) ||
      !same(a.work.explicit_time, b.work.explicit_time))
    return "work";
  if (a.size() != b.size()) return "record";
  for (int k = 0; k < static_cast<int>(a.size()); ++k)
    if (!same(a[k].multipliers, b[k].multipliers) || !same(a[k].outputs, b[k].outputs)) return "record";
  return "";
}

/// How many of them went along.
long expect_the_same(std::vector<One> members, const std::string& what) {
  Group group(std::move(members));
  Abreast abreast;
  abreast.go(group);
  for (std::size_t k = 0; k < group.members().size(); ++k) {
    const One& m = group.members()[k];
    EXPECT_EQ(difference(group.motion(k), simulate(m.system, m.start, m.options)), "")
        << what << ", member " << k;
  }
  return abreast.along();
}

MotionOptions until(double end, Integrator method, double tolerance = 1e-9) {
  MotionOptions o;
  o.until = end;
  o.integrator = method;
  o.tolerance = tolerance;
  o.samples = 1;
  if (method == Integrator::rk4) o.step = 0.01;
  return o;
}

/// Others each: by what its parameters are multiplied with, at most.
std::vector<One> others(const System& system, const MotionOptions& options, int count) {
  std::mt19937_64 random(7);
  std::vector<One> members;
  for (int k = 0; k < count; ++k) {
    Parameters p = system.parameters();
    for (double& value : p.values())
      value *= 0.7 + 0.6 * static_cast<double>(random() >> 11) / 9007199254740992.0;
    System other = system.with(p);
    State start = other.start();
    members.push_back({std::move(other), std::move(start), options});
    members.back().options.until *= 1 + 0.05 * (k % 5);
  }
  return members;
}

// --- Systems, whose starts are on their constraints whatever the parameters
// ---------------------------------------

/// Masses on rods in space, one under the other; pushed to and fro with time where that is asked for.
Model chain(int masses, double push = 0) {
  Model m;
  const Expr l = m.parameter("l", 1.0), g = m.parameter("g", 9.81), w = m.parameter("w", 0.8);
  Expr before[3] = {0.0, 0.0, 0.0};
  for (int k = 1; k <= masses; ++k) {
    const std::string n = std::to_string(k);
    const Expr reach = static_cast<double>(k) * l;
    const Coordinate x = m.coordinate("x" + n, {.start = 0.6 * reach}),
                     y = m.coordinate("y" + n, {.start = 0.0, .rate = static_cast<double>(k) * w}),
                     z = m.coordinate("z" + n, {.start = -0.8 * reach});
    for (const Coordinate& c : {x, y, z}) m.mass(c, 1.0 + 0.1 * k);
    m.force(z, -(1.0 + 0.1 * k) * g);
    if (push != 0) m.force(x, push * sin(3 * m.time()));
    const Expr dx = x - before[0], dy = y - before[1], dz = z - before[2];
    m.constrain("rod" + n, dx * dx + dy * dy + dz * dz, l * l);
    before[0] = x, before[1] = y, before[2] = z;
  }
  m.output("height", before[2]);
  return m;
}

/// A bead on a ring that breathes with time and does work: it goes alone.
Model breathing_ring() {
  Model m;
  const Expr a = m.parameter("a", 0.2), g = m.parameter("g", 9.81);
  const Coordinate x = m.coordinate("x", {.start = 1.0, .rate = a}), y = m.coordinate("y", {.rate = 0.4});
  for (const Coordinate& c : {x, y}) m.mass(c, 2.0);
  m.force(y, -2.0 * g);
  const Expr radius = 1 + a * sin(m.time());
  m.constrain("ring", x * x + y * y, radius * radius);
  return m;
}

/// A skate on a slope: what holds is its velocity.
Model skate() {
  Model m;
  const Expr g = m.parameter("g", 9.81), w = m.parameter("w", 1.3);
  const Coordinate x = m.coordinate("x", {.rate = 0.5}), y = m.coordinate("y"),
                   turn = m.coordinate("turn", {.rate = w});
  for (const Coordinate& c : {x, y}) m.mass(c, 3.0);
  m.mass(turn, 0.7);
  m.force(x, 3.0 * 0.2 * g);
  m.constrain("edge", sin(turn) * x.rate() - cos(turn) * y.rate());
  return m;
}

constexpr Integrator methods[] = {Integrator::rk4, Integrator::dopri5, Integrator::dop853,
                                  Integrator::automatic};

void expect_the_same(const Model& model, const std::vector<std::string>& living, double end,
                     const std::string& name) {
  const System system(model, living);
  for (const Integrator method : methods)
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-7, 1e-10}) {
      const std::string what =
          name + ", " + std::string(integrator_name(method)) + ", " + std::to_string(tolerance);
      EXPECT_GT(expect_the_same(others(system, until(end, method, tolerance), 19), what), 9) << what;
    }
}

TEST(Abreast, WhoGoesAlongIsWhatHeIsAlone) {
  expect_the_same(chain(1), {"l", "g", "w"}, 3, "a pendulum in space");
  expect_the_same(chain(1, 2.0), {"l", "g", "w"}, 3, "one that is pushed");
  expect_the_same(chain(3), {"g", "w"}, 1, "three masses");
  expect_the_same(skate(), {"g", "w"}, 4, "a skate");
}

TEST(Abreast, WhoseRowsDoWorkGoesAlone) {
  const System system(breathing_ring(), std::vector<std::string>{"a", "g"});
  EXPECT_EQ(expect_the_same(others(system, until(3, Integrator::dop853), 9), "a ring"), 0);
}

/// What is pushed late has the size of the push to come until it is there, and what a strong brake stops that
/// of the brake.
TEST(Abreast, WhatRestsUntilItIsPushedHasTheSizeOfThePush) {
  for (const bool brake : {false, true}) {
    Model m;
    const Expr e = brake ? m.parameter("e", 1e10) : m.parameter("e", 0.01);
    const Coordinate x = m.coordinate("x", {.start = 0.0, .rate = brake ? 1.0 : 0.0}), z = m.coordinate("z");
    for (const Coordinate& c : {x, z}) m.mass(c, 1.0);
    const Expr late = m.time() - 1;
    m.force(x, brake ? -e * pow(x.rate(), 3) : exp(-late * late / e));
    m.constrain("plane", z);
    const System system(m, std::vector<std::string>{"e"});
    for (const Integrator method : {Integrator::dopri5, Integrator::dop853})
      for (const double tolerance : {1e-4, 1e-6, 1e-9})
        EXPECT_GT(expect_the_same(others(system, until(1, method, tolerance), 19), "late"), 9);
  }
}

TEST(Abreast, BackwardAndToTightTolerancesAsWell) {
  const System system(chain(1), std::vector<std::string>{"l", "g", "w"});
  EXPECT_GT(expect_the_same(others(system, until(-2, Integrator::dop853), 11), "backward"), 9);
  EXPECT_GT(expect_the_same(others(system, until(1, Integrator::dop853, 1e-13), 11), "tight"), 9);
  MotionOptions limited = until(2, Integrator::dop853);
  limited.step = 0.05;
  limited.absolute_tolerance = 1e-7;
  EXPECT_GT(expect_the_same(others(system, limited, 11), "steps of a largest length"), 9);
}

/// Many steps by the method that a run chooses: it becomes another one on the way.
TEST(Abreast, WhoseMethodBecomesAnotherGoesAlone) {
  const System system(chain(1), std::vector<std::string>{"l", "g", "w"});
  std::vector<One> members = others(system, until(90, Integrator::automatic), 9);
  members[3].options.until = 2;
  EXPECT_EQ(expect_the_same(std::move(members), "automatic"), 1);
}

/// A four-bar that passes the position in which its rows depend on each other.
TEST(Abreast, WhoMeetsASingularPositionGoesAlone) {
  Model m = test::four_bars(1);
  m.parameter("unused", 1.0);
  const System system(m, std::vector<std::string>{"unused"});
  EXPECT_LT(expect_the_same(others(system, until(3, Integrator::dop853), 9), "four-bar"), 9);
}

TEST(Abreast, EveryoneHasHisOwnToleranceAndMethod) {
  const System system(chain(2), std::vector<std::string>{"g", "w"});
  std::vector<One> members = others(system, until(1, Integrator::dop853), 40);
  for (std::size_t k = 0; k < members.size(); ++k) {
    members[k].options =
        until(0.2 + 0.05 * static_cast<double>(k % 7), methods[k % 3], k % 2 == 0 ? 1e-6 : 1e-11);
    if (k % 11 == 0) members[k].options.samples = 5;
    if (k % 13 == 0) members[k].options.step_limit = 3;
    if (k == 20) members[k].start.q[0] += 0.5;  // beside its constraints
  }
  EXPECT_GT(expect_the_same(std::move(members), "mixed"), 25);
}

/// Events that do not end a motion are looked for where somebody asks for them, and change nothing of it.
TEST(Abreast, EventsThatNobodyAsksForAreNotLookedFor) {
  Model m = chain(1);
  const Expr falls = m.coordinates()[2].symbol;
  m.event("halfway", m.coordinates()[0].symbol);
  const System system(m, std::vector<std::string>{"l", "g", "w"});
  const std::vector<One> members = others(system, until(3, Integrator::dop853), 9);
  for (const bool asked : {true, false}) {
    Group group(members, asked);
    Abreast abreast;
    abreast.go(group);
    EXPECT_EQ(abreast.along(), asked ? 0 : 9);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Trajectory alone = simulate(members[k].system, members[k].start, members[k].options);
      EXPECT_TRUE(same(group.motion(k).last.q, alone.last.q));
      EXPECT_TRUE(same(group.motion(k).last.v, alone.last.v));
      EXPECT_EQ(group.motion(k).steps, alone.steps);
      EXPECT_FALSE(alone.events.empty());
      EXPECT_EQ(group.motion(k).events.size(), asked ? alone.events.size() : 0);
    }
  }
  m.event("low", falls + 0.9, Model::Direction::both, true);
  const System stopping(m, std::vector<std::string>{"l", "g", "w"});
  Group group(others(stopping, until(3, Integrator::dop853), 9), false);
  Abreast abreast;
  abreast.go(group);
  EXPECT_EQ(abreast.along(), 0);
}

TEST(Abreast, MisuseIsTold) {
  const System system(chain(1), std::vector<std::string>{"l", "g", "w"});
  std::vector<One> members = others(system, until(1, Integrator::dop853), 12);
  members[0].options.tolerance = members[5].options.tolerance = 0;
  Group group(std::move(members));
  Abreast abreast;
  abreast.go(group);
  EXPECT_EQ(group.refused, 2);
  EXPECT_EQ(abreast.along(), 10);
}

/// Those of other systems are made in their turn.
TEST(Abreast, SystemsMayDiffer) {
  const System one(chain(1), std::vector<std::string>{"l", "g", "w"}),
      other(skate(), std::vector<std::string>{"g", "w"});
  std::vector<One> members = others(one, until(1, Integrator::dop853), 10);
  for (One& m : others(other, until(1, Integrator::rk4), 10))
    members.insert(members.begin() + 4, std::move(m));
  EXPECT_EQ(expect_the_same(std::move(members), "two systems"), 10);
}

TEST(Abreast, CancelledEndsAllOfThem) {
  const System system(chain(1), std::vector<std::string>{"l", "g", "w"});
  std::vector<One> members = others(system, until(1e6, Integrator::rk4), 9);
  for (One& m : members) m.options.progress = [](const Progress&) { return false; };
  Group group(std::move(members));
  Abreast abreast;
  abreast.go(group);
  for (int k = 0; k < 9; ++k) EXPECT_EQ(group.motion(k).stop, Stop::cancelled);
}

}  // namespace
}  // namespace vinculum
