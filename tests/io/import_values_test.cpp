// Robots against MuJoCo and Pinocchio: accelerations of all bodies at random states. The values were made
// once, by tests/data/robots/make_values.py.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/data.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream in(test_data() + "/robots/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class RobotValues : public testing::TestWithParam<const char*> {};

TEST_P(RobotValues, AgreeWithMujocoAndPinocchio) {
  const std::string name = GetParam();
  std::vector<Remark> remarks;
  const ReadResult read =
      read_robot(text_of(name), test_data() + "/robots/" + name, {}, OpenNames::refused, remarks);
  for (const Fault& fault : read.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  ASSERT_TRUE(read.file);
  const System system(read.file->model);
  Workspace work(system);
  const auto values = nlohmann::json::parse(text_of(name + ".json"));
  ASSERT_EQ(values["states"].size(), 3u);
  for (const auto& at : values["states"]) {
    State state = system.start();
    const auto& q_names = system.coordinate_names();
    const auto& v_names = system.velocity_names();
    for (std::size_t k = 0; k < state.q.size(); ++k) {
      ASSERT_TRUE(at["q"].contains(q_names[k])) << q_names[k];
      state.q[k] = at["q"][q_names[k]];
    }
    for (std::size_t k = 0; k < state.v.size(); ++k) {
      ASSERT_TRUE(at["v"].contains(v_names[k])) << v_names[k];
      state.v[k] = at["v"][v_names[k]];
    }
    Solution solution;
    solve(system, state, work, solution);
    ASSERT_EQ(solution.status, Status::solved) << describe(system, solution);
    double largest = 0;  // of a robot, the sizes of its accelerations differ by no more than its sizes do
    for (const auto& [key, value] : at["acceleration"].items())
      largest = std::max(largest, std::fabs(value.get<double>()));
    for (std::size_t k = 0; k < state.v.size(); ++k)
      EXPECT_NEAR(solution.acceleration[k], at["acceleration"][v_names[k]].get<double>(),
                  1e-9 * std::max(1.0, largest))
          << v_names[k];
  }
}

INSTANTIATE_TEST_SUITE_P(All, RobotValues,
                         testing::Values("arm7.urdf", "cart_balls.xml", "cassie_leg.xml", "delta.xml",
                                         "five_bar.urdf", "four_bar.sdf", "gantry.urdf", "gripper.xml",
                                         "hand.urdf", "humanoid.xml", "quadruped.urdf", "scara.sdf"),
                         [](const auto& robot) {
                           std::string name = robot.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace vinculum
