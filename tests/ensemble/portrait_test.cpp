// What a picture of a study holds: bounded, even, with what a reader looks for.
#include "vinculum/ensemble/portrait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace vinculum {
namespace {

/// Values of a grid whose last axis has 100 places; every 1000th member fails in one of two ways, one has an
/// extreme that nothing else comes near.
MemberRow row_of(long member) {
  MemberRow row{
      member, {static_cast<double>(member / 100), static_cast<double>(member % 100)}, {}, Stop::end};
  row.kept = {member == 123'456 ? 1e6 : std::sin(static_cast<double>(member)), 2.0};
  if (member % 1000 == 7) {
    row.end = member % 2000 == 7 ? MemberEnd(Stop::singular) : no_model;
    row.reason = std::string(10'000, 'r');
    row.kept = {NAN, NAN};
  }
  return row;
}

StudyPortrait portrait_of(long members) {
  StudyPortrait portrait(members, 2, 2);
  for (long k = 0; k < members; ++k) portrait.add(row_of(k));
  return portrait;
}

TEST(StudyPortrait, IsTheSameInWhateverOrderMembersCome) {
  const long members = 300'000;
  const StudyPortrait one = portrait_of(members);
  StudyPortrait other(members, 2, 2);
  for (long k = 0; k < members; ++k) other.add(row_of((k * 77'777 + 123) % members));
  const auto rows = one.rows(), others = other.rows();
  ASSERT_EQ(rows.size(), others.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].member, others[i].member);
    EXPECT_EQ(rows[i].reason, others[i].reason);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(one.extremes()[k].least.member, other.extremes()[k].least.member);
    EXPECT_EQ(one.extremes()[k].largest.member, other.extremes()[k].largest.member);
    EXPECT_EQ(one.kept()[k].histogram().low(), other.kept()[k].histogram().low());
    EXPECT_EQ(one.kept()[k].histogram().bins().size(), other.kept()[k].histogram().bins().size());
  }
  const auto chosen = one.choose(24, {"a", "b"}), also = other.choose(24, {"a", "b"});
  ASSERT_EQ(chosen.size(), also.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    EXPECT_EQ(chosen[i].row.member, also[i].row.member);
    EXPECT_EQ(chosen[i].why, also[i].why);
  }
}

TEST(StudyPortrait, SmallStudiesAreHeldWhole) {
  const StudyPortrait portrait = portrait_of(20'000);
  EXPECT_EQ(portrait.one_of(), 1);
  const auto rows = portrait.rows();
  ASSERT_EQ(rows.size(), 20'000u);
  for (long k = 0; k < 20'000; ++k) EXPECT_EQ(rows[static_cast<std::size_t>(k)].member, k);
}

TEST(StudyPortrait, LargeOnesHaveAnEvenSampleExtremesAndTheFirstFailures) {
  const long members = 500'000;
  const StudyPortrait portrait = portrait_of(members);
  const auto rows = portrait.rows();
  EXPECT_EQ(portrait.members(), members);
  EXPECT_EQ(portrait.failed(), 500);
  EXPECT_EQ(portrait.one_of(), 25);
  EXPECT_LE(rows.size(), 20'000u + 200 + 4);
  EXPECT_GE(rows.size(), 20'000u);
  std::set<long> held;
  for (const MemberRow& row : rows) held.insert(row.member);
  EXPECT_EQ(held.size(), rows.size());
  EXPECT_TRUE(held.contains(123'456));
  for (long k = 0; k < 200; ++k) EXPECT_TRUE(held.contains(1000 * k + 7)) << k;
  // One of each 25 that follow each other, and no column of the grid is passed over.
  for (long k = 0; k < members; k += 25)
    EXPECT_NE(held.lower_bound(k), held.lower_bound(k + 25)) << "none from " << k;
  std::vector<int> of_column(100);
  for (const long k : held) ++of_column[static_cast<std::size_t>(k % 100)];
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_GT(of_column[k], 120) << k;  // 200 each, and four deviations less
  }
  for (const MemberRow& row : rows) EXPECT_LE(row.reason.size(), 500u);
}

TEST(StudyPortrait, DistributionsAreThoseOfAllMembers) {
  const StudyPortrait portrait = portrait_of(100'000);
  long plain = 0, marked = 0;
  for (const Histogram::Bin& bin : portrait.varied()[1].histogram().bins())
    plain += bin.plain, marked += bin.marked;
  EXPECT_EQ(plain, 99'900);
  EXPECT_EQ(marked, 100);
  EXPECT_EQ(portrait.kept()[0].finite(), 99'900);
  EXPECT_EQ(portrait.kept()[0].not_finite(), 100);
  ASSERT_NE(portrait.kept()[1].values(), nullptr);
  EXPECT_EQ(portrait.kept()[1].values()->at(2.0).plain, 99'900);
}

TEST(StudyPortrait, MembersToLookAtAreExtremesFailuresAndOthersSpreadEvenly) {
  const StudyPortrait portrait = portrait_of(200'000);
  const auto chosen = portrait.choose(24, {"height", "load"});
  ASSERT_EQ(chosen.size(), 24u);
  EXPECT_TRUE(std::ranges::is_sorted(chosen, {}, [](const auto& c) { return c.row.member; }));
  const auto of = [&](const std::string& why) {
    return std::ranges::count_if(chosen, [&](const auto& c) { return c.why.find(why) != std::string::npos; });
  };
  EXPECT_EQ(of("the largest height"), 1);
  EXPECT_EQ(of("the least height"), 1);
  EXPECT_EQ(of("failed"), 6);
  long last = 0, gap = 0;
  for (const auto& c : chosen) {
    if (c.why.find("the largest height") != std::string::npos) {
      EXPECT_EQ(c.row.member, 123'456);
    }
    if (c.why == "failed") {
      EXPECT_EQ(c.row.end, Stop::singular);  // without a model there is nothing to see
    }
    if (!c.why.empty()) continue;
    gap = std::max(gap, c.row.member - last);
    last = c.row.member;
  }
  EXPECT_LT(gap, 30'000);
  EXPECT_GT(last, 170'000);
}

TEST(StudyPortrait, FewMembersAreAllToLookAt) {
  StudyPortrait portrait(24, 2, 2);
  for (long k = 0; k < 24; ++k) portrait.add(row_of(k));
  EXPECT_EQ(portrait.choose(24, {"a", "b"}).size(), 24u);  // the seventh is singular, and moved until then
  EXPECT_EQ(portrait.choose(0, {"a", "b"}).size(), 0u);
  EXPECT_EQ(portrait.choose(1, {"a", "b"}).size(), 1u);
}

}  // namespace
}  // namespace vinculum
