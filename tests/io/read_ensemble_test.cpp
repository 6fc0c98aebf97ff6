// [ensemble]: what varies and what is kept, and the slips of who states it.
#include <gtest/gtest.h>

#include "io/marked.hpp"

namespace vinculum {
namespace {

const std::string model = R"toml(
[parameters]
m = 1
L = "2*m"
count = 3
[coordinates]
x = { start = 0, rate = 1 }
[mass]
x = "m*L*count"
)toml";

TEST(ReadEnsemble, AxesAndDrawsInTheOrderOfTheFile) {
  const ReadResult read = read_model(model + R"toml(
[ensemble]
seed = 5
sampling = "sobol"
keep = ["x", "x'.max"]
m = { from = "m/2", to = 2, count = 4 }
"x'" = { values = [0, 1.5] }
L = { normal = [2, 0.1] }
x = { log = [0.1, 10] }
count = { uniform = [1, 2] }
)toml",
                                     "m.toml");
  ASSERT_TRUE(read.file) << read.faults.front().text;
  const Study& study = read.file->ensemble.study;
  const std::vector<std::string>& keep = read.file->ensemble.keep;
  EXPECT_EQ(keep, (Texts{"x", "x'.max"}));
  ASSERT_EQ(study.axes.size(), 2u);
  EXPECT_EQ(study.axes[0].name, "m");
  EXPECT_EQ(study.axes[0].values, (std::vector<double>{0.5, 1, 1.5, 2}));
  EXPECT_EQ(study.axes[1].name, "x'");
  EXPECT_EQ(study.axes[1].values, (std::vector<double>{0, 1.5}));
  ASSERT_EQ(study.draws.size(), 3u);
  EXPECT_EQ(study.draws[0].distribution, Distribution::normal);
  EXPECT_EQ(study.draws[1].distribution, Distribution::log_uniform);
  EXPECT_EQ(study.draws[2].name, "count");  // a parameter of that name: it is a table
  EXPECT_EQ(study.draws[2].b, 2);
  EXPECT_EQ(study.draws_each, 1);
  EXPECT_EQ(study.seed, 5u);
  EXPECT_EQ(study.sampling, Sampling::sobol);
}

TEST(ReadEnsemble, WithoutOneNothingVaries) {
  const ReadResult read = read_model(model, "m.toml");
  ASSERT_TRUE(read.file);
  EXPECT_TRUE(read.file->ensemble.study.names().empty());
}

TEST(ReadEnsemble, SlipsAreTold) {
  expect_faults(
      model + "[ensemble]\n@M = { values = [1] }\n",
      {"there is no 'M' to vary: parameters do, and where coordinates, velocities and joints start (did "
       "you mean 'm'?)"});
  expect_faults(model + "[ensemble]\nm = { @form = 1, to = 2, count = 3 }\n",
                {"unknown key 'form' in 'm' in [ensemble] (did you mean 'from'?)"});
  const std::string ways =
      "'m' in [ensemble] varies in one way: { from = 0.5, to = 2, count = 20 }, { values = [1, 2] }, "
      "{ uniform = [a, b] }, { normal = [mean, deviation] } or { log = [a, b] }";
  expect_faults(model + "[ensemble]\nm = @{ from = 1, to = 2 }\n", {ways});
  expect_faults(model + "[ensemble]\nm = @{ values = [1], uniform = [1, 2] }\n", {ways});
  expect_faults(model + "[ensemble]\nm = @{}\n", {ways});
  expect_faults(model + "[ensemble]\nm = { uniform = @[1] }\n",
                {"'m' in [ensemble] is two numbers in brackets"});
  expect_faults(model + "[ensemble]\nm = @{ from = 1, to = 2, count = 1 }\n",
                {"'m' in [ensemble] is one value, and not both 1 and 2: a 'count' of 2 or more has both"});
  expect_faults(model + "[ensemble]\nm = { from = 1, to = 2, count = @0 }\n",
                {"'count' of 'm' in [ensemble] is 0; a whole number from 1 to 100000000 is asked for"});
  expect_faults(model + "[ensemble]\nm = { values = [1] }\nkeep = @\"x\"\n",
                {"'keep' in [ensemble] is a list of names in quotes, as in [\"x\", \"tension.max\"]"});
  expect_faults(model + "[ensemble]\ntable = @3\n",
                {"'table' in [ensemble] is the name of a file, as in \"starts.csv\""});
  expect_faults(model + "[ensemble]\n@columns = [\"m\"]\n",
                {"'columns' in [ensemble] are those of its table: say which, as in table = \"starts.csv\""});
  expect_faults(model + "[ensemble]\nm = @3\n", {"'m' in [ensemble] is a number; a table is asked for"});
  expect_faults(
      model + "[ensemble]\nm = { values = [1] }\nsampling = @\"sobool\"\n",
      {"'sampling' in [ensemble] is 'sobool'; it is one of random and sobol (did you mean 'sobol'?)"});
}

TEST(ReadEnsemble, WhatCannotBeDrawnIsRefusedAtItsTable) {
  const ReadResult read = read_model(model + "[ensemble]\nm = { normal = [0, -1] }\n", "m.toml");
  ASSERT_FALSE(read.file);
  EXPECT_NE(read.faults[0].text.find("a deviation is not negative"), std::string::npos)
      << read.faults[0].text;
}

}  // namespace
}  // namespace vinculum
