// [units]: for people to read, by the names that results have.
#include <gtest/gtest.h>

#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

const std::string model = R"toml(
[coordinates]
x = { start = 0, rate = 1 }
[mass]
x = 1
[particles]
p = { mass = 1, position = [0, 0, 0] }
[outputs]
twice = "2*x"
)toml";

TEST(ReadUnits, NamesOfResultsHaveThem) {
  const ReadResult read = read_model(
      model + "[units]\nt = \"s\"\nx = \"m\"\n\"x'\" = \"m/s\"\np = \"km\"\ntwice = \"m\"\nenergy = \"J\"\n",
      "m.toml");
  ASSERT_TRUE(read.file) << read.faults.front().text;
  const Units& units = read.file->units;
  EXPECT_EQ(units.of("t"), "s");
  EXPECT_EQ(units.of("x'"), "m/s");
  EXPECT_EQ(units.of("p.y"), "km");
  EXPECT_EQ(units.of("p.y'"), "");  // a velocity is not told by the unit of the place
  EXPECT_EQ(units.of("energy"), "J");
  EXPECT_EQ(units.of("w"), "");
}

TEST(ReadUnits, SlipsAreTold) {
  const ReadResult read =
      read_model(model + "[units]\nxx = \"m\"\nx = 3\ntwice = \"\"\np = \"a\\u001bb\"\n", "m.toml");
  ASSERT_FALSE(read.file);
  ASSERT_EQ(read.faults.size(), 4u);
  EXPECT_NE(read.faults[0].text.find("there is no 'xx' to have a unit"), std::string::npos);
  EXPECT_NE(read.faults[0].text.find("'x'"), std::string::npos) << read.faults[0].text;
  EXPECT_NE(read.faults[1].text.find("a text is asked for"), std::string::npos);
  for (const int k : {2, 3}) EXPECT_NE(read.faults[k].text.find("1 to 40 characters"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
