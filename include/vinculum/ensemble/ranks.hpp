// Processes that compute one study together.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

/// Those of one call, on one machine or many, numbered from 0. Asked from one thread alone.
class VINCULUM_EXPORT Ranks {
 public:
  virtual ~Ranks();
  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// Goes on its way: nobody waits for its arrival. Messages of one rank to another arrive in their order.
  virtual void send(int to, std::string bytes) = 0;
  struct Message {
    int from = 0;
    std::string bytes;
  };
  virtual std::optional<Message> receive() = 0;  ///< nothing where none has come
};

/// What the ranks behind the first do: they compute what that one hands out (StudyOptions::ranks) until it
/// says that this was all. `identity` is what a member depends on, in words of any kind: a rank where it is
/// another one ends the study.
VINCULUM_EXPORT void help_study(Ranks& ranks, const Study& study, const MemberMaker& make,
                                const std::vector<std::string>& kept, const std::string& identity,
                                int threads);
/// Instead, where this rank cannot: the study ends and says why.
VINCULUM_EXPORT void refuse_to_help(Ranks& ranks, const std::string& why);
/// From the first rank: that was all, before anything was handed out.
VINCULUM_EXPORT void dismiss(Ranks& ranks);

}  // namespace vinculum
