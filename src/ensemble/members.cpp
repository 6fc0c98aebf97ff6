#include "vinculum/ensemble/members.hpp"

#include <algorithm>
#include <iterator>

namespace vinculum {

bool Members::add(const MemberRange& part) {
  if (part.size() <= 0) return part.size() == 0;
  MemberRange whole = part;
  const auto next = parts_.upper_bound(part.first);
  if (next != parts_.end() && next->first < part.last) return false;
  if (next != parts_.begin()) {
    const auto before = std::prev(next);
    if (before->second > part.first) return false;
    if (before->second == part.first) whole.first = before->first;
  }
  if (next != parts_.end() && next->first == part.last) {
    whole.last = next->second;
    parts_.erase(next);
  }
  parts_[whole.first] = whole.last;
  count_ += part.size();
  return true;
}

bool Members::has(long member) const {
  const auto next = parts_.upper_bound(member);
  return next != parts_.begin() && std::prev(next)->second > member;
}

std::optional<MemberRange> Members::missing(long from, long end, long most) const {
  auto next = parts_.upper_bound(from);
  if (next != parts_.begin()) from = std::max(from, std::prev(next)->second);
  if (from >= end) return std::nullopt;
  if (next != parts_.end()) end = std::min(end, next->first);
  return MemberRange{from, std::min(end, from + most)};
}

}  // namespace vinculum
