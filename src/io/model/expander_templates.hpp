// The templates of the expander.
#pragma once
#include "io/model/expander.hpp"

namespace vinculum {

/// Once for every element of an entry with `for`, once for any other.
template <class Each>
void Expander::for_each(const Entry& entry, const Inside& inside, const Each& each) {
  const Inside* const outer = std::exchange(inside_, &inside);
  Indices indices = std::exchange(indices_, {});
  const std::size_t use = use_;
  const Entry* loop = entry.kind == Entry::Kind::table ? entry.find("for") : nullptr;
  std::vector<Clause> clauses;
  if (loop == nullptr)
    each();
  else if (read_loop(*loop, clauses))
    turn(*loop, clauses, 0, [&] { each(); });
  use_ = use;
  indices_ = std::move(indices);
  inside_ = outer;
}

}  // namespace vinculum
