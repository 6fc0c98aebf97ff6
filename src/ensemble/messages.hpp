// What ranks say to each other.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum::message {

/// The first byte of a message.
enum class Kind : char {
  ready = 'r',    ///< to the first rank: who it is, and how many parts it wants
  rows = 'm',     ///< members that were computed; one more part is wanted
  trouble = 't',  ///< why it cannot
  gone = 'g',     ///< it has sent all it had
  part = 'p',     ///< from the first rank: compute this
  over = 'o'      ///< that was all
};
inline Kind kind_of(std::string_view message) {
  return message.empty() ? Kind::trouble : static_cast<Kind>(message.front());
}

std::string plain(Kind kind, std::string_view text = {});
std::string_view text_of(std::string_view message);

std::string ready(int wanted, std::string_view identity);
struct Ready {
  int wanted = 0;
  std::string_view identity;
};
Ready ready_in(std::string_view message);

std::string part(const MemberRange& part);
MemberRange part_in(std::string_view message);

std::string rows(std::span<const MemberRow> rows);
std::vector<MemberRow> rows_in(std::string_view message);

}  // namespace vinculum::message
