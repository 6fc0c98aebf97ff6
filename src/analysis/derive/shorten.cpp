#include "analysis/derive/shorten.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace vinculum::derive {
namespace {

constexpr int worth_a_name = 4;              // a function as long as this has one where it repeats
constexpr int deepest = 40;                  // of sums in functions in sums
constexpr std::size_t most_factors = 400;    // of all terms together
constexpr std::size_t width = 4;             // candidates that are followed at a time
constexpr std::size_t terms_of_a_try = 100;  // what a sum costs where nothing comes of it
constexpr int most_steps = 16;
constexpr int steps_without_gain = 2;

std::size_t factors_of(const Terms& terms) {
  std::size_t count = 0;
  for (const Product& t : terms) count += t.factors.size();
  return count;
}

/// terms = 0 solved for one of them: lead = instead.
struct Solved {
  Product lead;
  Terms instead;
};
std::optional<Solved> solved_for(const Terms& terms, std::size_t which) {
  Solved s{{1.0, terms[which].factors}, {}};
  if (s.lead.factors.empty()) return std::nullopt;
  for (const auto& f : s.lead.factors)
    if (f.power < 0) return std::nullopt;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == which) continue;
    s.instead.push_back({-terms[i].k / terms[which].k, terms[i].factors});
    if (divides(s.lead, s.instead.back())) return std::nullopt;  // would never end
  }
  return s;
}

}  // namespace

Shortening::Shortening(Tidy& tidy, std::vector<Relation> given, Effort& effort)
    : tidy_(tidy), given_(std::move(given)), effort_(effort), length_(tidy.graph(), worth_a_name) {}

// --- From the inside out -------------------------------------------------------------------------

Product Shortening::shorter(const Product& p, int depth) {
  if (p.factors.empty() || p.factors.size() > most_factors || effort_.left <= 0 || depth > deepest) return p;
  Product same{p.k, {}}, other = Tidy::number(1);
  for (const auto& f : p.factors) {
    const Product base = shorter_base(f.base, depth);
    const bool kept = base.k == 1 && base.factors.size() == 1 && base.factors[0].power == 1 &&
                      base.factors[0].base.id() == f.base.id();
    if (kept) {
      same.factors.push_back(f);
      continue;
    }
    if (base.is_zero() && f.power < 0) return p;  // 1/0 stays visible
    for (int i = 0; i < std::abs(f.power); ++i)
      other = f.power > 0 ? Tidy::times(other, base) : Tidy::over(other, base);
  }
  const Product all = cancelled(Tidy::times(same, other));
  return depth == 0 && !all.factors.empty() && !given_.empty() ? shorter_sum({all}) : all;
}

/// Sums above and below the line that are multiples of each other: (1/m + r^2/I) / (I/m + r^2) is 1/I.
Product Shortening::cancelled(const Product& p) {
  bool above = false, below = false;
  for (const auto& f : p.factors)
    if (tidy_.terms_of(f.base) != nullptr) (f.power > 0 ? above : below) = true;
  if (!above || !below) return p;
  Product standard{p.k, {}};
  for (const auto& f : p.factors) {
    const Product base = standard_form(f.base);
    for (int i = 0; i < std::abs(f.power); ++i)
      standard = f.power > 0 ? Tidy::times(standard, base) : Tidy::over(standard, base);
  }
  return length_of(standard) < length_of(p) ? standard : p;
}

/// A sum over one denominator and multiplied out.
Product Shortening::standard_form(const Expr& base) {
  const Product plain{1.0, {{base, 1}}};
  const Terms* terms = tidy_.terms_of(base);
  if (terms == nullptr || !worth_trying(*terms)) return plain;
  OverOne over{*terms, Tidy::number(1)};
  if (const auto found = over_one_denominator(*terms)) over = *found;
  const auto open = multiplied_out(tidy_, over.above, effort_);
  return open ? Tidy::over(tidy_.sum(*open), over.below) : plain;
}

Product Shortening::shorter_base(const Expr& base, int depth) {
  if (const auto found = known_.find(base.id()); found != known_.end()) return found->second;
  Product result{1.0, {{base, 1}}};
  if (const Terms* terms = tidy_.terms_of(base); terms != nullptr && worth_trying(*terms)) {
    Terms inside;
    for (const Product& t : Terms(*terms)) inside.push_back(shorter(t, depth + 1));
    const Product sum = shorter_sum(inside);
    // What came out may have sums that can be shortened in their turn: 1/m1 + 1/m2.
    if (length_of(sum) < length_.of(base)) result = shorter(sum, depth + 1);
  } else if (const Terms* arguments = tidy_.arguments_of(base)) {
    Terms inside;
    int before = 0, after = 0;
    for (const Product& a : Terms(*arguments)) {
      inside.push_back(shorter(a, depth + 1));
      before += length_of(a), after += length_of(inside.back());
    }
    if (after < before) result = tidy_.function(base.op(), inside);
  }
  known_.emplace(base.id(), result);
  return result;
}

bool Shortening::worth_trying(const Terms& terms) const {
  return terms.size() <= most_terms && factors_of(terms) <= most_factors && effort_.left > 0;
}

Product Shortening::shorter_sum(const Terms& terms) {
  Product best = tidy_.sum(terms);
  if (!worth_trying(terms) || !effort_.spend(terms_of_a_try)) return best;
  int shortest = length_of(best);
  const auto take = [&](const Candidate& found, const Terms& above, const Product& below, int limit) {
    const Product whole = Tidy::over(tidy_.sum(above), below);
    const int length = length_of(whole);
    if (length >= std::min(shortest, limit)) return;
    best = whole, shortest = length, changed_ = true;
    used_.insert(found.used.begin(), found.used.end());
  };
  const auto consider = [&](const Terms& above, const Product& below, int limit) {
    const Candidate found = reduced(above);
    take(found, found.terms, below, limit);
    take(found, grouped(tidy_, found.terms, length_, effort_), below, limit);
  };
  const Product one = Tidy::number(1);
  consider(terms, one, shortest);
  // What is multiplied out has lost the sums that repeat and would have names: it must be worth that.
  const int limit = shortest - shortest / 4;
  if (const auto open = multiplied_out(tidy_, terms, effort_)) consider(*open, one, limit);
  if (const auto over = over_one_denominator(terms)) {
    take({}, over->above, over->below, shortest);
    if (const auto open = multiplied_out(tidy_, over->above, effort_)) consider(*open, over->below, limit);
  }
  return best;
}

// --- The search ----------------------------------------------------------------------------------

/// A few candidates are followed at a time, since a step that makes a sum longer may open the way to one that
/// makes it much shorter.
Shortening::Candidate Shortening::reduced(const Terms& terms) {
  Candidate best{terms, {}, length_.of(terms)};
  std::vector<Candidate> front{best};
  int idle = 0;
  for (int step = 0; step < most_steps && idle < steps_without_gain; ++step) {
    std::vector<Candidate> next;
    for (const Candidate& c : front)
      for (Candidate& m : moves(c)) next.push_back(std::move(m));
    if (next.empty()) break;
    std::stable_sort(next.begin(), next.end(),
                     [](const Candidate& a, const Candidate& b) { return a.length < b.length; });
    const auto alike = [](const Candidate& a, const Candidate& b) {
      return a.length == b.length && a.terms.size() == b.terms.size() &&
             std::equal(
                 a.terms.begin(), a.terms.end(), b.terms.begin(),
                 [](const Product& x, const Product& y) { return Tidy::key_of(x) == Tidy::key_of(y); });
    };
    next.erase(std::unique(next.begin(), next.end(), alike), next.end());
    if (next.size() > width) next.resize(width);
    idle = next.front().length < best.length ? 0 : idle + 1;
    if (idle == 0) best = next.front();
    front = std::move(next);
  }
  return best;
}

std::vector<Shortening::Candidate> Shortening::moves(const Candidate& from) {
  std::vector<Candidate> found;
  if (from.terms.empty() || from.terms.size() > most_terms || effort_.left <= 0) return found;
  for (const Relation& r : identities_of(tidy_, from.terms, effort_)) {
    add_replacements(from, r, found);
    add_multiples(from, r, found);
  }
  for (const Relation& r : given_) {
    add_replacements(from, r, found);
    add_multiples(from, r, found);
  }
  return found;
}

Shortening::Candidate Shortening::made(const Candidate& from, const Relation& by, Terms terms) {
  Candidate c{std::move(terms), from.used, 0};
  c.length = length_.of(c.terms);
  if (by.constraint >= 0) c.used.insert(by.constraint);
  return c;
}

/// One term of the relation is replaced by the others, everywhere.
void Shortening::add_replacements(const Candidate& from, const Relation& by, std::vector<Candidate>& to) {
  for (std::size_t i = 0; i < by.terms.size(); ++i) {
    const auto s = solved_for(by.terms, i);
    const auto applies = [&](const Product& t) { return divides(s->lead, t); };
    if (!s || std::none_of(from.terms.begin(), from.terms.end(), applies)) continue;
    if (auto terms = replaced(from.terms, s->lead, s->instead, effort_))
      to.push_back(made(from, by, std::move(*terms)));
  }
}

/// A multiple of the relation is taken away once, where that makes the sum shorter at once: m1 c^2 + m1 s^2 +
/// m2 c^2 is m1 + m2 c^2, although c^2 stays.
void Shortening::add_multiples(const Candidate& from, const Relation& by, std::vector<Candidate>& to) {
  if (by.terms.size() < 2) return;
  for (const Product& lead : by.terms)
    for (const Product& t : from.terms) {
      if (lead.factors.empty() || !divides({1.0, lead.factors}, t)) continue;
      const Product by_what = Tidy::over(t, lead);
      Terms terms = from.terms;
      for (const Product& r : by.terms) terms.push_back(Tidy::negative(Tidy::times(by_what, r)));
      if (!effort_.spend(terms.size())) return;
      Tidy::merge(terms);
      Candidate c = made(from, by, std::move(terms));
      if (c.length < from.length) to.push_back(std::move(c));
    }
}

}  // namespace vinculum::derive
