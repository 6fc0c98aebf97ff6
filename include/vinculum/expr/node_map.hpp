// What belongs to some nodes of a graph, by their ids.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// A model asks for what belongs to a symbol all the time, and mostly for symbols that were made together:
/// values lie in the order in which they came, and the table has neighbours side by side.
template <class T>
class NodeMap {
 public:
  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  bool contains(NodeId id) const { return find(id) != nullptr; }
  const T* find(NodeId id) const {
    if (table_.empty()) return nullptr;
    const Slot& slot = table_[place_of(id)];
    return slot.place == nothing ? nullptr : &values_[slot.place];
  }
  void insert_or_assign(NodeId id, T value) {
    if (const auto [known, is_new] = emplace(id, value); !is_new) *known = std::move(value);
  }
  /// What there is, and whether it is new.
  std::pair<T*, bool> emplace(NodeId id, const T& value) {
    if (2 * (values_.size() + 1) > table_.size()) grow();
    Slot& slot = table_[place_of(id)];
    if (slot.place != nothing) return {&values_[slot.place], false};
    slot = {id, static_cast<std::uint32_t>(values_.size())};
    values_.push_back(value);
    return {&values_.back(), true};
  }

 private:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  static constexpr int bits_of_block = 6;
  struct Slot {
    NodeId id = 0;
    std::uint32_t place = nothing;
  };
  /// Where the id stands, or would: blocks of neighbours are scattered, within a block they stand in order.
  std::size_t place_of(NodeId id) const {
    const std::size_t mask = table_.size() - 1;
    const std::uint64_t block = (id >> bits_of_block) * 0x9e3779b97f4a7c15ull;
    std::size_t i = (((block >> 32) << bits_of_block) | (id & ((1u << bits_of_block) - 1))) & mask;
    while (table_[i].place != nothing && table_[i].id != id) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    const std::vector<Slot> before =
        std::exchange(table_, std::vector<Slot>(std::max<std::size_t>(16, 2 * table_.size())));
    for (const Slot& slot : before)
      if (slot.place != nothing) table_[place_of(slot.id)] = slot;
  }

  std::vector<T> values_;
  std::vector<Slot> table_;  // open addressing, at most half full
};

}  // namespace vinculum
