#include "vinculum/base/name_map.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace vinculum {
namespace {

std::string name_of(int k) { return "part" + std::to_string(k) + ".a long name"; }

TEST(NameMap, FewAndManyNamesAreFoundAndStandInTheirOrder) {
  NameMap<int> map;
  for (int k = 0; k < 1000; ++k) {
    EXPECT_FALSE(map.contains(name_of(k)));
    const auto [place, is_new] = map.emplace(name_of(k), k);
    EXPECT_TRUE(is_new);
    EXPECT_EQ(place->second, k);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(k) + 1);
    EXPECT_EQ(map.at(name_of(k / 2)), k / 2);
    EXPECT_TRUE(map.find("another") == map.end());
  }
  int next = 0;
  for (const auto& [name, k] : map) {
    EXPECT_EQ(name, name_of(k));
    EXPECT_EQ(k, next++);
  }
}

TEST(NameMap, ANameThatIsThereKeepsItsValue) {
  for (const int count : {3, 300}) {
    NameMap<int> map;
    for (int k = 0; k < count; ++k) map.emplace(name_of(k), k);
    const auto [place, is_new] = map.emplace(name_of(1), 7);
    EXPECT_FALSE(is_new);
    EXPECT_EQ(place->second, 1);
    map[name_of(1)] = 8;
    EXPECT_EQ(map.at(name_of(1)), 8);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(count));
  }
}

TEST(NameMap, WhatIsErasedIsGoneAndTheOthersStay) {
  for (const int count : {3, 300}) {
    NameMap<int> map;
    for (int k = 0; k < count; ++k) map.emplace(name_of(k), k);
    map.erase(name_of(1));
    map.erase("another");
    EXPECT_FALSE(map.contains(name_of(1)));
    for (int k = 2; k < count; ++k) EXPECT_EQ(map.at(name_of(k)), k);
    EXPECT_TRUE(map.emplace(name_of(1), 1).second);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(count));
  }
}

/// Short names lie in their strings, which move; a copy has names of its own.
TEST(NameMap, ItsNamesAreItsOwnAndMovesWithThem) {
  auto first = std::make_unique<NameMap<int>>();
  for (int k = 0; k < 100; ++k) first->emplace(std::to_string(k), k);
  const NameMap<int> copy = *first;
  const NameMap<int> moved = std::move(*first);
  first.reset();
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(copy.at(std::to_string(k)), k);
    EXPECT_EQ(moved.at(std::to_string(k)), k);
  }
}

}  // namespace
}  // namespace vinculum
