// Parameters of a model file that live: what follows them, and what does not and says so.
#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

constexpr const char* text = R"toml(
[parameters]
L = 2
a = 0.5
m = "3*L"
side = 0.25
n = 0

[coordinates]
x = { start = "L*sin(a)", rate = "m" }

[particles]
p = { mass = "m", position = ["L", 0, "side"] }

[bodies]
b = { mass = "m", inertia = [1, 1, 1], position = ["side", 0, 0] }

[mass]
x = "m"

[springs]
s = { between = ["p", "ground"], stiffness = "L", length = "n" }
)toml";

ModelFile file() {
  const ReadResult result = read_model(text, "living.toml");
  for (const Fault& f : result.faults) ADD_FAILURE() << f.text;
  return *result.file;
}

TEST(ReadLiving, StartsAndParametersMadeOfOthersFollow) {
  const ModelFile read = file();
  const std::vector<std::string> names = read.model.parameter_names();
  EXPECT_EQ(names, (std::vector<std::string>{"L", "a", "side", "n"}));
  const System one(read.model, names);
  Parameters p = one.parameters();
  p["L"] = 4;
  const System two = one.with(p);
  const ReadResult again = read_model(text, "living.toml", {{"L", "4"}});
  const System numbers(again.file->model);
  EXPECT_EQ(two.start().q, numbers.start().q);
  EXPECT_EQ(two.start().v, numbers.start().v);
  Workspace work(two), own(numbers);
  EXPECT_EQ(evaluate(two, two.start(), work).M.value, evaluate(numbers, numbers.start(), own).M.value);
  EXPECT_EQ(evaluate(two, two.start(), work).Q, evaluate(numbers, numbers.start(), own).Q);
}

TEST(ReadLiving, WhatBecameANumberSaysSo) {
  const ModelFile read = file();
  const System s(read.model, read.model.parameter_names());
  Parameters p = s.parameters();
  p["side"] = 1;
  EXPECT_EQ(test::message([&] { (void)s.with(p); }),
            "parameter 'side' stands in the start of body 'b', which is a number: it was compiled as 0.25, "
            "and another "
            "value asks for another system");
  p = s.parameters();
  p["n"] = 1;
  EXPECT_EQ(test::message([&] { (void)s.with(p); }),
            "parameter 'n' stands in the length of spring 's', which is a number: it was compiled as 0, and "
            "another "
            "value asks for another system");
}

}  // namespace
}  // namespace vinculum
