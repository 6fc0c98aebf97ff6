// What belongs to names.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vinculum {

/// A big model has many names, which are asked for about as they were stated: values lie side by side in
/// the order in which they came. `Key` is a std::string, or a std::string_view of names that outlive the map.
/// A new name may move the values.
template <class T, class Key = std::string>
class NameMap {
 public:
  using Items = std::vector<std::pair<Key, T>>;
  using iterator = typename Items::iterator;
  using const_iterator = typename Items::const_iterator;

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  void reserve(std::size_t count) { items_.reserve(count); }

  const_iterator find(std::string_view name) const { return items_.begin() + offset_of(name); }
  iterator find(std::string_view name) { return items_.begin() + offset_of(name); }
  bool contains(std::string_view name) const { return find(name) != end(); }
  const T& at(std::string_view name) const { return find(name)->second; }

  /// What there is, and whether it is new.
  template <class Name, class... Value>
  std::pair<iterator, bool> emplace(Name&& name, Value&&... value) {
    const std::string_view text = name;
    if (items_.size() < few) {
      if (const iterator known = find(text); known != end()) return {known, false};
    } else {
      if (2 * (items_.size() + 1) > table_.size()) grow();
      const std::uint32_t tag = tag_of(text);
      Slot& slot = table_[place_of(text, tag)];
      if (slot.item != nothing) return {items_.begin() + slot.item, false};
      slot = {tag, static_cast<std::uint32_t>(items_.size())};
    }
    items_.emplace_back(std::piecewise_construct, std::forward_as_tuple(std::forward<Name>(name)),
                        std::forward_as_tuple(std::forward<Value>(value)...));
    return {items_.end() - 1, true};
  }
  template <class Name>
  T& operator[](Name&& name) {
    return emplace(std::forward<Name>(name)).first->second;
  }
  void erase(std::string_view name) {
    const iterator known = find(name);
    if (known == end()) return;
    items_.erase(known);
    table_.clear();
    if (items_.size() >= few) grow();
  }

 private:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  /// So many are looked through one by one.
  static constexpr std::size_t few = 8;
  struct Slot {
    std::uint32_t tag = 0, item = nothing;
  };
  static std::uint32_t tag_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name) >> 32);
  }
  std::ptrdiff_t offset_of(std::string_view name) const {
    if (items_.size() < few || table_.empty())
      return std::ranges::find_if(items_, [&](const auto& item) { return item.first == name; }) -
             items_.begin();
    const std::uint32_t item = table_[place_of(name, tag_of(name))].item;
    return item == nothing ? static_cast<std::ptrdiff_t>(items_.size()) : item;
  }
  /// Where the name stands, or would.
  std::size_t place_of(std::string_view name, std::uint32_t tag) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = tag & mask;
    while (table_[i].item != nothing && !(table_[i].tag == tag && items_[table_[i].item].first == name))
      i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::size_t size = 4 * few;
    while (size < 2 * (items_.size() + 1)) size *= 2;
    table_.assign(std::max(size, 2 * table_.size()), Slot{});
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const std::uint32_t tag = tag_of(items_[k].first);
      table_[place_of(items_[k].first, tag)] = {tag, static_cast<std::uint32_t>(k)};
    }
  }

  Items items_;
  std::vector<Slot> table_;  // open addressing, at most half full; nothing while there are few
};

}  // namespace vinculum
