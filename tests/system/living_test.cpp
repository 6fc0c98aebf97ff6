// A system with living parameters, set to values, against the same model compiled with these numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "bench/particles.hpp"
#include "random_models.hpp"
#include "support/message.hpp"
#include "support/sanitized.hpp"
#include "system/system_impl.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/lagrangian.hpp"
#include "vinculum/system/manifold.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Numbers = std::vector<double>;
using test::message;

/// Everything a system says of one state, as a list of lists.
struct Said {
  std::vector<std::pair<std::string, Numbers>> parts;
  void add(const std::string& name, Numbers numbers) { parts.emplace_back(name, std::move(numbers)); }
};

State somewhere(const System& system, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> by(-0.2, 0.2);
  State at = system.start();
  at.t = 0.3 + by(engine);
  for (double& x : at.q) x += by(engine);
  for (double& x : at.v) x += by(engine);
  return at;
}

void say_tangent(const System& system, const State& at, const Solution& found, Said& said) {
  if (found.acceleration.size() != at.v.size() || found.multipliers.size() != system.row_names().size())
    return;
  const Tangent& tangent = system.impl().tangent();
  Tangent::Scratch scratch(tangent, system.values().numbers);
  Tangent::Numbers out = scratch.pattern();
  tangent.evaluate(at.t, at.q.data(), at.v.data(), found.acceleration.data(), found.multipliers.data(),
                   scratch, out);
  for (const SparseMatrix* m :
       {&out.force_by_q, &out.force_by_v, &out.row_by_q, &out.row_by_v, &out.rate_by_q, &out.rate_by_v}) {
    double sum = 0, size = 0;  // patterns may differ by entries that are zero
    for (int i = 0; i < m->rows; ++i)
      for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
        sum += m->value[k] * std::sin(1.0 + i + 3 * m->column[k]);
        size += std::fabs(m->value[k]);
      }
    said.add("tangent", {sum, size});
  }
}

Numbers dense(const SparseMatrix& m) {
  Numbers all(static_cast<std::size_t>(m.rows) * m.columns, 0.0);
  for (int i = 0; i < m.rows; ++i)
    for (int k = m.start[i]; k < m.start[i + 1]; ++k) all[i * m.columns + m.column[k]] = m.value[k];
  return all;
}

Said say(const System& system, unsigned seed, Workspace& work) {
  Said said;
  said.add("start", system.start().q);
  const State at = somewhere(system, seed);
  const Equations& e = evaluate(system, at, work);
  said.add("M", dense(e.M));
  said.add("Q", e.Q);
  said.add("A", dense(e.A));
  said.add("b", e.b);
  said.add("C", e.C);
  Residuals r;
  residuals(system, at, work, r);
  said.add("position", r.position);
  said.add("velocity", r.velocity);
  residual_sizes(system, at, work, r);
  said.add("sizes", r.position);
  said.add("sizes of velocity", r.velocity);
  Numbers q_rate(at.q.size());
  rates(system, at, work, q_rate);
  said.add("rates", q_rate);
  said.add("energy", {energy(system, at, work)});
  const Powers p = powers(system, at, {}, work);
  said.add("powers", {p.impressed, p.explicit_time});
  Solution found;
  solve(system, at, work, found);
  said.add("status", {static_cast<double>(found.status)});
  said.add("acceleration", found.acceleration);
  said.add("multipliers", found.multipliers);
  Numbers outputs(system.output_names().size()), events(system.events().size());
  if (found.acceleration.size() == at.v.size()) {
    observe(system, at, {}, found, work, outputs);
    event_values(system, at, found, work, events);
    said.add("outputs", outputs);
    said.add("events", events);
    said.add("energy rate", {energy_rate(system, at, found.acceleration).value});
  }
  Numbers acceleration(at.v.size()), x(at.v.size()), residual(system.row_names().size());
  accelerate(system, at, {}, work, acceleration);
  said.add("by the closed form", acceleration);
  if (correction(system, Level::position, at, {}, work, x, residual)) said.add("correction", x);
  Numbers momenta;
  free_momenta(system, at.q, at.v, momenta);
  said.add("momenta", momenta);
  State kept = at;
  renormalise(system, kept.q, work);
  said.add("kept", kept.q);
  said.add("lagrangian", {Lagrangian(system)(at.t, at.q, at.v)});
  say_tangent(system, at, found, said);
  return said;
}

/// To 64 roundings of the largest number of each part, and of 1, which is the size of the terms of these
/// models where they cancel: sums of parameters are taken in another order than sums of their values. What is
/// solved for may be badly conditioned, and is compared more loosely.
void expect_same(const Said& a, const Said& b) {
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t k = 0; k < a.parts.size(); ++k) {
    const auto& [name, x] = a.parts[k];
    const auto& [other, y] = b.parts[k];
    ASSERT_EQ(name, other);
    ASSERT_EQ(x.size(), y.size()) << name;
    double size = 1;
    for (const double value : x)
      if (std::isfinite(value)) size = std::max(size, std::fabs(value));
    const bool solved = name == "acceleration" || name == "multipliers" || name == "by the closed form" ||
                        name == "correction" || name == "outputs" || name == "tangent" || name == "C" ||
                        name == "energy rate";
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(x[i]) && !std::isfinite(y[i])) continue;
      EXPECT_NEAR(x[i], y[i], (solved ? 1e-7 : 64 * 2.3e-16) * size) << name << "[" << i << "]";
    }
  }
}

bool same_bits(const Said& a, const Said& b) {
  for (std::size_t k = 0; k < a.parts.size(); ++k) {
    const Numbers &x = a.parts[k].second, &y = b.parts[k].second;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
  }
  return true;
}

Numbers random_values(unsigned seed) {
  std::mt19937 engine(seed + 77);
  std::uniform_real_distribution<double> in(0.5, 2);
  Numbers values(test::parameter_count);
  for (double& v : values) v = in(engine);
  return values;
}

class RandomModels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomModels, SetToValuesAreTheModelsOfTheseNumbers) {
  const std::vector<std::string> names = test::parameter_names();
#ifdef VINCULUM_SANITIZED  // six times as slow
  const unsigned count = 60;
#else
  const unsigned count = 300;
#endif
  for (unsigned seed = GetParam(); seed < GetParam() + count; ++seed) {
    SCOPED_TRACE(seed);
    const Numbers first = random_values(2 * seed), second = random_values(2 * seed + 1);
    const System living(test::RandomModel(seed, first).take(), names);
    Parameters p = living.parameters();
    std::copy(second.begin(), second.end(), p.values().begin());
    const System other = living.with(p), back = other.with(living.parameters());
    Workspace work(living);
    const Said before = say(living, seed, work), changed = say(other, seed, work),
               after = say(back, seed, work);
    const System numbers(test::RandomModel(seed, second).take());
    Workspace own(numbers);
    expect_same(changed, say(numbers, seed, own));
    EXPECT_TRUE(same_bits(before, after));
    Workspace fresh(other);
    EXPECT_TRUE(same_bits(changed, say(other, seed, fresh)));
    if (testing::Test::HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Living, RandomModels, testing::Values(0u, 300u, 600u, 900u, 1200u, 1500u, 1800u));

Model pendulum(double length = 1) {
  Model m;
  const Expr L = m.parameter("L", length), g = m.parameter("g", 9.81), n = m.parameter("n", 2);
  const Particle p = m.particle("p", {.mass = 1.0, .position = {0.6, 0, -0.8}});
  m.gravity({0.0, 0.0, -g});
  m.constrain("rod", norm_squared(p), pow(L, 2));
  m.potential(pow(p.x, n) / 100);
  return m;
}

TEST(Living, TheStartIsJudgedByTheNewLength) {
  const std::vector<std::string> names{"L"};
  const System one(pendulum(), names);
  Parameters p = one.parameters();
  p["L"] = 2;
  const System two = one.with(p);
  Workspace work(one);
  Residuals r;
  residuals(one, one.start(), work, r);
  EXPECT_NEAR(r.position[0], 0, 1e-15);
  residuals(two, two.start(), work, r);
  EXPECT_NEAR(r.position[0], 1 - 4, 1e-15);
}

TEST(Living, StartsFollow) {
  Model m;
  const Expr a = m.parameter("a", 0.3), L = m.parameter("L", 2), w = m.parameter("w", 1),
             rim = m.parameter("rim", 6);
  m.define("rim", 3 * L);
  m.particle("p", {.mass = 1.0, .position = {L * sin(a), 0.0, -L * cos(a)}, .velocity = {w * rim, 0.0, 0.0}});
  const std::vector<std::string> names = m.parameter_names();
  EXPECT_EQ(names, (std::vector<std::string>{"a", "L", "w"}));
  const System one(m, names);
  Parameters p = one.parameters();
  p["a"] = 0.5;
  p["L"] = 4;
  const System two = one.with(p);
  EXPECT_NEAR(two.start().q[0], 4 * std::sin(0.5), 1e-15);
  EXPECT_NEAR(two.start().q[2], -4 * std::cos(0.5), 1e-15);
  EXPECT_EQ(two.start().v[0], 12);  // what is made of others follows them
  EXPECT_EQ(one.start().v[0], 6);
  const std::vector<std::string> made{"rim"};
  EXPECT_EQ(message([&] { System(m, made); }),
            "parameter 'rim' is made of others and follows them: let these live");
  EXPECT_EQ(message([&] { m.define("L", rim); }), "parameter 'L' would be made of itself");
}

/// A pendulum of a body on a rod, that rubs and is driven: what it asks of its numbers.
TEST(Living, WhatTheModelAsksOfItsNumbersIsJudgedAgain) {
  Model m;
  const Expr mass = m.parameter("mass", 1), I = m.parameter("I", 1), L = m.parameter("L", 1),
             mu = m.parameter("mu", 0.1), frequency = m.parameter("frequency", 2);
  const Body b = m.body("b", {.mass = mass, .inertia = {I, 1.0, 1.0, 0.0, 0.0, 0.0}, .position = {1, 0, 0}});
  m.joint("rod", Part(), b,
          {.type = JointType::distance, .point2 = std::array<double, 3>{1, 0, 0}, .length = L});
  const Particle p = m.particle("p");
  m.constrain("floor", p.z, 0);
  m.friction("floor", mu);
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1);
  m.constrain("way", x, sin(m.time()));
  m.servo("way", {.frequency = frequency});
  const std::vector<std::string> names = m.parameter_names();
  const System s(m, names);
  const auto said = [&](const char* name, double value) {
    Parameters other = s.parameters();
    other[name] = value;
    return message([&] { (void)s.with(other); });
  };
  EXPECT_EQ(said("mass", -1), "the mass of body 'b' is -1; it must not be negative");
  EXPECT_EQ(said("mass", 0), "no error");
  EXPECT_EQ(
      said("I", 3),
      "the principal moments of inertia of body 'b' are 1, 1, 3: the largest is more than the two others "
      "together, which no body can have");
  EXPECT_EQ(said("L", 0),
            "the length of joint 'rod' is 0; it must be more than 0 (type \"spherical\" holds two points "
            "together)");
  EXPECT_EQ(said("mu", -0.1),
            "the coefficient of friction of constraint 'floor' is -0.1; it must not be negative");
  EXPECT_EQ(said("frequency", 0), "the frequency of programme 'way' is 0; it must be more than 0");
  EXPECT_EQ(said("mu", 0.3), "no error");
}

/// A link that is turned by an angle and hangs from a hinge at its end: in the link the hinge is on an axis.
Model link(double length = 2, double angle = 0.3) {
  Model m;
  const Expr L = m.parameter("L", length), a = m.parameter("a", angle);
  const Body b = m.body("b", {.position = {L / 2 * sin(a), 0.0, -L / 2 * cos(a)},
                              .orientation = {cos(a / 2), 0.0, -sin(a / 2), 0.0}});
  m.joint("hinge", Part(), b, {.type = JointType::revolute, .axis = {0, 1, 0}});
  m.gravity({0.0, 0.0, -9.81});
  return m;
}

TEST(Living, ZerosOfAFrameStayOutOfTheEquations) {
  const Model m = link(3);
  // The quaternion, how far the hinge is from the centre, and the two axes across it that turn with the
  // angle.
  EXPECT_EQ(m.stated().made_numbers.size(), 4 + 1 + 4);
  const std::vector<std::string> names{"L", "a"};
  const System living(m, names), numbers(m);
  EXPECT_EQ(living.rows_pattern().entries(), numbers.rows_pattern().entries());
  EXPECT_LE(living.instruction_count(), 1.05 * numbers.instruction_count());  // 2*(s*x) is not (2*s)*x
}

TEST(Living, AFrameThatLeavesItsAxisIsRefused) {
  Model m;
  const Expr p = m.parameter("p", 1);
  const Body b = m.body("b");
  m.joint("hinge", Part(), b, {.type = JointType::revolute, .axis = {0, max(0, p - 9), 1}});
  const std::vector<std::string> names{"p"};
  const System s(m, names);
  Parameters to = s.parameters();
  to["p"] = 5;
  EXPECT_EQ(message([&] { (void)s.with(to); }), "no error");
  to["p"] = 10;
  EXPECT_EQ(message([&] { (void)s.with(to); }),
            "with these parameters the frame of joint 'hinge' has a point or an axis elsewhere by 0.707 "
            "along a direction "
            "in which it was the same for all values tried: it asks for another system");
}

TEST(Living, OtherValuesAreAModelToo) {
  const Model stated = link(2, 0.3), meant = link(3, -1.2);
  const std::vector<std::string> names{"L", "a"};
  const Model other = stated.with_values(names, std::vector{3.0, -1.2});
  for (std::size_t i = 0; i < meant.coordinates().size(); ++i)
    EXPECT_EQ(other.coordinates()[i].start, meant.coordinates()[i].start);
  EXPECT_EQ(other.stated().numbers(), meant.stated().numbers());
  EXPECT_EQ(message([&] { (void)stated.with_values(names, std::vector{NAN, 0.0}); }),
            "the position of body 'b' has the component nan; it must be a finite number");
  EXPECT_EQ(message([&] { (void)stated.with_values(names, std::vector{1.0}); }),
            "there are 2 names of parameters and 1 values");
  const std::vector<std::string> unknown{"K"};
  EXPECT_EQ(message([&] { (void)stated.with_values(unknown, std::vector{1.0}); }),
            "there is no parameter 'K'");
}

TEST(Living, WhatCannotBeSetIsAnError) {
  const std::vector<std::string> names{"L", "g", "n"};
  const System s(pendulum(), names);
  Parameters p = s.parameters();
  EXPECT_EQ(message([&] { p["l"] = 1; }), "no living parameter is named 'l' (did you mean 'L'?)");
  p["n"] = 3;
  EXPECT_EQ(message([&] { (void)s.with(p); }),
            "parameter 'n' stands in an exponent, on which the derivatives depend: it was compiled as 2, and "
            "another value asks for another system");
  p = s.parameters();
  p["L"] = INFINITY;
  EXPECT_EQ(message([&] { (void)s.with(p); }), "parameter 'L' is inf; it must be a finite number");
  EXPECT_EQ(message([&] { (void)s.with({{"L"}, {1.0}}); }), "the parameters are those of another system");
  const std::vector<std::string> wrong{"gg"};
  EXPECT_EQ(message([&] { System(pendulum(), wrong); }),
            "'gg' is asked to live, and no parameter of the model has that name (did you mean 'g'?)");
  const std::vector<std::string> twice{"g", "L", "g"};
  EXPECT_EQ(message([&] { System(pendulum(), twice); }), "parameter 'g' is asked to live twice");
  const System folded(pendulum());
  EXPECT_EQ(message([&] { (void)folded.parameters()["L"]; }),
            "no living parameter is named 'L'; none lives in this system");
}

TEST(Living, AConstraintThatWouldBeOfAnotherOrderIsRefused) {
  Model m;
  const Expr c = m.parameter("c", 1);
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("slope", c * x.rate() + y, 1);
  const std::vector<std::string> names{"c"};
  const System s(m, names);
  Parameters p = s.parameters();
  p["c"] = 0;
  EXPECT_EQ(
      message([&] { (void)s.with(p); }),
      "with these parameters the highest derivatives in constraint 'slope' have the coefficient 0: it is "
      "another constraint then, and asks for another system");
}

/// Of one expression at a state.
double number_of(const System& system, const StateParts& view, const Expr& e) {
  const Expr list[] = {e};
  const StateFunction function(system.impl().model, list);
  return BoundFunction(function, system.values().numbers)(view)[0];
}

/// Of Q: the expressions that are compiled, differentiated, against differences of with(). What a function
/// makes of the parameters has its slopes by differences.
TEST(Living, DerivativesByParametersComeFromTheExpressions) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::string> names = test::parameter_names();
    const System system(test::RandomModel(seed, random_values(seed)).take(), names);
    const Model& model = system.impl().model;
    const State at = somewhere(system, seed);
    const StateParts view{{&at.t, at.q.data(), at.v.data()}};
    for (const auto& parameter : model.parameters()) {
      constexpr double h = 1e-4;  // errs by h^2 times third derivatives, some 1e-6 here
      Numbers Q[2], made[2];
      for (const int side : {0, 1}) {
        Parameters p = system.parameters();
        p[parameter.name] += side == 0 ? -h : h;
        const System beside = system.with(p);
        Workspace work(beside);
        Q[side] = evaluate(beside, at, work).Q;
        made[side] = beside.values().numbers;
      }
      Numbers slope_of_Q(at.v.size(), 0.0);
      for (const Statement& statement : statements_of(model))
        for (const Contribution& c : expand(model, statement, Purpose::equations)) {
          if (c.target.where != Target::Where::force) continue;
          double& slope = slope_of_Q[c.target.i];
          slope += number_of(system, view, derivative(c.value, parameter.symbol));
          for (const Expr& s : symbols_of({&c.value, 1})) {
            if (model.stated().role(s).role != Role::made) continue;
            const int k = model.stated().place_of_number(model.stated().role(s));
            slope += number_of(system, view, derivative(c.value, s)) * (made[1][k] - made[0][k]) / (2 * h);
          }
        }
      for (std::size_t i = 0; i < at.v.size(); ++i)
        EXPECT_NEAR(slope_of_Q[i], (Q[1][i] - Q[0][i]) / (2 * h), 1e-5 * (1 + std::fabs(slope_of_Q[i])))
            << parameter.name << ", velocity " << i;
    }
  }
}

TEST(Living, AWorkspaceFollowsValuesEvenWhereMemoryIsUsedAgain) {
  const std::vector<std::string> names{"g"};
  const System s(pendulum(), names);
  Workspace work(s);
  Numbers a(3);
  for (int k = 1; k <= 5; ++k) {
    Parameters p = s.parameters();
    p["g"] = k;
    const System now = s.with(p);  // likely where the last one was
    const State at{0, {0, 0, -1}, {0, 0, 0}};
    const Equations& e = evaluate(now, at, work);
    EXPECT_EQ(e.Q[2], -k);
  }
}

TEST(Living, ThreadsMaySetTheirOwnValues) {
  const std::vector<std::string> names{"g", "L"};
  const System s(pendulum(), names);
  std::vector<double> seen(4);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      Parameters p = s.parameters();
      p["g"] = k + 1;
      for (int turn = 0; turn < 200; ++turn) {
        const System mine = s.with(p);
        Workspace work(mine);
        seen[k] = evaluate(mine, State{0, {0, 0, -1}, {0, 0, 0}}, work).Q[2];
      }
    });
  for (std::thread& t : threads) t.join();
  for (int k = 0; k < 4; ++k) EXPECT_EQ(seen[k], -(k + 1));
}

/// A row and an output that have no number where p is 0, or below it.
Model divided(double p) {
  Model m;
  const Expr by = m.parameter("p", p);
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1);
  m.constrain("c", x, 2 + log(by));
  m.output("o", sqrt(by));
  return m;
}

TEST(Living, ConstantsAreFiniteWithTheSentencesOfTheReader) {
  const std::string by_zero = "'log(p)' in constraint 'c' is -inf; constants must be finite";
  const std::string below = "'log(p)' in constraint 'c' is nan; constants must be finite";
  EXPECT_EQ(message([] { const System made(divided(0)); }), by_zero);
  EXPECT_EQ(message([] { const System made(divided(-1)); }), below);
  EXPECT_EQ(message([] { const System made(divided(1)); }), "no error");
  const System system(divided(1), std::vector<std::string>{"p"});
  const auto with = [&](double p) {
    return message([&] {
      Parameters parameters = system.parameters();
      parameters.values()[0] = p;
      system.with(parameters);
    });
  };
  EXPECT_EQ(with(0), by_zero);
  EXPECT_EQ(with(-1), below);
  EXPECT_EQ(with(2), "no error");
  EXPECT_EQ(message([] { const System made(divided(0), std::vector<std::string>{"p"}); }), by_zero);
}

TEST(Living, TheSmallestPartThatIsNotFiniteIsNamed) {
  const auto said = [](auto state) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0});
    const Expr p = m.parameter("p", 0), q = m.parameter("q", 1e300);
    state(m, x, p, q);
    return message([&] { const System system(m); });
  };
  using Place = const Coordinate&;
  EXPECT_EQ(said([](Model& m, Place x, auto& p, auto&) {
              m.mass(x, 1);
              m.force(x, 3 * sin(2 + 1 / p) - x);
            }),
            "'1/p' in the force on 'x' is inf; constants must be finite");
  EXPECT_EQ(said([](Model& m, Place x, auto&, auto& q) { m.mass(x, q * q); }),
            "'q^2' in the mass of 'x' is inf; constants must be finite");
  EXPECT_EQ(said([](Model& m, Place x, auto& p, auto&) {
              m.mass(x, 1);
              m.potential(x * (1 / p));
            }),
            "'1/p' in 'potential' is inf; constants must be finite");
  EXPECT_EQ(said([](Model& m, Place x, auto& p, auto&) {
              m.mass(x, 1);
              m.event("e", x - p / p);
            }),
            "'p/p' in event 'e' is nan; constants must be finite");
  EXPECT_EQ(said([](Model& m, Place x, auto&, auto&) {
              m.mass(x, 1);
              m.force(x, m.time() / (x - 1));  // not of constants alone: the motion tells
            }),
            "no error");
}

}  // namespace
}  // namespace vinculum
