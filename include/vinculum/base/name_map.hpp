// What belongs to names.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace vinculum {

/// Where names stand in a list, which is the caller's: `name_at(k)` is number k of it.
class NameIndex {
 public:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  bool empty() const { return table_.empty(); }
  void clear() { table_.clear(); }

  template <class NameAt>
  std::uint32_t find(std::string_view name, const NameAt& name_at) const {
    return table_[place_of(name, tag_of(name), name_at)].number;
  }
  /// The number of that name where there is one; else it is `number`, the next of the list.
  template <class NameAt>
  std::uint32_t add(std::string_view name, std::size_t number, const NameAt& name_at) {
    if (2 * (number + 1) > table_.size()) grow(number, name_at);
    const std::uint32_t tag = tag_of(name);
    Slot& slot = table_[place_of(name, tag, name_at)];
    if (slot.number == nothing) slot = {tag, static_cast<std::uint32_t>(number)};
    return slot.number;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0, number = nothing;
  };
  static std::uint32_t tag_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name) >> 32);
  }
  /// Where the name stands, or would.
  template <class NameAt>
  std::size_t place_of(std::string_view name, std::uint32_t tag, const NameAt& name_at) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = tag & mask;
    while (table_[i].number != nothing && !(table_[i].tag == tag && name_at(table_[i].number) == name))
      i = (i + 1) & mask;
    return i;
  }
  template <class NameAt>
  void grow(std::size_t count, const NameAt& name_at) {
    std::size_t size = 32;
    while (size < 4 * count) size *= 2;
    table_.assign(size, Slot{});
    for (std::size_t k = 0; k < count; ++k) add(name_at(k), k, name_at);
  }

  std::vector<Slot> table_;  // open addressing, at most half full
};

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
  const T& at(std::string_view name) const { return find(name)->second; }  ///< of a name that is there

  /// What there is, and whether it is new.
  template <class Name, class... Value>
  std::pair<iterator, bool> emplace(Name&& name, Value&&... value) {
    if (items_.size() < few) {
      if (const iterator known = find(name); known != end()) return {known, false};
    } else {
      const std::uint32_t number = index_.add(name, items_.size(), name_at());
      if (number < items_.size()) return {items_.begin() + number, false};
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
    Items others;
    for (auto& item : items_)
      if (item.first != name) others.push_back(std::move(item));
    *this = {};
    for (auto& [other, value] : others) emplace(std::move(other), std::move(value));
  }

 private:
  /// So many are looked through one by one.
  static constexpr std::size_t few = 8;
  auto name_at() const {
    return [this](std::size_t k) -> std::string_view { return items_[k].first; };
  }
  std::ptrdiff_t offset_of(std::string_view name) const {
    if (!index_.empty()) {
      const std::uint32_t number = index_.find(name, name_at());
      return static_cast<std::ptrdiff_t>(number == NameIndex::nothing ? items_.size() : number);
    }
    return std::ranges::find_if(items_, [&](const auto& item) { return item.first == name; }) -
           items_.begin();
  }

  Items items_;
  NameIndex index_;  // nothing while there are few
};

}  // namespace vinculum
