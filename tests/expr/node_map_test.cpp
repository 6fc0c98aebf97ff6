#include "vinculum/expr/node_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace vinculum {
namespace {

TEST(NodeMap, KnowsWhatItWasGiven) {
  NodeMap<int> map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(7), nullptr);
  EXPECT_TRUE(map.emplace(7, 1).second);
  EXPECT_FALSE(map.emplace(7, 2).second);
  EXPECT_EQ(*map.find(7), 1);
  map.insert_or_assign(7, 3);
  EXPECT_EQ(*map.find(7), 3);
  EXPECT_FALSE(map.contains(7 + 16));
  EXPECT_EQ(map.size(), 1u);
}

/// Ids come in runs with gaps between them, as symbols do among other nodes.
TEST(NodeMap, IsAMapWhateverTheIds) {
  std::mt19937 random(1);
  for (const NodeId stride : {1u, 2u, 16u, 257u, 1u << 16}) {
    NodeMap<NodeId> map;
    std::map<NodeId, NodeId> expected;
    for (NodeId k = 0; k < 3000; ++k) {
      const NodeId id = (k % 3 == 0 ? random() % 5000 : k) * stride;
      map.insert_or_assign(id, k);
      expected[id] = k;
    }
    EXPECT_EQ(map.size(), expected.size());
    for (const auto& [id, value] : expected) EXPECT_EQ(*map.find(id), value);
    for (NodeId id = 1; id < 20000; ++id) EXPECT_EQ(map.contains(id), expected.contains(id));
  }
}

}  // namespace
}  // namespace vinculum
