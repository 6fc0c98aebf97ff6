// Many motions of one kind: every member of a study, on all processors, in the order of their numbers.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/ensemble/study.hpp"

namespace vinculum {

/// Where a member begins and how it moves.
struct Member {
  System system;
  State start;
  MotionOptions motion;
};
/// Makes the member that has these values, in the order of Study::names(). Called from several threads at
/// once; what it refuses is an Error.
using MemberMaker = std::function<Member(std::span<const double> values)>;

/// How a member ended: as a motion does, or before there was one, because no model has such values.
using MemberEnd = std::optional<Stop>;
inline constexpr MemberEnd no_model = std::nullopt;
/// It came to its end, or to an event that stops.
inline bool is_reached(const MemberEnd& end) { return end == Stop::end || end == Stop::event; }

/// A member that was computed. What is kept is no number where its end was not reached.
struct MemberRow {
  long member = 0;
  std::vector<double> varied, kept;
  MemberEnd end;
  std::string reason = {};  ///< where it was not reached
};

/// Takes members in the order of their numbers, some at a time, from one thread at a time.
using RowSink = std::function<void(std::span<const MemberRow> rows)>;

struct StudyProgress {
  long done = 0, count = 0;
  long failed = 0;
  double seconds_left = 0.0;
};

struct StudyOptions {
  int threads = 0;  ///< 0: as many as there are processors
  long first = 0;   ///< those before are there already
  /// Called now and then from the thread that called run_study; false ends it, also inside of members.
  std::function<bool(const StudyProgress&)> progress;
};

/// Hands every member from `first` on to `sink`, with the numbers of these names (kept_of). False where it
/// was cancelled: then the first ones are there, without a gap. What is computed is the same for any number
/// of threads. What `sink` throws ends it.
VINCULUM_EXPORT bool run_study(const Study& study, const MemberMaker& make,
                               const std::vector<std::string>& kept, const RowSink& sink,
                               const StudyOptions& options = {});

/// The sum of a study, member by member in their order.
class VINCULUM_EXPORT Tally {
 public:
  explicit Tally(std::size_t kept) : numbers_(kept) {}
  void add(const MemberRow& row);

  struct Number {
    long count = 0;  ///< of members with a finite value
    double mean = 0.0, min = 0.0, max = 0.0;
    double squares = 0.0;  ///< of differences from the mean, summed
    double deviation() const;
  };
  struct Failure {
    MemberEnd end;
    long count = 0;
    struct Named {
      long member;
      std::string reason;
    };
    std::vector<Named> first = {};  ///< a few
  };
  long members() const { return members_; }
  long reached() const { return reached_; }
  const std::vector<Number>& numbers() const { return numbers_; }  ///< of what is kept
  const std::vector<Failure>& failures() const { return failures_; }

 private:
  long members_ = 0, reached_ = 0;
  std::vector<Number> numbers_;
  std::vector<Failure> failures_;
};

}  // namespace vinculum
