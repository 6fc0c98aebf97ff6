#include "vinculum/ensemble/portrait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace vinculum {
namespace {

/// A number that looks random for each place (the finish of splitmix64).
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::size_t most_of_one_reason = 500;  // letters

}  // namespace

StudyPortrait::StudyPortrait(long members, std::size_t varied, std::size_t kept)
    : varied_(varied), kept_(kept), extremes_(kept) {
  const double columns = static_cast<double>(varied + kept + 1);
  const long most = std::clamp(static_cast<long>(most_numbers / columns), 100L, most_rows);
  one_of_ = std::max(1L, (members + most - 1) / most);
}

void StudyPortrait::add(const MemberRow& row) {
  ++members_;
  const bool failed = !is_reached(row.end);
  for (std::size_t k = 0; k < varied_.size(); ++k) varied_[k].add(row.varied[k], failed);
  for (std::size_t k = 0; k < kept_.size(); ++k) kept_[k].add(row.kept[k]);
  if (failed) ++failed_;
  if (failed) {
    MemberRow& held = failures_.insert_or_assign(row.member, row).first->second;
    if (held.reason.size() > most_of_one_reason) held.reason.resize(most_of_one_reason);
    if (failures_.size() > most_failures) failures_.erase(std::prev(failures_.end()));
  }
  const auto of = static_cast<std::uint64_t>(one_of_);
  const auto member = static_cast<std::uint64_t>(row.member);
  if (scattered(member / of) % of == member % of)
    even_.insert_or_assign(row.member, row).first->second.reason.clear();  // those of the first failures do
  // Of members with the same value it is the first.
  const auto is_before = [&](double value, double other, long of_member) {
    return value < other || (value == other && row.member < of_member);
  };
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    const double value = row.kept[k];
    if (!std::isfinite(value)) continue;
    Extremes& e = extremes_[k];
    if (!e.known || is_before(value, e.least.kept[k], e.least.member)) e.least = row;
    if (!e.known || is_before(-value, -e.largest.kept[k], e.largest.member)) e.largest = row;
    e.known = true;
  }
}

std::vector<MemberRow> StudyPortrait::rows() const {
  std::map<long, MemberRow> all = failures_;  // first: they have their reasons
  all.insert(even_.begin(), even_.end());
  for (const Extremes& e : extremes_)
    if (e.known)
      for (const MemberRow* row : {&e.least, &e.largest}) all.emplace(row->member, *row);
  std::vector<MemberRow> rows;
  rows.reserve(all.size());
  for (auto& [member, row] : all) rows.push_back(std::move(row));
  return rows;
}

namespace {

/// Members to look at, each once, with all that is to be said of it.
class Choice {
 public:
  explicit Choice(std::size_t most) : most_(most) {}
  std::size_t size() const { return chosen_.size(); }
  /// A member that is there already costs nothing.
  void add(const MemberRow& row, const std::string& why, std::size_t up_to) {
    auto found = chosen_.find(row.member);
    if (found == chosen_.end()) {
      if (chosen_.size() >= std::min(up_to, most_)) return;
      found = chosen_.emplace(row.member, StudyPortrait::Chosen{row, ""}).first;
    }
    if (!why.empty()) found->second.why += (found->second.why.empty() ? "" : ", ") + why;
  }
  std::vector<StudyPortrait::Chosen> in_order() {
    std::vector<StudyPortrait::Chosen> all;
    for (auto& [member, chosen] : chosen_) all.push_back(std::move(chosen));
    return all;
  }

 private:
  std::size_t most_;
  std::map<long, StudyPortrait::Chosen> chosen_;
};

/// The first of every way to fail before the second of any. Without a model there is nothing to look at.
std::vector<const MemberRow*> by_turns(const std::map<long, MemberRow>& failures) {
  std::vector<std::pair<std::size_t, const MemberRow*>> turns;
  std::map<MemberEnd, std::size_t> seen;
  for (const auto& [member, row] : failures)
    if (row.end != no_model) turns.emplace_back(seen[row.end]++, &row);
  std::ranges::stable_sort(turns, {}, &std::pair<std::size_t, const MemberRow*>::first);
  std::vector<const MemberRow*> rows;
  for (const auto& turn : turns) rows.push_back(turn.second);
  return rows;
}

}  // namespace

std::vector<StudyPortrait::Chosen> StudyPortrait::choose(std::size_t most,
                                                         const std::vector<std::string>& names) const {
  Choice choice(most);
  const bool all = members_ <= static_cast<long>(most);
  const std::size_t half = all ? most : (most + 1) / 2;
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    if (!extremes_[k].known) continue;
    choice.add(extremes_[k].largest, "the largest " + names[k], half);
    choice.add(extremes_[k].least, "the least " + names[k], half);
  }
  const std::size_t with_failures =
      all ? most : std::min(most, choice.size() + std::max<std::size_t>(1, most / 4));
  for (const MemberRow* row : by_turns(failures_)) choice.add(*row, "failed", with_failures);
  std::vector<const MemberRow*> others;
  for (const auto& [member, row] : even_)
    if (is_reached(row.end)) others.push_back(&row);
  const std::size_t wanted =
      all ? others.size() : std::min(others.size(), most - std::min(most, choice.size()));
  for (std::size_t i = 0; i < wanted; ++i)
    choice.add(*others[(2 * i + 1) * others.size() / (2 * wanted)], "", most);
  return choice.in_order();
}

}  // namespace vinculum
