#include "vinculum/motion/integrator.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

TEST(Integrator, EveryOneIsFoundByItsWordAndStandsAtItsPlace) {
  ASSERT_EQ(integrators().size(), 7u);
  for (const IntegratorInfo& i : integrators()) {
    EXPECT_EQ(integrator_name(i.integrator), i.name);
    EXPECT_EQ(integrator_named(i.name), i.integrator);
  }
  EXPECT_EQ(integrator_name(Integrator::extrapolation), "extrapolation");
  EXPECT_EQ(integrator_name(Integrator::taylor), "taylor");
  EXPECT_EQ(integrator_name(Integrator::automatic), "auto");
}

TEST(Integrator, AWordThatIsNoneIsNone) {
  EXPECT_EQ(integrator_named("rk5"), std::nullopt);
  EXPECT_EQ(integrator_named(""), std::nullopt);
}

}  // namespace
}  // namespace vinculum
