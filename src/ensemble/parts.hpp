// What of a study is left, handed out in parts.
#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "ensemble/crew.hpp"

namespace vinculum {

/// Handed out in the order of members, and handed on as they come back.
class Parts final : public PartSource {
 public:
  Parts(const Study& study, const RowSink& sink, const Members& there, long workers)
      : sink_(sink), there_(there), count_(study.count()), left_(count_ - there.count()) {
    // Small enough that all workers end together; eight members, who go abreast, where there are as many for
    // each.
    size_ = std::clamp(left_ / (64 * workers), std::clamp(left_ / workers, 1L, 8L), 256L);
  }

  std::optional<MemberRange> take() override {
    const std::lock_guard guard(lock_);
    if (closed_) return std::nullopt;
    const auto part = there_.missing(next_, count_, size_);
    if (part) next_ = part->last;
    return part;
  }
  void give(std::vector<MemberRow> rows) override {
    const std::lock_guard guard(lock_);
    if (trouble_ || rows.empty()) return;
    try {
      sink_(rows);
    } catch (...) {
      close_with(std::current_exception());
      return;
    }
    done_ += static_cast<long>(rows.size());
    failed_ += std::ranges::count_if(rows, [](const MemberRow& row) { return !is_reached(row.end); });
    if (is_over()) changed_.notify_all();
  }
  /// No more are handed out.
  void close() {
    const std::lock_guard guard(lock_);
    close_with(nullptr);
  }
  void end_with(std::exception_ptr trouble) override {
    const std::lock_guard guard(lock_);
    close_with(std::move(trouble));
  }
  /// Until nothing is left to be done, or for a while; whether that is so.
  bool wait_for(std::chrono::microseconds while_) {
    std::unique_lock guard(lock_);
    return changed_.wait_for(guard, while_, [&] { return is_over(); });
  }
  StudyProgress progress(double seconds) {
    const std::lock_guard guard(lock_);
    const double each = done_ > 0 ? seconds / static_cast<double>(done_) : 0.0;
    return {count_ - left_ + done_, count_, failed_, each * static_cast<double>(left_ - done_)};
  }
  bool whole() {
    const std::lock_guard guard(lock_);
    return is_whole();
  }
  void rethrow() const {
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  bool is_whole() const { return done_ == left_; }
  bool is_over() const { return closed_ || is_whole(); }
  void close_with(std::exception_ptr trouble) {
    if (!trouble_) trouble_ = std::move(trouble);
    closed_ = true;
    changed_.notify_all();
  }

  const RowSink& sink_;
  const Members& there_;
  const long count_, left_;
  long size_ = 1, next_ = 0, done_ = 0, failed_ = 0;
  bool closed_ = false;
  std::exception_ptr trouble_;
  std::mutex lock_;
  std::condition_variable changed_;
};

}  // namespace vinculum
