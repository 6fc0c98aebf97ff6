// vinculum run --verify: who is verified, and what is said of it.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string swing = R"(
coordinates = { x = { start = 1 } }
mass = { x = 1 }
forces = { x = "-x" }
simulate = { until = 10 }
)";

const std::string chaos = R"model(
lagrangian = "1/2*(a'^2*2 + b'^2 + 2*a'*b'*cos(a-b)) + 9.81*(2*cos(a)+cos(b))"
coordinates = { a = 2, b = 1 }
simulate = { until = 200 }
)model";

TEST(Verify, ASmallMotionIsVerifiedWithoutBeingAskedAndCanBeLeftOut) {
  const Folder vinculum;
  const Outcome page = vinculum("run m.toml", swing);
  EXPECT_EQ(page.status, 0);
  EXPECT_TRUE(
      has(page.out, "\nVerified: computed again with extrapolation at a tolerance of 1e-11: at least "))
      << page.out;
  const Json json = Json::parse(vinculum("run m.toml --json").out);
  EXPECT_GE(json["verification"]["digits"]["x"], 8);
  EXPECT_EQ(json["verification"]["trusted_until"], 10);
  EXPECT_TRUE(json["unverified"].is_null());
  const Json without = Json::parse(vinculum("run m.toml --json --no-verify").out);
  EXPECT_TRUE(without["verification"].is_null());
  EXPECT_EQ(without["unverified"], "left out by --no-verify");
  EXPECT_EQ(without["q"], json["q"]);
  EXPECT_TRUE(has(vinculum("run m.toml --no-verify").out, "\nNot verified: left out by --no-verify\n"));
}

TEST(Verify, AskingForItAndAgainstItIsBadUsage) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --verify --no-verify", swing);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(has(outcome.err, "--no-verify")) << outcome.err;
}

TEST(Verify, ALongMotionSaysThatItIsNotVerifiedAndHowItWouldBe) {
  const Folder vinculum;
  const Outcome page = vinculum("run m.toml --until 100000", swing);
  EXPECT_EQ(page.status, 0);
  EXPECT_TRUE(has(page.out,
                  "\nNot verified: computing it a second time is more work than is done without being asked; "
                  "--verify does it\n"))
      << page.out;
  const Json json = Json::parse(vinculum("run m.toml --until 100000 --json").out);
  EXPECT_TRUE(json["verification"].is_null());
  EXPECT_TRUE(has(json["unverified"], "--verify does it"));
}

TEST(Verify, AChaoticMotionWarnsFromWhenItIsNotToBeTrustedAndTheExitStatusStays) {
  const Folder vinculum;
  const Outcome page = vinculum("run m.toml --verify", chaos);
  EXPECT_EQ(page.status, 0);
  EXPECT_TRUE(has(page.out, "\nWarning: after t = ")) << page.out;
  EXPECT_TRUE(has(page.out, " the motion is not to be trusted: ")) << page.out;
  const Outcome said = vinculum("run m.toml --verify --json");
  EXPECT_EQ(said.status, 0);
  const Json json = Json::parse(said.out)["verification"];
  EXPECT_LT(json["trusted_until"], 100);
  EXPECT_GT(json["trusted_until"], 5);
  EXPECT_LT(json["digits"]["b"], 3);
  EXPECT_EQ(json["doubtful"], true);
}

TEST(Verify, TheSameRunSaysTheSameAgain) {
  const Folder vinculum;
  Json first = Json::parse(vinculum("run m.toml --json --until 30", chaos).out);
  Json second = Json::parse(vinculum("run m.toml --json --until 30").out);
  first.erase("seconds");
  second.erase("seconds");
  EXPECT_EQ(first, second);
}

TEST(Verify, AMotionThatEndedEarlyIsNotVerified) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json", R"(
coordinates = { x = { start = 1 } }
mass = { x = 1 }
forces = { x = "-1/x^2" }
simulate = { until = 10 }
)");
  EXPECT_EQ(outcome.status, 1);
  const Json json = Json::parse(outcome.out);
  EXPECT_TRUE(json["verification"].is_null());
  EXPECT_EQ(json["unverified"], "the motion ended before its time");
}

TEST(Verify, FrictionSwitchesBodiesAndVakonomicMotionAreVerified) {
  const Folder vinculum;
  const std::string examples = std::string(VINCULUM_SOURCE) + "/examples/";
  for (const char* model : {"bead_on_ring", "rough_slope", "rough_table", "skate_vakonomic", "heavy_top",
                            "door_on_two_hinges", "stewart_platform", "servo_arm", "kepler", "trailer"}) {
    const Outcome outcome = vinculum("run " + examples + model + ".toml --verify --json");
    ASSERT_EQ(outcome.status, 0) << model << outcome.err;
    const Json json = Json::parse(outcome.out);
    ASSERT_TRUE(json["verification"].is_object()) << model << json["unverified"];
    for (const auto& name : json["coordinates"])
      EXPECT_GE(json["verification"]["digits"][name.get<std::string>()], 4) << model << " " << name;
  }
}

}  // namespace
}  // namespace vinculum::cli_test
