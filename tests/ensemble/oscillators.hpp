// What studies are tried with: an oscillator, and a place for members.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

inline constexpr double T = 2.5;

/// x'' = -k x from (x, x').
inline Model oscillator() {
  Model m;
  const Expr k = m.parameter("k", 4.0);
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, -k * x);
  return m;
}

/// Members of the oscillator whose values are k, x and x'.
struct Oscillators {
  System system{oscillator(), std::vector<std::string>{"k"}};
  Member operator()(std::span<const double> values) const {
    if (values[0] < 0) fail("k is negative");
    Parameters p = system.parameters();
    p["k"] = values[0];
    Member member{system.with(p), {}, {}};
    member.start = member.system.start();
    if (values.size() > 1) member.start.q[0] = values[1];
    if (values.size() > 2) member.start.v[0] = values[2];
    member.motion.until = T;
    member.motion.tolerance = 1e-10;
    return member;
  }
};

struct Rows {
  std::vector<MemberRow> all;
  RowSink sink() {
    return [this](std::span<const MemberRow> rows) { all.insert(all.end(), rows.begin(), rows.end()); };
  }
  void sort() { std::ranges::sort(all, {}, &MemberRow::member); }
};

}  // namespace vinculum
