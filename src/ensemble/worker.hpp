// One thread's way through members.
#pragma once
#include <array>
#include <atomic>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "motion/abreast/abreast.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

/// Members go abreast, those that can; each has the bits that it has alone.
class Worker final : private Walkers {
 public:
  Worker(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
         const std::atomic<bool>& cancelled)
      : study_(study),
        make_(make),
        keeper_(kept),
        names_(study.names().size()),
        width_(kept.size()),
        cancelled_(cancelled) {}

  /// Those that were computed when it was cancelled, if it was: up to the first that was not.
  std::vector<MemberRow> compute(const MemberRange& part) {
    rows_.clear();
    next_ = part.first;
    last_ = part.last;
    abreast_.go(*this);
    const auto open = [](const MemberRow& row) { return row.varied.empty() || row.end == Stop::cancelled; };
    rows_.erase(std::ranges::find_if(rows_, open), rows_.end());
    return std::move(rows_);
  }

 private:
  std::optional<Asked> next(int place) override {
    while (next_ < last_ && !cancelled_) {
      place_[place] = rows_.size();
      MemberRow& row = rows_.emplace_back();
      row = {next_++, std::vector<double>(names_),
             std::vector<double>(width_, std::numeric_limits<double>::quiet_NaN()), Stop::cancelled};
      study_.values_of(row.member, row.varied);
      try {
        Member& member = member_[place].emplace(make_(row.varied));
        member.motion.samples = 1;
        member.motion.progress = [this](const Progress&) { return !cancelled_; };
        keeper_.follow(member.system, member.motion);
        return Asked{member.system, member.start, member.motion, keeper_.keeps_events()};
      } catch (const Error&) {
        refuse(place);
      } catch (const std::bad_alloc&) {
        refuse(place);
      }
    }
    return std::nullopt;
  }

  void take(int place, const Trajectory& motion) override {
    MemberRow& row = rows_[place_[place]];
    Member& member = *member_[place];
    // A limit of steps is a matter of the step, as everywhere.
    row.end = motion.stop == Stop::step_limit ? Stop::step_too_small : motion.stop;
    if (!is_reached(row.end)) {
      row.reason = motion.reason;
      return;
    }
    // Who went abreast has nothing but an end; another one may have been followed since.
    if (!member.motion.along) keeper_.follow(member.system, member.motion);
    keeper_.gather(motion, row.kept);
  }

  void refuse(int place) override {
    MemberRow& row = rows_[place_[place]];
    row.end = no_model;
    try {
      throw;
    } catch (const Error& e) {
      row.reason = e.what();
    } catch (const std::bad_alloc&) {
      row.reason = "there is not enough memory";
    }
  }

  const Study& study_;
  const MemberMaker& make_;
  Keeper keeper_;
  std::size_t names_, width_;
  const std::atomic<bool>& cancelled_;
  Abreast abreast_;
  long next_ = 0, last_ = 0;
  std::vector<MemberRow> rows_;                       // of the part at hand
  std::array<std::size_t, Abreast::places> place_{};  // where the row of each is
  std::array<std::optional<Member>, Abreast::places> member_;
};

}  // namespace vinculum
