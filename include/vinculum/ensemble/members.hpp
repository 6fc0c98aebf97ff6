// Which members of a study there are, by their numbers.
#pragma once
#include <map>
#include <optional>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Members that follow each other, `last` not among them.
struct MemberRange {
  long first = 0, last = 0;
  long size() const { return last - first; }
};

/// A set of numbers, kept as parts that do not touch: members are computed in many orders, yet most of them
/// beside others.
class VINCULUM_EXPORT Members {
 public:
  /// False, and nothing is added, where one of them is there already.
  bool add(const MemberRange& part);
  bool has(long member) const;
  long count() const { return count_; }
  /// The next members from `from` on that are not there: those before `end`, at most so many.
  std::optional<MemberRange> missing(long from, long end, long most) const;

 private:
  std::map<long, long> parts_;  // by their first members, the last of each
  long count_ = 0;
};

}  // namespace vinculum
