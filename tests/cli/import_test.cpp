// vinculum import, and robots in place of models.
#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

const std::string robot =
    "<robot name=\"pendulum\">\n<link name=\"base\"/>\n<link name=\"bob\">\n<inertial><origin xyz=\"0 0 "
    "-1\"/><mass "
    "value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"/></inertial>\n</link>\n"
    "<joint name=\"pin\" type=\"revolute\">\n<parent link=\"base\"/><child link=\"bob\"/>\n<origin rpy=\"0.5 "
    "0 0\"/>\n"
    "<limit lower=\"-1\" upper=\"1\"/>\n</joint>\n</robot>\n";

TEST(ImportCommand, WritesTheModelAndTellsOfTheRest) {
  const Folder vinculum;
  vinculum.write("p.urdf", robot);
  const Outcome printed = vinculum("import p.urdf");
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.err, "p.urdf:9: the limits of joint 'pin' are a comment\n");
  EXPECT_TRUE(has(printed.out, "[bodies.bob]\nmass = 2\n")) << printed.out;
  EXPECT_TRUE(has(printed.out, "#   p.urdf:9: the limits of joint 'pin' are a comment\n"));
  const Outcome written = vinculum("import p.urdf -o p.toml --quiet");
  EXPECT_EQ(written.status, 0);
  EXPECT_EQ(written.out + written.err, "");
  EXPECT_EQ(vinculum.read("p.toml"), printed.out);
}

/// What run would refuse or warn of is told at once, and nothing is written then.
TEST(ImportCommand, TellsWhatRunTells) {
  const Folder vinculum;
  const auto with = [](const std::string& mass, const std::string& damping) {
    return "<robot name=\"r\">\n<link name=\"base\"/>\n<link name=\"bob\"><inertial><mass value=\"" + mass +
           "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n<joint name=\"pin\" "
           "type=\"continuous\"><parent link=\"base\"/><child link=\"bob\"/><dynamics damping=\"" +
           damping + "\"/></joint>\n</robot>\n";
  };
  vinculum.write("heavy.urdf", with("-1", "0"));
  const std::string fault = "heavy.urdf:3:1: the mass of body 'bob' is -1; it must not be negative\n";
  const Outcome refused = vinculum("import heavy.urdf -o heavy.toml");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out + refused.err, fault);
  EXPECT_EQ(vinculum("run heavy.urdf").err, fault);
  EXPECT_EQ(vinculum("run heavy.toml").status, 2);
  vinculum.write("driven.urdf", with("1", "-1"));
  const Outcome warned = vinculum("import driven.urdf");
  EXPECT_EQ(warned.status, 0);
  EXPECT_EQ(warned.err,
            "vinculum: warning: the damping of joint 'pin' is -1: below 0 it drives the motion instead of "
            "braking it\n");
}

TEST(ImportCommand, ARobotsFileStandsForItsModel) {
  const Folder vinculum;
  vinculum.write("p.urdf", robot);
  vinculum("import p.urdf -o p.toml --quiet");
  for (const char* command : {"run", "explain", "check", "derive"}) {
    const Outcome direct = vinculum(std::string(command) + " p.urdf");
    EXPECT_EQ(direct.status, 0) << command << direct.err;
    EXPECT_TRUE(direct.err.starts_with("p.urdf:9: the limits of joint 'pin' are a comment\n")) << direct.err;
  }
  const std::string end = "\"q\":";
  const auto q = [&](const std::string& file) {
    const std::string json = vinculum("run " + file + " --json --quiet").out;
    return json.substr(json.find(end), json.find(']', json.find(end)) - json.find(end));
  };
  EXPECT_EQ(q("p.urdf"), q("p.toml"));
}

TEST(ImportCommand, WhatCannotBeReadIsToldByPlaceWithNothingOnStandardOutput) {
  const Folder vinculum;
  vinculum.write("p.urdf", "<robot name=\"r\">\n  <link/>\n</robot>\n");
  for (const char* command : {"import", "run", "check"}) {
    const Outcome outcome = vinculum(std::string(command) + " p.urdf");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("p.urdf:2:3: a link has no name\n")) << outcome.err;
  }
  EXPECT_EQ(vinculum("import none.urdf").status, 2);
  EXPECT_EQ(vinculum("import .").status, 2);
}

}  // namespace
}  // namespace vinculum::cli_test
