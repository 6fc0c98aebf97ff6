// Many motions of one kind: every member of a study, on all processors.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/ensemble/members.hpp"
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

/// Takes members some at a time, each time such as follow each other, from one thread at a time. A member
/// that takes long does not hold up those behind it.
using RowSink = std::function<void(std::span<const MemberRow> rows)>;

struct StudyProgress {
  long done = 0, count = 0;
  long failed = 0;
  double seconds_left = 0.0;
};

class Ranks;

struct StudyOptions {
  int threads = 0;  ///< 0: as many as there are processors
  Members there;    ///< and need not be computed
  /// Called now and then from the thread that called run_study; false ends it, also inside of members.
  std::function<bool(const StudyProgress&)> progress;
  /// Other processes that compute with this one, which is the first of them; they call help_study with the
  /// same study and identity.
  Ranks* ranks = nullptr;
  std::string identity = {};
};

/// Hands every member that is not there on to `sink`, with the numbers of these names (kept_of). False where
/// it was cancelled: then some are missing. What is computed is the same for any number of threads. What
/// `sink` throws ends it.
VINCULUM_EXPORT bool run_study(const Study& study, const MemberMaker& make,
                               const std::vector<std::string>& kept, const RowSink& sink,
                               const StudyOptions& options = {});

/// One of them.
VINCULUM_EXPORT MemberRow run_member(const Study& study, const MemberMaker& make,
                                     const std::vector<std::string>& kept, long member);

/// The sum of a study. It is the same to the last bit in whatever order members come: neighbours are summed
/// first, pair by pair, and what is held grows with the logarithm of their number.
class VINCULUM_EXPORT Tally {
 public:
  explicit Tally(std::size_t kept) : kept_(kept) {}
  void add(const MemberRow& row) { add(std::span(&row, 1)); }
  /// Those that follow each other are summed before they are put to others.
  void add(std::span<const MemberRow> rows);

  struct Number {
    long count = 0;  ///< of members with a finite value
    double mean = 0.0, min = 0.0, max = 0.0;
    double squares = 0.0;  ///< of differences from the mean, summed
    double rest = 0.0;     ///< of the mean, below its last digit
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
  struct Sum {
    long members = 0, reached = 0;
    std::vector<Number> numbers;    ///< of what is kept
    std::vector<Failure> failures;  ///< in the order of the first of each
  };
  Sum sum() const;

 private:
  struct Piece {
    long size = 0;  // a power of two; it begins at a multiple of that
    Sum sum;
  };
  Sum& sum_of(std::span<const MemberRow> rows);
  void put(long first, Piece piece);
  std::size_t kept_;
  std::map<long, Piece> pieces_;  // by their first members
  std::vector<Sum> levels_;       // scratch: sums on their way, of 1, 2, 4, .. rows
};

}  // namespace vinculum
