// Faults in models made of parts, repetition and files: what is said, and where.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "io/marked.hpp"
#include "vinculum/io/expand_model.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

const std::string leg =
    "[components.leg]\nparameters = { length = 0.4 }\nnames = { to = 'ground' }\n";  // 3 lines
const std::string n = "[parameters]\nn = 3\n" + two;                                 // 8 lines

TEST(ExpandFaults, AFaultInAComponentNamesItsLineAndItsUse) {
  expect_faults(
      leg + "[components.leg.particles.foot]\nmass = '@lenght'\n" + "[parts.leg1]\nuse = 'leg'\n",
      {"unknown name 'lenght' in the mass of particle 'leg1.foot' (did you mean 'length'?); in part "
       "'leg1', stated at m.toml:6:8"});
  expect_faults(
      leg + "[components.leg.particles.foot]\nmass = 1\n@colour = 'red'\n[parts.leg1]\nuse = 'leg'\n" +
          "[parts.leg2]\nuse = 'leg'\n[parts.leg3]\nuse = 'leg'\n",
      {"unknown key 'colour' in particle 'leg1.foot' (keys are mass, position and velocity); in part "
       "'leg1', stated at m.toml:7:8; 2 other uses have the same"});
}

TEST(ExpandFaults, NestedPartsAreToldFromTheInsideOut) {
  expect_faults(
      "[components.toe.particles.p]\nmass = '@m'\n[components.leg.parts.toe]\nuse = 'toe'\n"
      "[parts.left]\nuse = 'leg'\n",
      {"unknown name 'm' in the mass of particle 'left.toe.p'; in part 'left.toe', stated at "
       "m.toml:3:23; in part 'left', stated at m.toml:5:8"});
}

TEST(ExpandFaults, AFaultInWhatIsRepeatedIsToldOnce) {
  expect_faults(n + "[particles.p]\nfor = 'i = 1..n'\nmass = '@k'\n",
                {"unknown name 'k' in the mass of particle 'p1'; with i = 1; 2 other uses have the same"});
}

/// Particles that could not be written out are not missed besides.
TEST(ExpandFaults, WhatCouldNotBeRepeatedIsNoWeightThatIsMissing) {
  expect_faults(
      "gravity = [0, 0, -1]\n[coordinates]\nx = 0\n[mass]\nx = 1\n[particles.p]\nfor = 'i = 1..@2.5'\nmass = "
      "1\n",
      {"the range of 'i' is 2.5; a whole number is asked for"});
}

TEST(ExpandFaults, AFaultInWhatAPartIsGivenStandsThere) {
  expect_faults(
      leg + "[components.leg.particles.foot]\nmass = 'length'\n[parts.leg1]\nuse = 'leg'\nlength = '@q'\n",
      {"unknown name 'q' in parameter 'leg1.length'"});
}

TEST(ExpandFaults, Components) {
  expect_faults(
      two + leg + "[parts.a]\nuse = '@log'\n",
      {"part 'a' uses component 'log', which is not declared; components are: leg (did you mean 'leg'?)"});
  expect_faults(two + "[parts.a]\nuse = '@leg'\n",
                {"part 'a' uses component 'leg', which is not declared; there are none"});
  expect_faults(two + leg + "@[parts.a]\nto = 'x'\n",
                {"part 'a' has no 'use'; it says which component it is"});
  expect_faults(two + leg + "[parts.a]\nuse = @3\n",
                {"'use' of part 'a' is a number; the name of a component is asked for"});
  expect_faults(two + leg + "[parts.a]\nuse = 'leg'\n@lenght = 1\n",
                {"component 'leg' has no parameter 'lenght' (did you mean 'length'?)"});
  expect_faults(two + leg + "[parts.@sin]\nuse = 'leg'\n", {"'sin' is reserved and cannot name a part"});
  expect_faults(
      two + leg + "[parts.@1a]\nuse = 'leg'\n",
      {"'1a' cannot name a part: a name is letters, digits and _, and does not start with a digit"});
  expect_faults(two + "[parts]\n@a = 'leg'\n",
                {"part 'a' is a text; a table is asked for, as in a = { use = \"leg\" }"});
  expect_faults(two + "[components.leg]\n@gravity = [0, 0, 1]\n[components.leg.@simulate]\nuntil = 1\n",
                {"'gravity' is said of the whole model, not of component 'leg'",
                 "'simulate' is said of the whole model, not of component 'leg'"});
  expect_faults(two + "[components.leg.@bodys.b]\nmass = 1\n",
                {"unknown key 'bodys' in component 'leg' (did you mean 'bodies'?)"});
  expect_faults("@components = 3\n" + two, {"'components' is a number; a table [components] is asked for"});
}

TEST(ExpandFaults, NamesThatAPartIsJoinedTo) {
  const std::string rope = "[components.rope]\nnames = { to = '?' }\n";
  expect_faults(two + rope + "@[parts.a]\nuse = 'rope'\n",
                {"part 'a' has no 'to', and component 'rope' asks for it"});
  expect_faults(two + rope + "[parts.a]\nuse = 'rope'\nto = @3\n",
                {"'to' of part 'a' is a number; a name in quotes is asked for"});
  expect_faults(two + rope + "[parts.a]\nuse = 'rope'\nto = @'x + y'\n",
                {"'to' of part 'a' is 'x + y'; the name of one thing is asked for"});
}

TEST(ExpandFaults, CirclesOfComponents) {
  expect_faults(
      two + "[components.a.parts.p]\nuse = 'b'\n[components.b.parts.q]\nuse = '@a'\n[parts.r]\nuse = 'a'\n",
      {"component 'a' uses itself: a -> b -> a; in part 'r.p', stated at m.toml:7:21; in part 'r', stated "
       "at m.toml:11:8"});
}

TEST(ExpandFaults, Repetition) {
  const std::string as_in = "; it is said as in for = \"i = 1..n\" or \"i = 1..n, j = 1..i\"";
  const auto loop = [](const std::string& text) {
    return n + "[particles.p]\nmass = 1\nfor = " + text + "\n";
  };
  expect_faults(loop("@3"), {"'for' is a number" + as_in});
  expect_faults(loop("@'i = 1'"), {"'for' is 'i = 1'" + as_in});
  expect_faults(loop("@'1..n'"), {"'for' is '1..n'" + as_in});
  expect_faults(loop("@'t = 1..n'"), {"'t' cannot name an index" + as_in});
  expect_faults(loop("@'i = 1..n, i = 1..2'"), {"the index 'i' is there twice"});
  expect_faults(loop("'i = 1..@k'"),
                {"'k' is no parameter; what counts is made of indices and parameters (in the range of 'i')"});
  expect_faults(loop("'i = 1..@n/2'"), {"the range of 'i' is 1.5; a whole number is asked for"});
  expect_faults(loop("@'i = -1..1'"),
                {"i = -1 is the number of no element of 'p'; they are counted 0, 1, 2 and on"});
  expect_faults(n + "[outputs]\nz = @{ for = 'i = 1..n' }\n",
                {"'z' is repeated and has no 'value'; with i = 1; 2 other uses have the same"});
  expect_faults(n + "[outputs]\nz = { for = 'i = 1..1', value = 1, @colour = 2 }\n",
                {"unknown key 'colour' in 'z', which is repeated (keys are for, value); with i = 1"});
}

// Parts have such a table, and what is no table must not vanish in it.
TEST(ExpandFaults, ATableOfPartsIsNoNumber) {
  for (const std::string name : {"mass", "coordinates", "parameters"})
    expect_faults(
        "@" + name +
            " = 3\n[components.o]\nparameters.m = 1\ncoordinates.x = 1\nmass.x = 'm'\n[parts.a]\nuse = 'o'\n",
        {"'" + name + "' is a number; a table [" + name + "] is asked for"});
}

TEST(ExpandFaults, Elements) {
  const std::string beads = n + "[particles.p]\nmass = 1\nfor = 'i = 1..n'\n[outputs]\n";
  expect_faults(beads + "z = '@p[4].x'\n", {"'p[4]' is 'p4', and the elements of 'p' are 'p1' to 'p3'"});
  expect_faults(beads + "z = { for = 'i = 1..n', value = 'p[i].x - @p[i+1].x' }\n",
                {"'p[i+1]' is 'p4', and the elements of 'p' are 'p1' to 'p3'; with i = 3"});
  expect_faults(beads + "z = '@q[1].x'\n", {"'q[1]': nothing called 'q' is repeated"});
  expect_faults(beads + "z = 'p[@n/2].x'\n", {"the index of 'p' is 1.5; a whole number is asked for"});
  expect_faults(beads + "z = '@p[1-2].x'\n", {"the index of 'p' is -1; elements are counted 0, 1, 2 and on"});
  expect_faults(beads + "[particles.@p2]\nmass = 1\n",
                {"'p2' is stated in [particles] at m.toml:9:12 already"});
}

TEST(ExpandFaults, AllAtOnce) {
  expect_faults(two +
                    "[parts.a]\nuse = '@leg'\n[constraints]\nc = 'x = y +@'\nd = 'a.knee = "
                    "0'\n[particles.p]\n@colour = 1\nmass = 1\n",
                {"part 'a' uses component 'leg', which is not declared; there are none",
                 "a number, a name or '(' is missing after '+': the text ends (in constraint 'c')",
                 "unknown key 'colour' in particle 'p' (keys are mass, position and velocity)"});
}

TEST(ExpandFaults, SizeIsBounded) {
  const std::string full = "the model in full has more than 500000 entries or 32 MiB of text, the limit";
  expect_faults(two + "[particles.p]\nmass = 1\nfor = @'i = 1..1000000000'\n", {full});
  expect_faults(two + "[particles.p]\nmass = 1\nfor = @'i = 1..1000000000, j = 1..0'\n", {full});
  // Ten parts of ten parts of ten parts ..: a short text, and more than any memory.
  std::string tree = two;
  for (int k = 0; k < 20; ++k)
    tree += "[components.c" + std::to_string(k) + ".parts.p]\nfor = 'i = 1..10'\nuse = 'c" +
            std::to_string(k + 1) + "'\n";
  const ReadResult result =
      read_model(tree + "[components.c20.definitions]\nd = 1\n[parts.q]\nuse = 'c0'\n", "m.toml");
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_TRUE(result.faults[0].text.starts_with(full)) << result.faults[0].text;
}

using Files = std::map<std::string, std::string>;

Texts faults_of(const std::string& text, const Files& files) {
  const ReadResult result =
      read_model(text, "dir/m.toml", {}, OpenNames::refused, [&](const std::string& path) {
        const auto found = files.find(path);
        return found == files.end() ? IncludedText{std::nullopt, "No such file"}
                                    : IncludedText{found->second, ""};
      });
  Texts faults;
  for (const Fault& fault : result.faults) faults.emplace_back(Error(fault.text, fault.place).what());
  return faults;
}

TEST(ExpandFaults, Files) {
  EXPECT_EQ(faults_of("include = ['a.toml', 'sub/b.toml']\n",
                      {{"a.toml", "title = 'of a'\n[mass]\nx = 'm'\n"},
                       {"sub/b.toml", "include = 'c.toml'\n[coordinates]\nx = 0\n"},
                       {"sub/c.toml", "[parameters]\nm = 1\n"}}),
            Texts{});
  EXPECT_EQ(faults_of("include = ['a.toml']\n" + two, {}),
            Texts{"dir/m.toml:1:12: 'a.toml' cannot be included: No such file"});
  EXPECT_EQ(
      faults_of("include = 3\n" + two, {}),
      Texts{
          "dir/m.toml:1:11: 'include' is a list of files: include = [\"legs.toml\", \"parts/engine.toml\"]"});
  for (const char* path : {"../a.toml", "sub/../../a.toml", "sub/.."})
    EXPECT_EQ(faults_of("include = ['" + std::string(path) + "']\n" + two, {}),
              Texts{"dir/m.toml:1:12: '" + std::string(path) +
                    "' leads out of the folder of the model; files stand in it or below it"});
  EXPECT_EQ(faults_of("include = ['/etc/passwd']\n" + two, {}),
            Texts{"dir/m.toml:1:12: '/etc/passwd': files are named from the folder of the model, with '/' "
                  "between folders"});
  EXPECT_EQ(faults_of("include = ['a.toml']\n" + two, {{"a.toml", "x = \n"}}).at(0).substr(0, 21),
            "dir/a.toml:1:5: not T");
  EXPECT_EQ(faults_of("include = ['a.toml']\n" + two,
                      {{"a.toml", "include = ['b.toml']\n"}, {"b.toml", "include = ['a.toml']\n"}}),
            Texts{"dir/b.toml:1:12: 'a.toml' includes itself: a.toml -> b.toml -> a.toml"});
  EXPECT_EQ(faults_of("include = ['m.toml']\n" + two, {}),
            Texts{"dir/m.toml:1:12: 'm.toml' includes itself: m.toml -> m.toml"});
  EXPECT_EQ(faults_of("include = ['a.toml']\n" + two,
                      {{"a.toml", "[constraints]\nc = 'x = q'\n[coordinates]\nx = 2\n"}}),
            (Texts{"dir/m.toml:3:1: 'x' is stated in [coordinates] at dir/a.toml:4:1 already",
                   "dir/a.toml:2:10: unknown name 'q' in constraint 'c'"}));
  EXPECT_EQ(read_model("include = ['a.toml']\n" + two, "m.toml").faults.at(0).text,
            "'a.toml' cannot be included: this text has no folder");
}

TEST(ExpandFaults, AFileIncludesDeepAndOften) {
  Files files;
  for (int k = 0; k < 40; ++k)
    files[std::to_string(k) + ".toml"] = "include = ['" + std::to_string(k + 1) + ".toml']\n";
  EXPECT_EQ(faults_of("include = ['0.toml']\n" + two, files),
            Texts{"dir/15.toml:1:12: files include files more than 16 deep"});
}

TEST(ExpandFaults, NoFileOutsideTheFolderIsRead) {
  const fs::path folder = fs::path(testing::TempDir()) / "vinculum_include";
  fs::remove_all(folder);
  fs::create_directories(folder / "model" / "sub");
  const auto write = [&](const std::string& path, const std::string& text) {
    std::ofstream(folder / path) << text;
  };
  write("secret.toml", "[parameters]\nsecret = 1\n");
  write("model/sub/good.toml", "[parameters]\ngood = 1\n");
  fs::create_symlink(folder / "secret.toml", folder / "model" / "link.toml");
  fs::create_directory_symlink(folder, folder / "model" / "up");
  fs::create_symlink(folder / "model" / "sub" / "good.toml", folder / "model" / "inside.toml");
  const std::string path = (folder / "model" / "m.toml").string();
  const auto why = [&](const std::string& name) {
    const ReadResult result =
        read_model("include = ['" + name + "']\n" + two, path, {}, OpenNames::refused, files_beside(path));
    return result.faults.empty() ? "" : result.faults[0].text;
  };
  EXPECT_EQ(why("sub/good.toml"), "");
  EXPECT_EQ(why("./sub//good.toml"), "");
  EXPECT_EQ(why("inside.toml"), "");
  EXPECT_EQ(why("link.toml"), "'link.toml' cannot be included: a link leads out of the folder of the model");
  EXPECT_EQ(why("up/secret.toml"),
            "'up/secret.toml' cannot be included: a link leads out of the folder of the model");
  EXPECT_EQ(why("sub"), "'sub' cannot be included: this is no plain file");
  EXPECT_EQ(why("none.toml"), "'none.toml' cannot be included: No such file or directory");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vinculum
