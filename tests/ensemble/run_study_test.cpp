// Many motions: the same whatever the number of threads, in order, and none stopped by another.
#include "vinculum/ensemble/run_study.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "support/message.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr double T = 2.5;

/// x'' = -k x from (x, x').
Model oscillator() {
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
};

std::vector<std::string> kept(const System&, std::vector<std::string> names) { return names; }

TEST(RunStudy, AnyNumberOfThreadsGivesTheSameBits) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 9, 11)};
  study.draws = {{"x", Distribution::normal, 1, 0.3}, {"x'", Distribution::uniform, -1, 1}};
  study.draws_each = 7;
  const auto what = kept(make.system, {"x", "x'", "x.max", "energy.mean"});
  std::vector<MemberRow> first;
  for (const int threads : {1, 2, 7}) {
    Rows rows;
    StudyOptions how;
    how.threads = threads;
    ASSERT_TRUE(run_study(study, std::ref(make), what, rows.sink(), how));
    ASSERT_EQ(rows.all.size(), 77u);
    if (first.empty()) first = rows.all;
    for (std::size_t k = 0; k < 77; ++k) {
      EXPECT_EQ(rows.all[k].member, static_cast<long>(k));
      EXPECT_EQ(rows.all[k].varied, first[k].varied);
      EXPECT_EQ(rows.all[k].kept, first[k].kept) << threads << " threads, member " << k;
    }
  }
  for (const MemberRow& row : first) {  // and it is the right one
    const double w = std::sqrt(row.varied[0]), x = row.varied[1], v = row.varied[2];
    EXPECT_NEAR(row.kept[0], x * std::cos(w * T) + v / w * std::sin(w * T), 1e-8);
    if (w * T > 2 * M_PI) {
      EXPECT_NEAR(row.kept[2], std::hypot(x, v / w), 1e-8);
    }
  }
}

/// A linear motion maps moments of starts onto moments of ends: of the sample exactly, of the distribution as
/// far as a sample tells.
TEST(RunStudy, MomentsOfALinearMotion) {
  const Oscillators make;
  Study study;
  study.axes = {{"k", {2.0}}};
  study.draws = {{"x", Distribution::normal, 1, 0.3}, {"x'", Distribution::normal, 0.5, 0.2}};
  study.draws_each = 4000;
  Tally ends(1), starts(2);
  const auto take = [&](std::span<const MemberRow> rows) {
    for (const MemberRow& row : rows) {
      ends.add(row);
      starts.add({row.member, row.varied, {row.varied[1], row.varied[2]}, row.end});
    }
  };
  ASSERT_TRUE(run_study(study, std::ref(make), kept(make.system, {"x"}), take));
  const double w = std::sqrt(2.0), a = std::cos(w * T), b = std::sin(w * T) / w;
  EXPECT_NEAR(ends.numbers()[0].mean, a * starts.numbers()[0].mean + b * starts.numbers()[1].mean, 1e-8);
  const double deviation = std::hypot(0.3 * a, 0.2 * b);
  EXPECT_NEAR(ends.numbers()[0].mean, a * 1 + b * 0.5, 5 * deviation / std::sqrt(4000.0));
  EXPECT_NEAR(ends.numbers()[0].deviation(), deviation, 5 * deviation / std::sqrt(8000.0));
}

TEST(RunStudy, FailuresAreCountedAndStopNobody) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", -2, 2, 9)};  // four below 0
  const auto maker = [&](std::span<const double> values) {
    Member member = make(values);
    if (values[0] == 1.0) member.start.q[0] = NAN;
    return member;
  };
  Tally tally(1);
  Rows rows;
  ASSERT_TRUE(run_study(study, maker, kept(make.system, {"x"}), rows.sink()));
  for (const MemberRow& row : rows.all) tally.add(row);
  EXPECT_EQ(tally.members(), 9);
  EXPECT_EQ(tally.reached(), 4);
  ASSERT_EQ(tally.failures().size(), 2u);
  EXPECT_EQ(tally.failures()[0].end, no_model);
  EXPECT_EQ(tally.failures()[0].count, 4);
  ASSERT_EQ(tally.failures()[0].first.size(), 3u);
  EXPECT_EQ(tally.failures()[0].first[0].member, 0);
  EXPECT_EQ(tally.failures()[0].first[0].reason, "k is negative");
  EXPECT_EQ(tally.failures()[1].end, Stop::not_finite);
  EXPECT_EQ(tally.failures()[1].first[0].member, 6);
  EXPECT_TRUE(std::isnan(rows.all[0].kept[0]));
  EXPECT_EQ(tally.numbers()[0].count, 4);
}

TEST(RunStudy, GoesOnFromAnyMember) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 40)};
  const auto what = kept(make.system, {"x"});
  Rows whole, rest;
  run_study(study, std::ref(make), what, whole.sink());
  StudyOptions how;
  how.first = 27;
  ASSERT_TRUE(run_study(study, std::ref(make), what, rest.sink(), how));
  ASSERT_EQ(rest.all.size(), 13u);
  for (std::size_t k = 0; k < 13; ++k) {
    EXPECT_EQ(rest.all[k].member, whole.all[27 + k].member);
    EXPECT_EQ(rest.all[k].kept, whole.all[27 + k].kept);
  }
  how.first = 40;
  EXPECT_TRUE(run_study(study, std::ref(make), what, rest.sink(), how));
  EXPECT_EQ(rest.all.size(), 13u);
}

TEST(RunStudy, CancelledItKeepsTheFirstOnesWithoutAGap) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 100'000)};
  Rows rows;
  StudyOptions how;
  how.threads = 3;
  how.progress = [&](const StudyProgress& p) { return p.done == 0; };
  EXPECT_FALSE(run_study(study, std::ref(make), kept(make.system, {"x"}), rows.sink(), how));
  EXPECT_GT(rows.all.size(), 0u);
  EXPECT_LT(rows.all.size(), 100'000u);
  for (std::size_t k = 0; k < rows.all.size(); ++k) {
    ASSERT_EQ(rows.all[k].member, static_cast<long>(k));
    ASSERT_EQ(rows.all[k].end, Stop::end);
  }
}

/// A member that takes for ever does not hold up Ctrl-C.
TEST(RunStudy, CancelsInsideAMember) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 2)};
  const auto maker = [&](std::span<const double> values) {
    Member member = make(values);
    member.motion.until = 1e12;
    return member;
  };
  Rows rows;
  StudyOptions how;
  how.progress = [](const StudyProgress&) { return false; };
  EXPECT_FALSE(run_study(study, maker, kept(make.system, {"x"}), rows.sink(), how));
  EXPECT_TRUE(rows.all.empty());
}

TEST(RunStudy, WhatTheSinkThrowsEndsIt) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 5000)};
  std::atomic<int> calls = 0;
  const auto sink = [&](std::span<const MemberRow>) {
    if (++calls == 2) fail("the disk is full");
  };
  EXPECT_EQ(test::message([&] { run_study(study, std::ref(make), kept(make.system, {"x"}), sink); }),
            "the disk is full");
  EXPECT_EQ(calls, 2);
}

/// Slow members at the beginning do not let the others pile up.
TEST(RunStudy, WhatIsHeldStaysBounded) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 20'000)};
  std::atomic<long> begun = 0, handed = 0, most = 0;
  const auto maker = [&](std::span<const double> values) {
    const long ahead = ++begun - handed;
    for (long before = most; ahead > before && !most.compare_exchange_weak(before, ahead);) {
    }
    if (values[0] == 1.0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    Member member = make(values);
    member.motion.until = 1e-3;
    return member;
  };
  StudyOptions how;
  how.threads = 2;
  ASSERT_TRUE(run_study(
      study, maker, kept(make.system, {"x"}),
      [&](std::span<const MemberRow> rows) { handed += static_cast<long>(rows.size()); }, how));
  EXPECT_EQ(handed, 20'000);
  EXPECT_LE(most, 2'000'000);
}

/// Members that are compiled each by itself have the same names at other places, or not at all.
TEST(RunStudy, WhatIsKeptIsFoundByNameInEveryMember) {
  Study study;
  study.axes = {{"n", {1, 2, 3, 40}}};
  const auto chain = [](std::span<const double> values) {
    Model m;
    for (int k = 1; k <= static_cast<int>(values[0]); ++k) {
      const Coordinate q = m.coordinate("q" + std::to_string(k), {1.0 * k, 0});
      m.mass(q, 1.0);
      m.output("twice" + std::to_string(k), 2.0 * q);
    }
    m.output("last", m.coordinates().back().symbol);
    Member member{System(m), {}, {}};
    member.start = member.system.start();
    member.motion.until = 0.1;
    return member;
  };
  Rows rows;
  StudyOptions how;
  how.threads = 1;
  ASSERT_TRUE(run_study(study, chain, {"q2", "twice2.max", "last", "last.mean", "q40"}, rows.sink(), how));
  for (const MemberRow& row : rows.all) {
    const double n = row.varied[0];
    for (const int k : {0, 1}) {
      if (n >= 2)
        EXPECT_EQ(row.kept[k], k == 0 ? 2 : 4) << n;
      else
        EXPECT_TRUE(std::isnan(row.kept[k])) << n;
    }
    EXPECT_EQ(row.kept[2], n);
    EXPECT_NEAR(row.kept[3], n, 1e-12);
    EXPECT_EQ(std::isnan(row.kept[4]), n < 40);
  }
}

TEST(Tally, MeansAndDeviationsOfLargeNumbersCloseTogether) {
  Tally tally(1);
  for (int k = 0; k < 1000; ++k) tally.add({k, {}, {1e9 + (k % 2)}, Stop::end});
  EXPECT_NEAR(tally.numbers()[0].mean, 1e9 + 0.5, 1e-6);
  EXPECT_NEAR(tally.numbers()[0].deviation(), std::sqrt(0.25 * 1000 / 999.0), 1e-9);
  EXPECT_EQ(tally.numbers()[0].min, 1e9);
  EXPECT_EQ(tally.numbers()[0].max, 1e9 + 1);
}

}  // namespace
}  // namespace vinculum
