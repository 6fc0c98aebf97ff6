// Where the threads of a process get parts of a study from, and where their members go.
#pragma once
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "ensemble/worker.hpp"

namespace vinculum {

class PartSource {
 public:
  virtual ~PartSource() = default;
  virtual std::optional<MemberRange> take() = 0;  ///< nothing: that was all
  virtual void give(std::vector<MemberRow> rows) = 0;
  virtual void end_with(std::exception_ptr trouble) = 0;
};

/// The threads of a process.
class Crew {
 public:
  Crew(PartSource& source, const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
       int threads) {
    try {
      for (int k = 0; k < threads; ++k)
        threads_.emplace_back([&] { work_on(source, {study, make, kept, cancelled_}); });
    } catch (...) {
      cancel();
      throw;
    }
  }
  ~Crew() { cancel(); }
  /// Those at work stop inside of their members; what they have by then has been given.
  void cancel() {
    cancelled_ = true;
    threads_.clear();
  }
  /// When there is nothing to be taken any more.
  void finish() { threads_.clear(); }

 private:
  static void work_on(PartSource& source, Worker worker) {
    try {
      while (const auto part = source.take()) source.give(worker.compute(*part));
    } catch (...) {
      source.end_with(std::current_exception());
    }
  }

  std::atomic<bool> cancelled_ = false;
  std::vector<std::jthread> threads_;
};

/// How many threads are meant by `said`, where so many members are left.
inline int threads_of(int said, long left) {
  const int wanted = said > 0 ? said : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<long>(wanted, left));
}

}  // namespace vinculum
