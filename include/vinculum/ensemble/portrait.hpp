// What a picture of a study needs of its members, gathered in bounded memory.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/run_study.hpp"
#include "vinculum/ensemble/spread.hpp"

namespace vinculum {

/// Members one by one, in any order: how each number is distributed over all of them, and some of them
/// whole: spread evenly, those with the least and the largest of each kept value, and the first failures.
class VINCULUM_EXPORT StudyPortrait {
 public:
  static constexpr long most_rows = 20'000;          ///< spread evenly
  static constexpr double most_numbers = 2e6;        ///< in them: with very many columns they are fewer
  static constexpr std::size_t most_failures = 200;  ///< held whatever their place

  /// `members`: of the whole study.
  StudyPortrait(long members, std::size_t varied, std::size_t kept);
  void add(const MemberRow& row);

  long members() const { return members_; }  ///< that were added
  long failed() const { return failed_; }
  /// Failed members are marked in what varied; of what is kept they have no number.
  const std::vector<Spread>& varied() const { return varied_; }
  const std::vector<Spread>& kept() const { return kept_; }

  /// One of so many that follow each other is held, at a place among them that is as good as random: a grid
  /// is met evenly whatever its counts. 1: all.
  long one_of() const { return one_of_; }
  /// What is held, in the order of members, each once.
  std::vector<MemberRow> rows() const;
  struct Extremes {
    bool known = false;
    MemberRow least, largest;
  };
  const std::vector<Extremes>& extremes() const { return extremes_; }  ///< of what is kept

  struct Chosen {
    MemberRow row;
    std::string why;
  };
  /// At most `most` members to look at, in their order: all where they are so few; else extremes of what is
  /// kept (`names`), failures of every kind that began to move, and others spread evenly.
  std::vector<Chosen> choose(std::size_t most, const std::vector<std::string>& names) const;

 private:
  long one_of_ = 1, members_ = 0, failed_ = 0;
  std::vector<Spread> varied_, kept_;
  std::map<long, MemberRow> even_, failures_;
  std::vector<Extremes> extremes_;
};

}  // namespace vinculum
