// Several processes at one study: here as threads that reach each other by messages alone.
#include "vinculum/ensemble/ranks.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <thread>

#include "ensemble/oscillators.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

/// What is on its way to each of them.
struct Wires {
  explicit Wires(int count) : to(static_cast<std::size_t>(count)) {}
  std::mutex lock;
  std::vector<std::deque<Ranks::Message>> to;
  long sent = 0;
};

class Wired final : public Ranks {
 public:
  Wired(Wires& wires, int rank) : wires_(wires), rank_(rank) {}
  int rank() const override { return rank_; }
  int count() const override { return static_cast<int>(wires_.to.size()); }
  void send(int to, std::string bytes) override {
    const std::lock_guard guard(wires_.lock);
    ++wires_.sent;
    wires_.to[to].push_back({rank_, std::move(bytes)});
  }
  std::optional<Message> receive() override {
    const std::lock_guard guard(wires_.lock);
    auto& mine = wires_.to[rank_];
    if (mine.empty()) return std::nullopt;
    Message first = std::move(mine.front());
    mine.pop_front();
    return first;
  }

 private:
  Wires& wires_;
  int rank_;
};

struct Study2 : Study {
  Study2() {
    axes = {evenly("k", -1, 9, 41)};  // four below 0
    draws = {{"x", Distribution::normal, 1, 0.3}, {"x'", Distribution::uniform, -1, 1}};
    draws_each = 25;
  }
};
const std::vector<std::string> what{"x", "x.max"};

TEST(Ranks, AnyNumberOfThemGivesTheSameMembers) {
  const Oscillators make;
  const Study2 study;
  Rows alone;
  ASSERT_TRUE(run_study(study, std::ref(make), what, alone.sink()));
  alone.sort();
  for (const int count : {1, 2, 3, 5}) {
    Wires wires(count);
    std::vector<std::jthread> others;
    for (int rank = 1; rank < count; ++rank)
      others.emplace_back([&, rank] {
        Wired ranks(wires, rank);
        help_study(ranks, study, std::ref(make), what, "the same", rank);
      });
    Wired first(wires, 0);
    Rows rows;
    StudyOptions how;
    how.threads = 1;
    how.ranks = &first;
    how.identity = "the same";
    how.there.add({100, 130});
    ASSERT_TRUE(run_study(study, std::ref(make), what, rows.sink(), how));
    others.clear();
    EXPECT_TRUE(count == 1 || wires.sent > count) << "the others had nothing to do";
    rows.sort();
    ASSERT_EQ(rows.all.size(), 995u);
    for (std::size_t k = 0; k < rows.all.size(); ++k) {
      const MemberRow &row = rows.all[k], &same = alone.all[k < 100 ? k : k + 30];
      EXPECT_EQ(row.member, same.member);
      EXPECT_EQ(row.varied, same.varied);
      EXPECT_EQ(row.end, same.end);
      EXPECT_EQ(row.reason, same.reason);
      if (is_reached(row.end)) {
        EXPECT_EQ(row.kept, same.kept);
      }
    }
  }
}

std::string fault_with(const std::function<void(Ranks&)>& other, const std::string& identity = "a") {
  const Oscillators make;
  const Study2 study;
  Wires wires(2);
  const std::jthread second([&] {
    Wired ranks(wires, 1);
    other(ranks);
  });
  Wired first(wires, 0);
  StudyOptions how;
  how.ranks = &first;
  how.identity = identity;
  // Slow, so that the other is heard before all is done.
  const auto slow = [&](std::span<const double> values) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return make(values);
  };
  return test::message([&] { run_study(study, slow, what, [](std::span<const MemberRow>) {}, how); });
}

TEST(Ranks, OneThatComputesSomethingElseEndsTheStudy) {
  const Oscillators make;
  const Study2 study;
  EXPECT_EQ(fault_with([&](Ranks& ranks) { help_study(ranks, study, std::ref(make), what, "b", 1); }),
            "rank 1: it has another model, other options or another version of vinculum than rank 0");
}

TEST(Ranks, OneThatCannotSaysWhy) {
  EXPECT_EQ(fault_with([&](Ranks& ranks) { refuse_to_help(ranks, "cannot read 'm.toml'"); }),
            "rank 1: cannot read 'm.toml'");
}

TEST(Ranks, TroubleInAMemberOfAnotherEndsTheStudy) {
  const Study2 study;
  const auto broken = [](std::span<const double>) -> Member { throw std::runtime_error("out of order"); };
  EXPECT_EQ(fault_with([&](Ranks& ranks) { help_study(ranks, study, broken, what, "a", 2); }),
            "rank 1: out of order");
}

TEST(Ranks, CancelledAllOfThemStopInsideOfTheirMembers) {
  const Oscillators make;
  const Study2 study;
  const auto endless = [&](std::span<const double> values) {
    Member member = make(values);
    member.motion.until = 1e12;
    return member;
  };
  Wires wires(3);
  std::vector<std::jthread> others;
  for (int rank = 1; rank < 3; ++rank)
    others.emplace_back([&, rank] {
      Wired ranks(wires, rank);
      help_study(ranks, study, endless, what, "", 1);
    });
  Wired first(wires, 0);
  Rows rows;
  StudyOptions how;
  how.ranks = &first;
  int asked = 0;
  how.progress = [&](const StudyProgress&) { return ++asked < 5; };
  EXPECT_FALSE(run_study(study, endless, what, rows.sink(), how));
  for (const MemberRow& row : rows.all) EXPECT_LE(row.varied[0], 0);  // no model, or one step for ever
}

TEST(Ranks, DismissedTheyGo) {
  const Oscillators make;
  const Study2 study;
  Wires wires(3);
  std::vector<std::jthread> others;
  for (int rank = 1; rank < 3; ++rank)
    others.emplace_back([&, rank] {
      Wired ranks(wires, rank);
      help_study(ranks, study, std::ref(make), what, "", 1);
    });
  Wired first(wires, 0);
  dismiss(first);
}

}  // namespace
}  // namespace vinculum
