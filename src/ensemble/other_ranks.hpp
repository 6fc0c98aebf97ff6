// The ranks behind the first, as that one sees them.
#pragma once
#include <string>
#include <vector>

#include "ensemble/parts.hpp"
#include "vinculum/ensemble/ranks.hpp"

namespace vinculum {

class OtherRanks {
 public:
  /// Without `ranks` there are none.
  OtherRanks(Ranks* ranks, const std::string& identity);
  /// However the study ends: they are told that it has.
  ~OtherRanks();
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;

  int count() const { return static_cast<int>(wanted_.size()) - 1; }
  /// Takes what they have computed and hands them more, as far as they have asked.
  void serve(Parts& parts);
  /// That was all: takes what they still have, until the last of them has gone.
  void dismiss(Parts& parts);

 private:
  void hear(const Ranks::Message& message, Parts& parts);
  void let_go();

  Ranks* ranks_;
  std::string identity_;
  std::vector<int> wanted_;  // parts, of each rank
  int present_ = 0;          // others that have not gone
  bool dismissed_ = false;
};

}  // namespace vinculum
