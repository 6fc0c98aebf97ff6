// Reference values computed without any code of this project (tests/data/reference), as models.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/data.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

nlohmann::json reference(const std::string& name) {
  std::ifstream in(test_data() + "/reference/" + name + ".json");
  EXPECT_TRUE(in) << name;
  return nlohmann::json::parse(in);
}

double number(const nlohmann::json& text) { return std::stod(text.get<std::string>()); }

/// Case f06: a rod stated once, or as s (x^2 + y^2 + z^2 - L^2) = 0 for s = 1, 2, -3.
Model rod(const nlohmann::json& p, bool thrice) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  const double mass = number(p["m"]), L = number(p["L"]);
  for (const Coordinate& q : {x, y, z}) m.mass(q, mass);
  m.force(y, mass * number(p["g"]));
  const Expr phi =
      0.5 * (x * x + y * y + z * z - L * L);  // the half makes the row (x, y, z), as in the reference
  m.constrain("one", phi);
  if (thrice) m.constrain("two", 2 * phi);
  if (thrice) m.constrain("three", -3 * phi);
  return m;
}

TEST(Reference, TheSphericalPendulumPullsAsInF06OnceOrThriceStated) {
  const nlohmann::json data = reference("f06-seed1-spherical-pendulum-duplicated");
  const System once(rod(data["parameters"], false)), thrice(rod(data["parameters"], true));
  for (const auto& row : data["reference"]) {
    const State at{number(row["t"]),
                   {number(row["x"]), number(row["y"]), number(row["z"])},
                   {number(row["vx"]), number(row["vy"]), number(row["vz"])}};
    const double lambda = number(row["lambda"]),
                 rounding = 1e-14 * std::fabs(lambda);  // a few dozen operations
    const Solution a = solve(once, at), b = solve(thrice, at);
    ASSERT_EQ(a.status, Status::solved);
    ASSERT_EQ(b.status, Status::solved) << describe(thrice, b);
    EXPECT_NEAR(a.multipliers[0], lambda, rounding);
    const double s[] = {1, 2, -3};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(b.multipliers[i], s[i] * lambda / 14, rounding);
      EXPECT_NEAR(b.acceleration[i], a.acceleration[i], 10 * rounding);
      EXPECT_NEAR(b.constraint_force[i], lambda * at.q[i], 10 * rounding);
    }
    Residuals r;
    Workspace work(once);
    residuals(once, at, work, r);
    EXPECT_NEAR(r.position[0], 0, 1e-14);
    EXPECT_NEAR(r.velocity[0], 0, 1e-13);
  }
}

/// Case k02: a constraint is ideal when A v = 0 on it (its reaction does no work on the motion itself),
/// admissible when the rows at the level of velocities are independent.
struct Classified {
  std::string constraint;
  std::function<void(Model&, const Particle&, const Particle&)> state;
  State at;  // on the constraint
};

TEST(Reference, IdealAndAdmissibleConstraintsAreToldApartAsInK02) {
  const nlohmann::json data = reference("k02-ideal-admissible-classification");
  const double alpha = 0.3;
  const std::vector<Classified> cases{
      {"x^2+y^2-L^2=0 (differentiated)",
       [](Model& m, const Particle& p, const Particle&) { m.constrain("c", p.x * p.x + p.y * p.y, 25); },
       {0, {3, 4, 0, 0, 0, 0}, {-4, 3, 1, 0, 0, 0}}},
      {"y' - z x' = 0",
       [](Model& m, const Particle& p, const Particle&) { m.constrain("c", p.y.rate(), p.z * p.x.rate()); },
       {0, {0, 0, 2, 0, 0, 0}, {1, 2, 5, 0, 0, 0}}},
      {"y' - z x' - alpha(t) = 0, alpha != 0",
       [&](Model& m, const Particle& p, const Particle&) {
         m.constrain("c", p.y.rate(), p.z * p.x.rate() + alpha);
       },
       {0, {0, 0, 2, 0, 0, 0}, {1, 2 + alpha, 5, 0, 0, 0}}},
      {"x'^2+y'^2-kappa^2 z'^2 = 0",
       [](Model& m, const Particle& p, const Particle&) {
         m.constrain("c", pow(p.x.rate(), 2) + pow(p.y.rate(), 2), pow(p.z.rate(), 2));
       },
       {0, {0, 0, 0, 0, 0, 0}, {3, 4, 5, 0, 0, 0}}},
      {"x1' y2' - x2' y1' = 0",
       [](Model& m, const Particle& p, const Particle& q) {
         m.constrain("c", p.x.rate() * q.y.rate(), q.x.rate() * p.y.rate());
       },
       {0, {0, 0, 0, 0, 0, 0}, {1, 2, 0, 2, 4, 0}}},
      {"x'^2+y'^2+z'^2-c^2 = 0",
       [](Model& m, const Particle& p, const Particle&) { m.constrain("c", norm_squared(p.velocity()), 49); },
       {0, {0, 0, 0, 0, 0, 0}, {2, 3, 6, 0, 0, 0}}},
  };
  for (const Classified& c : cases) {
    SCOPED_TRACE(c.constraint);
    const auto& rows = data["reference"];
    const auto entry = std::find_if(rows.begin(), rows.end(),
                                    [&](const auto& r) { return r["constraint"] == c.constraint; });
    ASSERT_NE(entry, rows.end());
    Model m;
    const Particle p = m.particle("p"), q = m.particle("q");
    c.state(m, p, q);
    const System system(m);
    Workspace work(system);
    Residuals off;
    residuals(system, c.at, work, off);
    ASSERT_NEAR(off.velocity[0], 0, 1e-15);
    const Equations& e = evaluate(system, c.at, work);
    double power = 0;
    for (int k = 0; k < e.A.entries(); ++k) power += e.A.value[k] * c.at.v[e.A.column[k]];
    EXPECT_EQ(std::fabs(power) < 1e-14, (*entry)["ideal"].get<std::string>().starts_with("yes"));
    EXPECT_EQ(solve(system, c.at).rank == 1, (*entry)["admissible"].get<std::string>().starts_with("yes"));
  }
}

}  // namespace
}  // namespace vinculum
