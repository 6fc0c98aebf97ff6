#include "analysis/derive/terms.hpp"

#include <algorithm>
#include <cstdlib>

namespace vinculum::derive {
namespace {

constexpr int largest_power_multiplied_out = 4;
constexpr int most_rounds = 8;

int own_length(Op op) { return op == Op::divide ? 2 : 1; }
bool is_operator(Op op) { return op >= Op::add && op <= Op::negate; }

/// How many terms a product has when it is multiplied out; more than `most_terms` is all the same.
std::size_t count_of(const Tidy& tidy, const Product& p) {
  std::size_t count = 1;
  for (const auto& f : p.factors) {
    const Terms* inner = f.power > 0 ? tidy.terms_of(f.base) : nullptr;
    if (inner == nullptr) continue;
    if (f.power > largest_power_multiplied_out) return most_terms + 1;
    for (int i = 0; i < f.power && count <= most_terms; ++i) count *= inner->size();
  }
  return count;
}

Terms times(const Terms& a, const Terms& b) {
  Terms all;
  for (const Product& x : a)
    for (const Product& y : b) all.push_back(Tidy::times(x, y));
  return all;
}

/// A sum inside a sum inside a product: each level is opened in turn.
bool has_open_sum(const Tidy& tidy, const Terms& terms) {
  return std::any_of(terms.begin(), terms.end(), [&](const Product& t) {
    return std::any_of(t.factors.begin(), t.factors.end(),
                       [&](const auto& f) { return f.power > 0 && tidy.terms_of(f.base) != nullptr; });
  });
}

Terms opened(const Tidy& tidy, const Product& p) {
  Product rest{p.k, {}};
  Terms open{Tidy::number(1)};
  for (const auto& f : p.factors) {
    const Terms* inner = f.power > 0 ? tidy.terms_of(f.base) : nullptr;
    if (inner == nullptr)
      rest.factors.push_back(f);
    else
      for (int i = 0; i < f.power; ++i) open = times(open, *inner);
  }
  return times({rest}, open);
}

}  // namespace

// --- Length --------------------------------------------------------------------------------------

/// Not by recursion: expressions may be deep.
int Length::of(const Expr& e) {
  if (e.is_constant()) return 1;
  if (known_.size() < graph_.size()) known_.resize(graph_.size(), 0);
  if (known_[e.id()] > 0) return known_[e.id()];
  std::vector<NodeId> open{e.id()};
  while (!open.empty()) {
    const NodeId id = open.back();
    const Node& node = graph_.node(id);
    int length = own_length(node.op);
    bool ready = true;
    for (int i = 0; i < arity(node.op); ++i) {
      const int found = known_[node.operand[i]];
      if (found == 0) open.push_back(node.operand[i]), ready = false;
      length += found;
    }
    if (!ready) continue;
    known_[id] = std::min(length, is_operator(node.op) ? longest : most_of_a_function_);
    open.pop_back();
  }
  return known_[e.id()];
}

void Length::define(const Expr& symbol, const Expr& value) {
  const int length = of(value);
  of(symbol);
  known_[symbol.id()] = length;
}

int Length::of(const Product& term) {
  int length = std::abs(term.k) == 1 && !term.factors.empty() ? 0 : 2;
  for (const auto& f : term.factors)
    length += of(f.base) + (std::abs(f.power) > 1 ? 2 : 0) + (f.power < 0 ? 2 : 1);
  return std::min(length, longest);
}

int Length::of(const Terms& terms) {
  int length = 0;
  for (const Product& t : terms) length = std::min(length + of(t), longest);
  return length;
}

// --- Terms ---------------------------------------------------------------------------------------

std::optional<Terms> multiplied_out(const Tidy& tidy, const Terms& terms, Effort& effort) {
  Terms now = terms;
  while (has_open_sum(tidy, now)) {
    std::size_t count = 0;
    for (const Product& t : now) count += count_of(tidy, t);
    if (count > most_terms || !effort.spend(count)) return std::nullopt;
    Terms next;
    for (const Product& t : now)
      for (Product& made : opened(tidy, t)) next.push_back(std::move(made));
    Tidy::merge(next);
    now = std::move(next);
  }
  return now;
}

std::optional<OverOne> over_one_denominator(const Terms& terms) {
  std::map<NodeId, Product::Factor> lowest;  // of each base, its lowest power, where that is negative
  for (const Product& t : terms)
    for (const auto& f : t.factors)
      if (f.power < 0) {
        auto& low = lowest.emplace(f.base.id(), f).first->second;
        low.power = std::min(low.power, f.power);
      }
  Product below{1.0, {}};
  for (const auto& [id, f] : lowest) below.factors.push_back({f.base, -f.power});
  if (below.factors.empty()) return std::nullopt;
  OverOne result{{}, below};
  for (const Product& t : terms) result.above.push_back(Tidy::times(t, below));
  // 1/m1 + 1/m2 is (m1 + m2)/(m1 m2): in the order in which the symbols were met.
  std::stable_sort(result.above.begin(), result.above.end(),
                   [](const Product& a, const Product& b) { return Tidy::key_of(a) < Tidy::key_of(b); });
  return result;
}

namespace {

/// The factors above the line that both have.
Product common_above(const Product& a, const Product& b) {
  Product common{1.0, {}};
  auto other = b.factors.begin();
  for (const auto& f : a.factors) {
    while (other != b.factors.end() && other->base.id() < f.base.id()) ++other;
    if (other == b.factors.end() || other->base.id() != f.base.id()) continue;
    if (const int power = std::min(f.power, other->power); power > 0)
      common.factors.push_back({f.base, power});
  }
  return common;
}

/// What is saved the most by standing in front of all terms it divides; nothing where nothing is saved.
Product best_common(const Terms& terms, Length& length) {
  Product best;
  int most = 0;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      const Product common = common_above(terms[i], terms[j]);
      if (common.factors.empty()) continue;
      const auto uses =
          std::count_if(terms.begin(), terms.end(), [&](const Product& t) { return divides(common, t); });
      const int saved = static_cast<int>(uses - 1) * length.of(Terms{common});
      if (saved > most) best = common, most = saved;
    }
  return best;
}

}  // namespace

Terms grouped(Tidy& tidy, const Terms& terms, Length& length, Effort& effort) {
  Terms now = terms;
  while (now.size() > 2 && effort.spend(now.size() * now.size())) {
    const Product common = best_common(now, length);
    if (common.is_zero()) break;
    Terms inside, next;
    std::size_t place = now.size();
    for (const Product& t : now) {
      const bool here = divides(common, t);
      if (here && place == now.size()) place = next.size();
      (here ? inside : next).push_back(here ? Tidy::over(t, common) : t);
    }
    const Product group = Tidy::times(common, tidy.sum(inside));
    next.insert(next.begin() + static_cast<std::ptrdiff_t>(place), group);
    now = std::move(next);
  }
  return now;
}

bool divides(const Product& part, const Product& whole) {
  auto at = whole.factors.begin();
  for (const auto& f : part.factors) {
    while (at != whole.factors.end() && at->base.id() < f.base.id()) ++at;
    if (at == whole.factors.end() || at->base.id() != f.base.id() || f.power <= 0 || at->power < f.power)
      return false;
  }
  return true;
}

std::optional<Terms> replaced(const Terms& terms, const Product& lead, const Terms& instead, Effort& effort) {
  Terms now = terms;
  for (int round = 0; round < most_rounds; ++round) {
    Terms next;
    bool any = false;
    for (const Product& t : now) {
      const bool here = divides(lead, t);
      any = any || here;
      if (!here)
        next.push_back(t);
      else
        for (const Product& i : instead) next.push_back(Tidy::times(Tidy::over(t, lead), i));
    }
    if (!any) return now;
    if (next.size() > 4 * most_terms || !effort.spend(next.size())) return std::nullopt;
    Tidy::merge(next);
    now = std::move(next);
  }
  return std::nullopt;
}

}  // namespace vinculum::derive
