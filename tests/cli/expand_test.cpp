// Models of parts on the command line: the same results as in full, by name, in every form of output.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

const std::string parts = VINCULUM_SOURCE "/examples/parts/";

Json without_path(const std::string& text) {
  Json json = Json::parse(text);
  json.erase("model");
  json.erase("seconds");
  return json;
}

TEST(Expand, AModelInFullRunsToTheSameBits) {
  const Folder vinculum;
  for (const std::string name : {"chain", "two_legs", "six_cylinders"}) {
    const Outcome full = vinculum("expand " + parts + name + ".toml");
    ASSERT_EQ(full.status, 0) << full.err;
    vinculum.write("full.toml", full.out);
    EXPECT_EQ(vinculum("expand full.toml").out, full.out);
    const std::string how = " --json --no-verify --quiet --until 0.05";
    EXPECT_EQ(without_path(vinculum("run " + parts + name + ".toml" + how).out),
              without_path(vinculum("run full.toml" + how).out))
        << name;
  }
}

TEST(Expand, AnEngineOfSixCylindersTakesFewerThanSixtyLines) {
  const Folder vinculum;
  const std::string text = vinculum.shell("cat " + parts + "six_cylinders.toml").out;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 60);
  const Json check = Json::parse(vinculum("check --json " + parts + "six_cylinders.toml").out);
  EXPECT_EQ(check["degrees_of_freedom"], 1);
  EXPECT_EQ(check["constraints"].size(), 19u);
}

TEST(Expand, NamesWithDotsAreNamesEverywhere) {
  const Folder vinculum;
  const std::string model = parts + "two_legs.toml";
  const Json run = Json::parse(vinculum("run --json --until 0.1 --set left.length=0.5 --set right.at.z=0.1 " +
                                        model + " --out run.csv --report page.html --picture p.svg")
                                   .out);
  EXPECT_EQ(run["coordinates"][7], "left.thigh.x");
  EXPECT_TRUE(run["multipliers"].contains("left.knee[0]"));
  EXPECT_TRUE(run["outputs"].contains("left.load"));
  EXPECT_NE(vinculum.read("run.csv").find("left.shank.x"), std::string::npos);
  EXPECT_NE(vinculum.read("page.html").find("left.shank"), std::string::npos);
  EXPECT_EQ(Json::parse(vinculum("explain --json " + model).out)["rows"][5], "left.hip[0]");
  EXPECT_EQ(vinculum("run --quiet --set left.lenght=1 " + model).err,
            "--set left.lenght=1: there is no parameter 'left.lenght' in '" + model +
                "' (did you mean 'left.length'?)\n");
}

TEST(Expand, DerivedCOfPartsCompiles) {
  const Folder vinculum;
  const std::string model = R"toml(
[components.bob.parameters]
l = 1
[components.bob.coordinates]
phi = 0.5
[components.bob.mass]
phi = "l^2"
[components.bob.forces]
phi = "-9.81*l*sin(phi)"
[parts.bob]
for = "i = 1..2"
use = "bob"
l = "i"
[constraints]
tie = "bob1.phi = 2*bob2.phi - 0.5"
)toml";
  const Outcome c = vinculum("derive --format c m.toml > m.c", model);
  EXPECT_EQ(c.status, 0) << c.err;
  EXPECT_EQ(vinculum.shell("cc -std=c99 -Wall -Werror -c m.c -o m.o").err, "");
  EXPECT_EQ(vinculum("derive --format latex m.toml").status, 0);
  EXPECT_NE(vinculum("derive m.toml").out.find("bob1.phi''"), std::string::npos);
}

TEST(Expand, FaultsNameTheFileTheLineAndTheUse) {
  const Folder vinculum;
  vinculum.write("leg.toml", "[components.leg.particles.foot]\nmass = 'mm'\n");
  const Outcome outcome = vinculum("expand m.toml", "include = ['leg.toml']\n[parts.left]\nuse = 'leg'\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "leg.toml:2:9: unknown name 'mm' in the mass of particle 'left.foot'; in part 'left', stated at "
            "m.toml:2:8\n");
  vinculum.write("../vinculum_outside.toml", "[parameters]\na = 1\n");
  const Outcome outside = vinculum("check m.toml", "include = ['../vinculum_outside.toml']\n");
  EXPECT_EQ(outside.status, 2);
  EXPECT_EQ(outside.err.find("m.toml:1:12: '../vinculum_outside.toml' leads out of the folder"), 0u);
  std::filesystem::remove(vinculum.path("../vinculum_outside.toml"));
}

}  // namespace
}  // namespace vinculum::cli_test
