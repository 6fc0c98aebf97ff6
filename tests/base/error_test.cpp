#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace vinculum {
namespace {

TEST(Error, says_as_much_of_its_place_as_is_known) {
  EXPECT_STREQ(Error("bad mass").what(), "bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 0, 0}).what(), "a.toml: bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 3, 0}).what(), "a.toml:3: bad mass");
  EXPECT_STREQ(Error("bad mass", {"a.toml", 3, 7}).what(), "a.toml:3:7: bad mass");
  EXPECT_STREQ(Error("bad mass", {"", 3, 7}).what(), "3:7: bad mass");
}

TEST(Error, keeps_text_and_place_apart) {
  const Error error("bad mass", {"a.toml", 3, 7});
  EXPECT_EQ(error.text(), "bad mass");
  EXPECT_EQ(error.place().file, "a.toml");
  EXPECT_EQ(error.place().line, 3);
  EXPECT_EQ(error.place().column, 7);
}

TEST(Error, fail_raises_it) {
  try {
    fail("bad mass", {"a.toml", 3, 7});
    FAIL() << "fail() came back";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.toml:3:7: bad mass");
  }
}

}  // namespace
}  // namespace vinculum
