// One thread's way through members.
#pragma once
#include <atomic>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

class Worker {
 public:
  Worker(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
         const std::atomic<bool>& cancelled)
      : study_(study),
        make_(make),
        keeper_(kept),
        names_(study.names().size()),
        width_(kept.size()),
        cancelled_(cancelled) {}

  /// Those that were computed when it was cancelled, if it was.
  std::vector<MemberRow> compute(const MemberRange& part) {
    std::vector<MemberRow> rows;
    for (long k = part.first; k < part.last && !cancelled_; ++k) {
      rows.push_back(compute(k));
      if (rows.back().end == Stop::cancelled) rows.pop_back();
    }
    return rows;
  }

 private:
  MemberRow compute(long number) {
    MemberRow row{number, std::vector<double>(names_),
                  std::vector<double>(width_, std::numeric_limits<double>::quiet_NaN()), no_model};
    study_.values_of(number, row.varied);
    try {
      Member member = make_(row.varied);
      member.motion.samples = 1;
      member.motion.progress = [this](const Progress&) { return !cancelled_; };
      keeper_.follow(member.system, member.motion);
      const Trajectory motion = simulate(member.system, member.start, member.motion);
      // A limit of steps is a matter of the step, as everywhere.
      row.end = motion.stop == Stop::step_limit ? Stop::step_too_small : motion.stop;
      if (is_reached(row.end))
        keeper_.gather(motion, row.kept);
      else
        row.reason = motion.reason;
    } catch (const Error& e) {
      row.reason = e.what();
    } catch (const std::bad_alloc&) {
      row.reason = "there is not enough memory";
    }
    return row;
  }

  const Study& study_;
  const MemberMaker& make_;
  Keeper keeper_;
  std::size_t names_, width_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace vinculum
