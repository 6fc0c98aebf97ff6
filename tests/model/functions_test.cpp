// Functions written in C++ in a model: where they may stand.
#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {
namespace {

using test::message;

OpaqueFunction twice() {
  return {.name = "twice",
          .arguments = 1,
          .value = [](std::span<const double> at) { return 2 * at[0]; },
          .gradient = nullptr};
}

TEST(ModelFunction, MayStandInForcesOutputsAndEvents) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  const Function f = m.function(twice());
  m.force(x, f(x));
  m.force_along(x + y, f(x.rate()));
  m.output("f", f(x.acceleration()));
  m.event("zero", f(x) - 1);
  EXPECT_EQ(m.forces().size(), 3u);
}

TEST(ModelFunction, IsRefusedByNameEverywhereElse) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  const Expr f = m.function(twice())(x);
  const auto refused = [](const std::string& what) {
    return what +
           " contains the function 'twice', which is written in C++; such functions may stand in "
           "forces, outputs and events only";
  };
  EXPECT_EQ(message([&] { m.constrain("c", f, y); }), refused("constraint 'c'"));
  EXPECT_EQ(message([&] { m.mass(x, f); }), refused("a mass"));
  EXPECT_EQ(message([&] { m.mass(x, y, f); }), refused("a mass"));
  EXPECT_EQ(message([&] { m.potential(f); }), refused("a potential"));
  EXPECT_EQ(message([&] { m.kinetic(f * x.rate()); }), refused("a kinetic energy"));
  EXPECT_EQ(message([&] { m.lagrangian(f); }), refused("a Lagrangian"));
  EXPECT_EQ(message([&] { m.nonideal(x, f); }), refused("a non-ideal force"));
  EXPECT_EQ(message([&] { m.force_along(f, 1); }), refused("the place of a force"));
  EXPECT_EQ(message([&] { m.spring(x, {.stiffness = f, .damping = 0, .length = 0}); }),
            refused("a constant of a spring"));
  EXPECT_EQ(message([&] { m.coordinate_with_rate("w", f * x.rate(), 0); }), refused("the rate of 'w'"));
  m.parameter("p", 1);
  EXPECT_EQ(message([&] { m.define("p", f); }), refused("parameter 'p'"));
  EXPECT_EQ(message([&] { m.coordinate("z", {.start = f}); }), refused("the start of 'z'"));
}

TEST(ModelFunction, HasANameOfItsOwn) {
  Model m;
  m.coordinate("twice");
  EXPECT_EQ(message([&] { m.function(twice()); }), "the name 'twice' is already that of a coordinate");
}

TEST(Model, FindsACoordinateThatWasStated) {
  Model m;
  const Particle p = m.particle("p");
  EXPECT_TRUE(identical(m.find_coordinate("p.y").rate(), p.y.rate()));
  EXPECT_TRUE(identical(m.find_coordinate("p.y").acceleration(), p.y.acceleration()));
  EXPECT_EQ(message([&] { m.find_coordinate("q"); }),
            "there is no coordinate 'q'; coordinates are: p.x, p.y and p.z");
}

}  // namespace
}  // namespace vinculum
