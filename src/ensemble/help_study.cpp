// What a rank behind the first does.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "ensemble/crew.hpp"
#include "ensemble/messages.hpp"
#include "vinculum/ensemble/ranks.hpp"

namespace vinculum {
namespace {

using message::Kind;

/// Parts that came and were not taken yet, members that were computed and not sent yet.
class Errands final : public PartSource {
 public:
  std::optional<MemberRange> take() override {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return over_ || !parts_.empty(); });
    if (over_) return std::nullopt;
    const MemberRange part = parts_.front();
    parts_.pop_front();
    return part;
  }
  void give(std::vector<MemberRow> rows) override { post(message::rows(rows)); }
  void end_with(std::exception_ptr trouble) override {
    try {
      std::rethrow_exception(trouble);
    } catch (const std::exception& e) {
      post(message::plain(Kind::trouble, e.what()));
    }
  }

  void add(const MemberRange& part) {
    const std::lock_guard guard(lock_);
    parts_.push_back(part);
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard guard(lock_);
    over_ = true;
    changed_.notify_all();
  }
  /// What is to be sent; waits a little for it.
  std::deque<std::string> outgoing() {
    std::unique_lock guard(lock_);
    changed_.wait_for(guard, std::chrono::milliseconds(1), [&] { return !outgoing_.empty(); });
    return std::exchange(outgoing_, {});
  }

 private:
  void post(std::string message) {
    const std::lock_guard guard(lock_);
    outgoing_.push_back(std::move(message));
    changed_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<MemberRange> parts_;
  std::deque<std::string> outgoing_;
  bool over_ = false;
};

/// Until the first rank says that was all.
void run_errands(Ranks& ranks, Errands& errands) {
  for (;;) {
    while (const auto heard = ranks.receive()) {
      if (message::kind_of(heard->bytes) == Kind::over) return;
      errands.add(message::part_in(heard->bytes));
    }
    for (std::string& message : errands.outgoing()) ranks.send(0, std::move(message));
  }
}

}  // namespace

void help_study(Ranks& ranks, const Study& study, const MemberMaker& make,
                const std::vector<std::string>& kept, const std::string& identity, int threads) {
  Errands errands;
  const int working = threads_of(threads, study.count());
  // One to compute and one to go on with, for each thread: none waits for an answer.
  ranks.send(0, message::ready(2 * working, identity));
  {
    Crew crew(errands, study, make, kept, working);
    run_errands(ranks, errands);
    errands.end();
  }
  for (std::string& message : errands.outgoing()) ranks.send(0, std::move(message));
  ranks.send(0, message::plain(Kind::gone));
}

void refuse_to_help(Ranks& ranks, const std::string& why) {
  ranks.send(0, message::plain(Kind::trouble, why));
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
    if (const auto heard = ranks.receive(); heard && message::kind_of(heard->bytes) == Kind::over) break;
  ranks.send(0, message::plain(Kind::gone));
}

}  // namespace vinculum
