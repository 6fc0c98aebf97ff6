// Many motions: the same whatever the number of threads, in order, and none stopped by another.
#include "vinculum/ensemble/run_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "ensemble/oscillators.hpp"
#include "support/message.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

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
    rows.sort();
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
  EXPECT_NEAR(ends.sum().numbers[0].mean, a * starts.sum().numbers[0].mean + b * starts.sum().numbers[1].mean,
              1e-8);
  const double deviation = std::hypot(0.3 * a, 0.2 * b);
  EXPECT_NEAR(ends.sum().numbers[0].mean, a * 1 + b * 0.5, 5 * deviation / std::sqrt(4000.0));
  EXPECT_NEAR(ends.sum().numbers[0].deviation(), deviation, 5 * deviation / std::sqrt(8000.0));
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
  rows.sort();
  for (const MemberRow& row : rows.all) tally.add(row);
  EXPECT_EQ(tally.sum().members, 9);
  EXPECT_EQ(tally.sum().reached, 4);
  ASSERT_EQ(tally.sum().failures.size(), 2u);
  EXPECT_EQ(tally.sum().failures[0].end, no_model);
  EXPECT_EQ(tally.sum().failures[0].count, 4);
  ASSERT_EQ(tally.sum().failures[0].first.size(), 3u);
  EXPECT_EQ(tally.sum().failures[0].first[0].member, 0);
  EXPECT_EQ(tally.sum().failures[0].first[0].reason, "k is negative");
  EXPECT_EQ(tally.sum().failures[1].end, Stop::not_finite);
  EXPECT_EQ(tally.sum().failures[1].first[0].member, 6);
  EXPECT_TRUE(std::isnan(rows.all[0].kept[0]));
  EXPECT_EQ(tally.sum().numbers[0].count, 4);
}

TEST(RunStudy, GoesOnFromAnyMembers) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 40)};
  const auto what = kept(make.system, {"x"});
  Rows whole, rest;
  run_study(study, std::ref(make), what, whole.sink());
  whole.sort();
  StudyOptions how;
  for (const MemberRange& part : {MemberRange{0, 2}, MemberRange{5, 6}, MemberRange{27, 40}})
    how.there.add(part);
  ASSERT_TRUE(run_study(study, std::ref(make), what, rest.sink(), how));
  rest.sort();
  ASSERT_EQ(rest.all.size(), 24u);
  for (const MemberRow& row : rest.all) {
    EXPECT_FALSE(how.there.has(row.member));
    EXPECT_EQ(row.kept, whole.all[static_cast<std::size_t>(row.member)].kept);
  }
  how.there = {};
  how.there.add({0, 40});
  EXPECT_TRUE(run_study(study, std::ref(make), what, rest.sink(), how));
  EXPECT_EQ(rest.all.size(), 24u);
}

TEST(RunStudy, CancelledItKeepsWhatIsDone) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 10'000)};
  Rows rows;
  StudyOptions how;
  how.threads = 3;
  how.progress = [&](const StudyProgress& p) { return p.done == 0; };
  EXPECT_FALSE(run_study(study, std::ref(make), kept(make.system, {"x"}), rows.sink(), how));
  EXPECT_GT(rows.all.size(), 0u);
  EXPECT_LT(rows.all.size(), 10'000u);
  for (const MemberRow& row : rows.all) {
    ASSERT_TRUE(how.there.add({row.member, row.member + 1})) << "twice: " << row.member;
    ASSERT_EQ(row.end, Stop::end);
  }
  how.progress = nullptr;
  ASSERT_TRUE(run_study(study, std::ref(make), kept(make.system, {"x"}), rows.sink(), how));
  rows.sort();
  ASSERT_EQ(rows.all.size(), 10'000u);
  for (long k = 0; k < 10'000; ++k) ASSERT_EQ(rows.all[static_cast<std::size_t>(k)].member, k);
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

/// A slow member at the beginning does not hold up the others: each is handed on soon after it is done.
TEST(RunStudy, SlowMembersHoldUpNobody) {
  const Oscillators make;
  Study study;
  study.axes = {evenly("k", 1, 2, 2000)};
  std::atomic<long> handed = 0;
  const auto maker = [&](std::span<const double> values) {
    for (int waited = 0; values[0] == 1.0 && handed < 1900 && waited < 10'000; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Member member = make(values);
    member.motion.until = 1e-3;
    if (values[0] == 1.0) member.start.q[0] = static_cast<double>(handed);
    return member;
  };
  StudyOptions how;
  how.threads = 2;
  Rows rows;
  const auto sink = [&](std::span<const MemberRow> some) {
    rows.sink()(some);
    handed += static_cast<long>(some.size());
  };
  ASSERT_TRUE(run_study(study, maker, kept(make.system, {"x.max"}), sink, how));
  EXPECT_EQ(handed, 2000);
  rows.sort();
  EXPECT_GE(rows.all[0].kept[0], 1900) << "while the first was being made the others were handed on";
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
  EXPECT_NEAR(tally.sum().numbers[0].mean, 1e9 + 0.5, 1e-6);
  EXPECT_NEAR(tally.sum().numbers[0].deviation(), std::sqrt(0.25 * 1000 / 999.0), 1e-9);
  EXPECT_EQ(tally.sum().numbers[0].min, 1e9);
  EXPECT_EQ(tally.sum().numbers[0].max, 1e9 + 1);
}

/// In whatever order members come, the sum has the same bits, and that of a plain one but for rounding.
TEST(Tally, AnyOrderGivesTheSameBits) {
  std::mt19937 random(3);
  std::vector<MemberRow> rows;
  std::lognormal_distribution<double> some(0, 2);
  for (long k = 0; k < 3001; ++k) {
    MemberRow row{k, {}, {some(random), NAN}, Stop::end};
    if (k % 97 == 5)
      row = {k, {}, {NAN, NAN}, k % 2 ? Stop::singular : Stop::start, "of " + std::to_string(k)};
    rows.push_back(row);
  }
  Tally in_order(2);
  for (const MemberRow& row : rows) in_order.add(row);
  const Tally::Sum first = in_order.sum();
  for (int trial = 0; trial < 40; ++trial) {
    Tally tally(2);
    if (trial % 2 == 0) {
      std::ranges::shuffle(rows, random);
      for (const MemberRow& row : rows) tally.add(row);
    } else {  // parts of any length, in any order
      std::ranges::sort(rows, {}, &MemberRow::member);
      std::vector<std::span<const MemberRow>> parts;
      for (std::span<const MemberRow> left = rows; !left.empty(); left = left.subspan(parts.back().size()))
        parts.push_back(left.first(std::min<std::size_t>(left.size(), 1 + random() % 700)));
      std::ranges::shuffle(parts, random);
      for (const auto& part : parts) tally.add(part);
    }
    const Tally::Sum sum = tally.sum();
    EXPECT_EQ(sum.members, 3001);
    EXPECT_EQ(sum.reached, first.reached);
    EXPECT_EQ(sum.numbers[0].mean, first.numbers[0].mean);
    EXPECT_EQ(sum.numbers[0].squares, first.numbers[0].squares);
    EXPECT_EQ(sum.numbers[0].max, first.numbers[0].max);
    EXPECT_EQ(sum.numbers[1].count, 0);
    ASSERT_EQ(sum.failures.size(), 2u);
    EXPECT_EQ(sum.failures[0].end, Stop::singular);
    EXPECT_EQ(sum.failures[0].first[0].reason, "of 5");
    EXPECT_EQ(sum.failures[1].first[2].reason, "of 490");
    EXPECT_EQ(sum.failures[0].count + sum.failures[1].count, 31);
  }
  long double total = 0, squares = 0;
  for (const MemberRow& row : rows) total += is_reached(row.end) ? row.kept[0] : 0;
  const long double mean = total / first.reached;
  for (const MemberRow& row : rows)
    if (is_reached(row.end)) squares += (row.kept[0] - mean) * (row.kept[0] - mean);
  EXPECT_NEAR(first.numbers[0].mean, static_cast<double>(mean), 1e-13 * static_cast<double>(mean));
  EXPECT_NEAR(first.numbers[0].squares, static_cast<double>(squares), 1e-12 * static_cast<double>(squares));
}

// Members differ by less and less of what they are, down to the last digits of a double.
TEST(Tally, WhatDiffersLittleFromALargeNumberKeepsItsDeviation) {
  for (const double offset : {0.0, 1e6, 1e9, 1e12, 1e14, -1e15}) {
    Tally tally(1);
    std::vector<double> values;
    for (long k = 0; k < 1001; ++k) {
      values.push_back(offset + static_cast<double>(k) / 1000);
      tally.add(
          MemberRow{.member = k, .varied = {}, .kept = {values.back()}, .end = Stop::end, .reason = ""});
    }
    long double total = 0, squares = 0;
    for (const double value : values) total += value - offset;  // exactly
    const long double mean = total / 1001;
    for (const double value : values) squares += (value - offset - mean) * (value - offset - mean);
    const Tally::Number n = tally.sum().numbers[0];
    EXPECT_EQ(n.mean, static_cast<double>(offset + mean)) << offset;
    EXPECT_NEAR(n.deviation(), static_cast<double>(std::sqrt(squares / 1000)), 1e-13) << offset;
  }
}

TEST(Members, PartsAreJoinedAndNoneIsThereTwice) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    Members members;
    std::set<long> plain;
    for (int k = 0; k < 30; ++k) {
      const long first = std::uniform_int_distribution<long>(0, 60)(random);
      const MemberRange part{first, first + std::uniform_int_distribution<long>(0, 6)(random)};
      bool is_new = true;
      for (long m = part.first; m < part.last; ++m) is_new = is_new && !plain.contains(m);
      EXPECT_EQ(members.add(part), is_new);
      for (long m = part.first; is_new && m < part.last; ++m) plain.insert(m);
      EXPECT_EQ(members.count(), static_cast<long>(plain.size()));
    }
    std::set<long> missing;
    long from = 0;
    while (const auto part = members.missing(from, 64, 5)) {
      EXPECT_TRUE(part->size() >= 1 && part->size() <= 5 && part->first >= from);
      for (long m = part->first; m < part->last; ++m) missing.insert(m);
      from = part->last;
    }
    for (long m = 0; m < 64; ++m) {
      EXPECT_EQ(members.has(m), plain.contains(m));
      EXPECT_EQ(missing.contains(m), !plain.contains(m));
    }
  }
}

}  // namespace
}  // namespace vinculum
