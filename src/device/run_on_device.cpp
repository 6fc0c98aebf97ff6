#include "vinculum/device/run_on_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "device/source.hpp"
#include "ensemble/worker.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using device::DeviceMotion;

constexpr long most_at_once = 1L << 20;        // members: many times what a GPU has threads for
constexpr std::size_t most_memory = 1u << 30;  // bytes there
constexpr long sample_size = 16;
constexpr long long steps_at_once = 1000;

/// Does something for each of `count`, on some threads; the first thing that is thrown is thrown here.
template <class Make, class Do>
void for_each(long count, int threads, Make make, Do act) {
  std::atomic<long> next = 0;
  std::exception_ptr trouble;
  std::mutex lock;
  const auto work = [&] {
    try {
      auto own = make();
      const long part = std::clamp(count / (8L * threads), 1L, 256L);
      for (long first = next.fetch_add(part); first < count; first = next.fetch_add(part))
        for (long k = first; k < std::min(count, first + part); ++k) act(own, k);
    } catch (...) {
      const std::lock_guard guard(lock);
      if (!trouble) trouble = std::current_exception();
    }
  };
  std::vector<std::jthread> all;
  for (int k = 1; k < threads && k < count; ++k) all.emplace_back(work);
  work();
  all.clear();
  if (trouble) std::rethrow_exception(trouble);
}

/// Memory on a device, until it is gone.
class Block {
 public:
  Block(Device& device, std::size_t bytes)
      : device_(device), at(device.allocate(std::max<std::size_t>(bytes, 8))) {}
  ~Block() { device_.release(at); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  Device& device_;

 public:
  DeviceMemory at;
};

/// Members that are computed together, from their values to their rows.
struct Batch {
  MemberRange part;
  std::vector<MemberRow> rows;
  std::vector<double> asked;  // one behind the other
  std::vector<char> there;    // of each: it can be stepped on the device
  std::vector<double> steps;  // made there
};

class DeviceRun {
 public:
  DeviceRun(const Study& study, const MemberMaker& make, const Member& example,
            const std::vector<std::string>& kept, const RowSink& sink, const StudyOptions& options,
            Device& device, DeviceReport& report)
      : study_(study),
        make_(make),
        shared_(example.system),
        motion_(example.system, example.motion, kept),
        kept_(kept),
        sink_(sink),
        options_(options),
        device_(device),
        report_(report),
        threads_(options.threads > 0 ? options.threads
                                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))),
        names_(study.names().size()),
        count_(study.count()),
        done_(options.there.count()),
        tolerance_(example.motion.tolerance),
        absolute_(example.motion.absolute_tolerance) {
    if (!motion_.obstacles().empty())
      fail(fmt::format("this study cannot run on a device: {}", fmt::join(motion_.obstacles(), "; ")));
  }

  bool run() {
    report_.device = device_.name();
    take_sample();
    device_.load(motion_.source());
    find_sizes();
    std::future<Batch> next = prepared(0, {});
    Batch batch, spare;
    while (next.valid() && !cancelled_) {
      batch = next.get();
      next = prepared(batch.part.last, std::move(spare));
      if (!step(batch)) break;
      compute_others(batch);
      if (cancelled_) break;
      hand_on(batch);
      spare = std::move(batch);
    }
    return done_ == count_;
  }

 private:
  Worker worker() { return {study_, make_, kept_, cancelled_}; }

  /// Spread over the study, its first and its last among them. They also tell how large numbers are: the same
  /// ones, whatever is there already.
  void take_sample() {
    const long size = std::min(sample_size, count_);
    std::vector<MemberRow> rows(static_cast<std::size_t>(size));
    sizes_.assign(motion_.sizes_width(), 0.0);
    std::mutex lock;
    for_each(
        size, threads_, [&] { return worker(); },
        [&](Worker& worker, long k) {
          if (!goes_on()) return;
          const long number = size > 1 ? k * (count_ - 1) / (size - 1) : 0;
          const std::vector<MemberRow> found = worker.compute({number, number + 1});
          if (found.empty()) return;
          rows[static_cast<std::size_t>(k)] = found.front();
          if (is_reached(found.front().end)) see_sizes(found.front(), lock);
        });
    for (MemberRow& row : rows)
      if (!row.varied.empty()) sample_.emplace(row.member, std::move(row));
    units_.assign(kept_.size(), 0.0);
    for (const auto& [number, row] : sample_)
      for (std::size_t k = 0; k < units_.size(); ++k)
        if (std::isfinite(row.kept[k])) units_[k] = std::max(units_[k], std::fabs(row.kept[k]));
  }
  void see_sizes(const MemberRow& row, std::mutex& lock) {
    Member member = make_(row.varied);
    member.motion.samples = 1;
    const Trajectory motion = simulate(member.system, member.start, member.motion);
    const std::lock_guard guard(lock);
    motion_.see_sizes(member.system, motion, sizes_);
  }
  std::optional<MemberRange> missing(long from, long most) const {
    return options_.there.missing(from, count_, most);
  }

  void find_sizes() {
    const Block to(device_, 3 * sizeof(long long));
    call("vinculum_sizes", {to.at}, 1);
    long long found[3];
    device_.read(found, to.at, sizeof found);
    if (found[1] != static_cast<long long>(motion_.asked_width()) ||
        found[2] != static_cast<long long>(motion_.told_width()))
      fail("the program on the device has rows of another width");
    member_bytes_ = static_cast<std::size_t>(found[0]);
    const std::size_t each = member_bytes_ + sizeof(double) * (motion_.asked_width() + motion_.told_width());
    at_once_ = std::clamp(static_cast<long>(most_memory / each), 1L, std::min(most_at_once, count_ - done_));
    asked_.emplace(device_, sizeof(double) * motion_.asked_width() * at_once_);
    told_.emplace(device_, sizeof(double) * motion_.told_width() * at_once_);
    members_.emplace(device_, member_bytes_ * at_once_);
    more_.emplace(device_, sizeof(unsigned));
    known_.emplace(device_, sizeof(double) * sizes_.size());
    device_.write(known_->at, sizes_.data(), sizeof(double) * sizes_.size());
  }

  /// The next members from there on, while the device works on others; none where that was all. They are put
  /// where others were that are done with: millions of rows are not asked for anew.
  std::future<Batch> prepared(long from, Batch&& place) {
    const auto part = missing(from, at_once_);
    if (!part) return {};
    return std::async(std::launch::async, [this, part = *part, batch = std::move(place)]() mutable {
      const auto size = static_cast<std::size_t>(part.size());
      const std::size_t width = motion_.asked_width();
      batch.part = part;
      batch.rows.resize(size);
      batch.asked.assign(size * width, 0.0);
      batch.there.assign(size, 0);
      batch.steps.assign(size, 0.0);
      for_each(
          part.size(), threads_, [] { return 0; },
          [&](int, long k) {
            const auto at = static_cast<std::size_t>(k);
            begin_row(part.first + k, batch.rows[at]);
            batch.there[at] = ask(batch.rows[at], std::span(batch.asked).subspan(at * width, width));
          });
      return std::move(batch);
    });
  }
  void begin_row(long number, MemberRow& row) const {
    row.member = number;
    row.varied.resize(names_);
    row.kept.assign(kept_.size(), 0.0);
    row.end = no_model;
    row.reason.clear();
    study_.values_of(number, row.varied);
  }
  /// What has no model, or another system, is for the engine, which says why.
  bool ask(const MemberRow& row, std::span<double> to) const {
    try {
      const Member member = make_(row.varied);
      if (&member.system.impl() != &shared_.impl()) return false;
      motion_.ask(member, to);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void call(const char* function, std::vector<std::uint64_t> arguments, long long members) {
    std::vector<void*> all;
    for (std::uint64_t& argument : arguments) all.push_back(&argument);
    device_.call(function, all, members);
  }

  /// Steps them all there; false where that was cancelled.
  bool step(Batch& batch) {
    const auto size = static_cast<long long>(batch.rows.size());
    device_.write(asked_->at, batch.asked.data(), sizeof(double) * batch.asked.size());
    call("vinculum_begin", {asked_->at, known_->at, members_->at, static_cast<std::uint64_t>(size)}, size);
    const auto began = std::chrono::steady_clock::now();
    for (unsigned more = 1; more != 0;) {
      if (!goes_on()) return false;
      more = 0;
      device_.write(more_->at, &more, sizeof more);
      call("vinculum_go",
           {members_->at, static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(steps_at_once),
            more_->at},
           size);
      device_.read(&more, more_->at, sizeof more);
    }
    report_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    call("vinculum_tell", {members_->at, told_->at, static_cast<std::uint64_t>(size)}, size);
    const std::size_t width = motion_.told_width();
    numbers_told_.resize(static_cast<std::size_t>(size) * width);
    device_.read(numbers_told_.data(), told_->at, sizeof(double) * numbers_told_.size());
    for_each(
        size, threads_, [] { return 0; },
        [&](int, long k) {
          const auto at = static_cast<std::size_t>(k);
          if (!batch.there[at]) return;
          MemberRow& row = batch.rows[at];
          const std::span<const double> told = std::span(numbers_told_).subspan(at * width, width);
          const auto end = motion_.take(told, row.kept);
          batch.there[at] = end.has_value();
          if (end) batch.steps[at] = told[1];
          if (end) row.end = *end;
        });
    return true;
  }

  /// Those that were given up, or never were there.
  void compute_others(Batch& batch) {
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < batch.rows.size(); ++k)
      if (!batch.there[k]) others.push_back(k);
    for (const double steps : batch.steps) report_.steps += steps;
    report_.stepped += static_cast<long>(batch.rows.size() - others.size());
    report_.by_engine += static_cast<long>(others.size());
    for_each(
        static_cast<long>(others.size()), threads_, [&] { return worker(); },
        [&](Worker& worker, long k) {
          MemberRow& row = batch.rows[others[static_cast<std::size_t>(k)]];
          if (!goes_on()) return;
          std::vector<MemberRow> computed = worker.compute({row.member, row.member + 1});
          if (!computed.empty()) row = std::move(computed.front());
        });
  }

  void hand_on(Batch& batch) {
    for (auto at = sample_.lower_bound(batch.part.first); at != sample_.end() && at->first < batch.part.last;
         ++at) {
      const auto k = static_cast<std::size_t>(at->first - batch.part.first);
      if (batch.there[k]) compare(batch.rows[k], at->second);
    }
    failed_ += std::ranges::count_if(batch.rows, [](const MemberRow& row) { return !is_reached(row.end); });
    sink_(batch.rows);
    done_ += batch.part.size();
  }

  void compare(const MemberRow& row, const MemberRow& engine) {
    ++report_.compared;
    if (row.end != engine.end) {
      ++report_.differs_in_end;
      return;
    }
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const double miss = std::fabs(row.kept[k] - engine.kept[k]);
      if (std::isnan(row.kept[k]) && std::isnan(engine.kept[k])) continue;
      const double unit = tolerance_ * units_[k] + absolute_;
      const double difference = miss == 0 ? 0.0 : miss / unit;
      if (difference <= report_.difference) continue;
      report_.difference = difference;
      report_.differs_most = row.member;
    }
  }

  /// From the thread that called, and from others, which only read what it was told.
  bool goes_on() {
    if (std::this_thread::get_id() != caller_ || cancelled_ || !options_.progress) return !cancelled_;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
    const long made = done_ - options_.there.count();
    const double each = made > 0 ? seconds.count() / static_cast<double>(made) : 0.0;
    if (!options_.progress({done_, count_, failed_, each * static_cast<double>(count_ - done_)}))
      cancelled_ = true;
    return !cancelled_;
  }

  const Study& study_;
  const MemberMaker& make_;
  const System shared_;
  const DeviceMotion motion_;
  const std::vector<std::string>& kept_;
  const RowSink& sink_;
  const StudyOptions& options_;
  Device& device_;
  DeviceReport& report_;
  const int threads_;
  const std::size_t names_;
  const long count_;
  long done_, failed_ = 0, at_once_ = 1;
  std::size_t member_bytes_ = 0;
  std::vector<double> sizes_, units_;
  std::vector<double> numbers_told_;  // of the members at hand, one behind the other
  const double tolerance_, absolute_;
  std::map<long, MemberRow> sample_;
  std::optional<Block> asked_, told_, members_, more_, known_;
  std::atomic<bool> cancelled_ = false;
  const std::thread::id caller_ = std::this_thread::get_id();
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<std::string> why_not_on_device(const Member& example, const std::vector<std::string>& kept) {
  return DeviceMotion(example.system, example.motion, kept).obstacles();
}

bool run_on_device(const Study& study, const MemberMaker& make, const Member& example,
                   const std::vector<std::string>& kept, const RowSink& sink, const StudyOptions& options,
                   Device& device, DeviceReport& report) {
  study.require_sound();
  if (study.count() - options.there.count() <= 0) return true;
  return DeviceRun(study, make, example, kept, sink, options, device, report).run();
}

}  // namespace vinculum
