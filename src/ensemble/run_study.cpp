#include "vinculum/ensemble/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <thread>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One thread's way through members.
class Worker {
 public:
  Worker(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
         const std::atomic<bool>& cancelled)
      : study_(study), make_(make), keeper_(kept), width_(kept.size()), cancelled_(cancelled) {}

  MemberRow compute(long number) {
    MemberRow row{number, std::vector<double>(study_.axes.size() + study_.draws.size()),
                  std::vector<double>(width_, none), no_model};
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

 private:
  const Study& study_;
  const MemberMaker& make_;
  Keeper keeper_;
  std::size_t width_;
  const std::atomic<bool>& cancelled_;
};

constexpr long most_held = 256L << 20;  // bytes, behind a member that takes long

/// Parts of a study are handed out in order, and handed on in order when they are done. Who is far ahead of
/// the slowest waits, so that what is held stays bounded.
class Parts {
 public:
  Parts(const Study& study, const RowSink& sink, long first, int threads, long row_bytes)
      : sink_(sink),
        count_(study.count()),
        size_(std::clamp((count_ - first) / (64L * threads), 1L, 256L)),
        begin_(first),
        next_(first),
        handed_on_(first),
        ahead_(std::max(size_ * 16 * threads, most_held / row_bytes)) {}

  struct Part {
    long first, last;
  };
  std::optional<Part> take() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return closed_ || next_ >= count_ || next_ - handed_on_ < ahead_; });
    if (closed_ || next_ >= count_) return std::nullopt;
    const Part part{next_, std::min(count_, next_ + size_)};
    next_ = part.last;
    return part;
  }
  void give(const Part& part, std::vector<MemberRow> rows) {
    const std::lock_guard guard(lock_);
    waiting_.emplace(part.first, std::move(rows));
    while (!trouble_ && !waiting_.empty() && waiting_.begin()->first == handed_on_) {
      const std::vector<MemberRow>& due = waiting_.begin()->second;
      try {
        if (!due.empty()) sink_(due);
      } catch (...) {
        close_with(std::current_exception());
        return;
      }
      handed_on_ += static_cast<long>(due.size());
      failed_ += std::ranges::count_if(due, [](const MemberRow& row) { return !is_reached(row.end); });
      waiting_.erase(waiting_.begin());
    }
    changed_.notify_all();
  }
  /// No more are handed out.
  void close() {
    const std::lock_guard guard(lock_);
    closed_ = true;
    changed_.notify_all();
  }
  void end_with(std::exception_ptr trouble) {
    const std::lock_guard guard(lock_);
    close_with(std::move(trouble));
  }
  void retire() {
    const std::lock_guard guard(lock_);
    ++retired_;
    changed_.notify_all();
  }
  /// Until so many are done with it, or for a while; whether they are.
  bool wait_for(int threads, std::chrono::milliseconds while_) {
    std::unique_lock guard(lock_);
    return changed_.wait_for(guard, while_, [&] { return retired_ == threads; });
  }
  StudyProgress progress(double seconds) {
    const std::lock_guard guard(lock_);
    const long done = handed_on_ - begin_;
    const double each = done > 0 ? seconds / static_cast<double>(done) : 0.0;
    return {handed_on_, count_, failed_, each * static_cast<double>(count_ - handed_on_)};
  }
  bool whole() const { return handed_on_ == count_; }
  void rethrow() const {
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  void close_with(std::exception_ptr trouble) {
    if (!trouble_) trouble_ = std::move(trouble);
    closed_ = true;
    changed_.notify_all();
  }

  const RowSink& sink_;
  const long count_, size_, begin_;
  long next_, handed_on_;
  const long ahead_;
  long failed_ = 0;
  int retired_ = 0;
  bool closed_ = false;
  std::exception_ptr trouble_;
  std::map<long, std::vector<MemberRow>> waiting_;  // by their first member
  std::mutex lock_;
  std::condition_variable changed_;
};

void work_on(Parts& parts, const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
             const std::atomic<bool>& cancelled) {
  try {
    Worker worker(study, make, kept, cancelled);
    while (const auto part = parts.take()) {
      std::vector<MemberRow> rows;
      for (long k = part->first; k < part->last && !cancelled; ++k) {
        rows.push_back(worker.compute(k));
        if (rows.back().end == Stop::cancelled) rows.pop_back();
      }
      parts.give(*part, std::move(rows));
    }
  } catch (...) {
    parts.end_with(std::current_exception());
  }
  parts.retire();
}

}  // namespace

bool run_study(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
               const RowSink& sink, const StudyOptions& options) {
  study.require_sound();
  const long left = study.count() - options.first;
  if (left <= 0) return true;
  const int wanted = options.threads > 0
                         ? options.threads
                         : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int threads = static_cast<int>(std::min<long>(wanted, left));
  const long numbers = static_cast<long>(study.names().size() + kept.size());
  Parts parts(study, sink, options.first, threads, static_cast<long>(sizeof(MemberRow)) + 8 * numbers + 64);
  std::atomic<bool> cancelled = false;
  std::vector<std::jthread> workers;
  const auto began = std::chrono::steady_clock::now();
  const auto finish = [&] {  // nobody may work on for what is about to be gone
    cancelled = true;
    parts.close();
    workers.clear();
  };
  try {
    for (int k = 0; k < threads; ++k)
      workers.emplace_back([&] { work_on(parts, study, make, kept, cancelled); });
    while (!parts.wait_for(threads, std::chrono::milliseconds(50))) {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
      if (!cancelled && options.progress && !options.progress(parts.progress(seconds.count()))) {
        cancelled = true;
        parts.close();
      }
    }
  } catch (...) {
    finish();
    throw;
  }
  workers.clear();
  parts.rethrow();
  return parts.whole();
}

}  // namespace vinculum
