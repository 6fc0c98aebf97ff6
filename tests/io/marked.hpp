// Broken models with a mark before each fault.
#pragma once
#include <gtest/gtest.h>

#include "vinculum/io/read_model.hpp"

namespace vinculum {

using Texts = std::vector<std::string>;

struct Marked {
  std::string text;
  std::vector<std::pair<int, int>> places;
};

/// A model with an `@` before everything that is wrong with it: the marks are taken out and counted, so that
/// the places expected are those a reader of the test sees. `@@` marks a place with two faults.
inline Marked unmarked(const std::string& marked) {
  Marked result;
  int line = 1, column = 1;
  for (const char c : marked) {
    if (c == '@') {
      result.places.emplace_back(line, column);
      continue;
    }
    result.text += c;
    ++column;
    if (c == '\n') {
      ++line;
      column = 1;
    }
  }
  return result;
}

inline void expect_faults(const std::string& marked, const Texts& texts, const Overrides& overrides = {}) {
  const Marked model = unmarked(marked);
  const ReadResult result = read_model(model.text, "m.toml", overrides);
  EXPECT_FALSE(result.file) << model.text;
  Texts expected, found;
  ASSERT_EQ(model.places.size(), texts.size()) << "a test with a mark for each fault";
  for (std::size_t k = 0; k < texts.size(); ++k)
    expected.push_back("m.toml:" + std::to_string(model.places[k].first) + ":" +
                       std::to_string(model.places[k].second) + ": " + texts[k]);
  for (const Fault& fault : result.faults) found.emplace_back(Error(fault.text, fault.place).what());
  EXPECT_EQ(found, expected) << model.text;
}

inline const std::string two = "[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = 1\n";
inline const std::string point = "[particles.p]\nmass = 1\n";

}  // namespace vinculum
