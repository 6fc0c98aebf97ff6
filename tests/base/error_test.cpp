#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace vinculum {
namespace {

TEST(Error, SaysAsMuchOfItsPlaceAsIsKnown) {
  EXPECT_STREQ(Error("bad mass").what(), "bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 0, 0}).what(), "a.toml: bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 3, 0}).what(), "a.toml:3: bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 3, 7}).what(), "a.toml:3:7: bad mass");
  EXPECT_STREQ(Error("bad mass", {"", 3, 7}).what(), "3:7: bad mass");
}

TEST(Error, KeepsTextAndPlaceApart) {
  const Error error("bad mass", {"a.toml", 3, 7});
  EXPECT_EQ(error.text(), "bad mass");
  EXPECT_EQ(error.place().file, "a.toml");
  EXPECT_EQ(error.place().line, 3);
  EXPECT_EQ(error.place().column, 7);
}

TEST(Error, FailRaisesIt) {
  try {
    fail("bad mass", {"a.toml", 3, 7});
    FAIL() << "fail() came back";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.toml:3:7: bad mass");
  }
}

}  // namespace
}  // namespace vinculum
