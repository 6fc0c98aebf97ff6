#include "analysis/derive/tidy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::derive {
namespace {

/// A sum that is used more than once stays one thing when it is larger than this.
constexpr int largest_repeated = 40;
constexpr std::size_t most_spliced = 12;
constexpr int largest_power = 64;

bool is_sum(Op op) { return op == Op::add || op == Op::subtract || op == Op::negate; }
int whole_power(const Expr& e) {
  const Expr p = e.operand(1);
  const bool whole = p.is_constant() && p.value() == std::trunc(p.value());
  return whole && std::fabs(p.value()) <= largest_power ? static_cast<int>(p.value()) : 0;
}
bool is_product(const Expr& e) {
  const Op op = e.op();
  return op == Op::multiply || op == Op::divide || op == Op::negate || (op == Op::power && whole_power(e));
}

/// Nodes of one kind below `root`, left to right and operands first, each once; what ends them is in `ends`.
struct Collected {
  std::vector<Expr> inner, ends;
};
template <class Continues>
Collected collect(const Expr& root, const Continues& continues) {
  Collected found;
  std::unordered_set<NodeId> seen;
  std::vector<std::pair<Expr, int>> path{{root, 0}};
  seen.insert(root.id());
  while (!path.empty()) {
    auto& [e, next] = path.back();
    const int count = e.op() == Op::power ? 1 : arity(e.op());
    if (next == count) {
      found.inner.push_back(e);
      path.pop_back();
      continue;
    }
    const Expr child = e.operand(next++);
    if (child.is_constant()) {
      found.ends.push_back(child);
    } else if (seen.insert(child.id()).second) {
      if (continues(child))
        path.emplace_back(child, 0);
      else
        found.ends.push_back(child);
    }
  }
  return found;
}

}  // namespace

std::pair<double, double> fraction(double k) {
  if (number_text(std::fabs(k)).size() <= 5 && k != 0.5 && k != -0.5) return {k, 1.0};
  for (double q = 2; q <= 64; ++q) {
    const double p = std::round(k * q);
    if (p != 0 && p / q == k && std::fabs(p) < 1000) return {p, q};
  }
  return {k, 1.0};
}

Tidy::Tidy(const Model& model, std::function<std::string(const Expr& symbol)> rename)
    : model_(model), rename_(std::move(rename)) {
  graph_->share_functions(model.stated().graph());
}

// --- Products ------------------------------------------------------------------------------------

Product Tidy::times(const Product& a, const Product& b) {
  Product p{a.k * b.k, {}};
  if (p.is_zero()) return p;
  auto x = a.factors.begin(), y = b.factors.begin();
  while (x != a.factors.end() || y != b.factors.end()) {
    const bool left = y == b.factors.end() || (x != a.factors.end() && x->base.id() < y->base.id());
    const bool right = x == a.factors.end() || (y != b.factors.end() && y->base.id() < x->base.id());
    if (left) {
      p.factors.push_back(*x++);
    } else if (right) {
      p.factors.push_back(*y++);
    } else {
      if (x->power + y->power != 0) p.factors.push_back({x->base, x->power + y->power});
      ++x, ++y;
    }
  }
  return p;
}

/// Factors in their order, each base once.
void Tidy::gather(Product& p) {
  const auto by_base = [](const auto& x, const auto& y) { return x.base.id() < y.base.id(); };
  std::stable_sort(p.factors.begin(), p.factors.end(), by_base);
  std::vector<Product::Factor> gathered;
  for (const auto& f : p.factors) {
    if (!gathered.empty() && gathered.back().base.id() == f.base.id())
      gathered.back().power += f.power;
    else
      gathered.push_back(f);
  }
  std::erase_if(gathered, [](const auto& f) { return f.power == 0; });
  if (p.is_zero()) gathered.clear();
  p.factors = std::move(gathered);
}

Product Tidy::over(const Product& a, const Product& b) {
  Product inverse{1.0, b.factors};
  for (auto& f : inverse.factors) f.power = -f.power;
  Product p = times(a, inverse);
  p.k /= b.k;
  return p;
}

Tidy::Key Tidy::key_of(const Product& p) {
  Key key;
  for (const auto& f : p.factors) key.emplace_back(f.base.id(), f.power);
  return key;
}

double Tidy::common_number(const std::vector<Product>& terms) {
  double size = 0, whole = 0;
  bool same = true, all_whole = true, all_negative = true, any = false;
  for (const Product& t : terms) {
    if (t.is_zero()) continue;
    const double k = std::fabs(t.k);
    same = same && (!any || k == size);
    size = k;
    all_whole = all_whole && k == std::trunc(k) && k < 1e6;
    if (all_whole) whole = static_cast<double>(std::gcd(static_cast<long>(whole), static_cast<long>(k)));
    all_negative = all_negative && t.k < 0;
    any = true;
  }
  if (!any) return 1;
  return (all_negative ? -1.0 : 1.0) * (same ? size : all_whole ? whole : 1.0);
}

// --- Sums ----------------------------------------------------------------------------------------

void Tidy::merge(std::vector<Product>& terms) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  std::map<Key, std::size_t> place;
  std::vector<Product> merged;
  std::vector<double> size;  // of what came together
  for (Product& t : terms) {
    if (t.is_zero()) continue;
    const auto [where, is_new] = place.emplace(key_of(t), merged.size());
    if (is_new) {
      size.push_back(std::fabs(t.k));
      merged.push_back(std::move(t));
    } else {
      merged[where->second].k += t.k;
      size[where->second] += std::fabs(t.k);
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i)
    if (std::fabs(merged[i].k) <= rounding * size[i]) merged[i].k = 0;
  std::erase_if(merged, [](const Product& t) { return t.is_zero(); });
  terms = std::move(merged);
}

const std::vector<Product>* Tidy::terms_of(const Expr& base) const {
  const auto found = sums_.find(base.id());
  return found == sums_.end() ? nullptr : &found->second;
}

const std::vector<Product>* Tidy::arguments_of(const Expr& base) const {
  const auto found = arguments_.find(base.id());
  return found == arguments_.end() ? nullptr : &found->second;
}

/// What both products have in common. Factors stand in the order of their bases.
void Tidy::keep_common(Product& common, const Product& term) {
  auto other = term.factors.begin();
  for (auto& f : common.factors) {
    while (other != term.factors.end() && other->base.id() < f.base.id()) ++other;
    const bool shared = other != term.factors.end() && other->base.id() == f.base.id();
    const int power = shared ? other->power : 0;
    f.power = f.power > 0 ? std::clamp(power, 0, f.power) : std::clamp(power, f.power, 0);
  }
  std::erase_if(common.factors, [](const auto& f) { return f.power == 0; });
}

/// Takes out what all terms have in common.
Product Tidy::take_common(std::vector<Product>& terms) {
  Product common{common_number(terms), terms.front().factors};
  for (const Product& t : terms) keep_common(common, t);
  for (Product& t : terms) t = over(t, common);
  return common;
}

/// A short sum that stands alone as a term gives its terms to the sum it stands in.
bool Tidy::splice(std::vector<Product>& terms) const {
  std::vector<Product> flat;
  bool changed = false;
  for (const Product& t : terms) {
    const bool bare = std::fabs(t.k) == 1 && t.factors.size() == 1 && t.factors[0].power == 1;
    const auto inner = bare ? sums_.find(t.factors[0].base.id()) : sums_.end();
    if (inner == sums_.end() || inner->second.size() > most_spliced) {
      flat.push_back(t);
      continue;
    }
    for (const Product& s : inner->second) flat.push_back({t.k * s.k, s.factors});
    changed = true;
  }
  terms = std::move(flat);
  return changed;
}

/// The sum as one base; the same one for terms in another order, and its negative for the negative terms.
Product Tidy::base_of_sum(std::vector<Product>& terms) {
  std::vector<std::pair<Key, double>> key;
  for (const Product& t : terms) key.emplace_back(key_of(t), t.k);
  std::sort(key.begin(), key.end());
  if (const auto found = sum_of_.find(key); found != sum_of_.end()) return {1.0, {{found->second, 1}}};
  std::vector<std::pair<Key, double>> opposite = key;
  for (auto& term : opposite) term.second = -term.second;
  if (const auto found = sum_of_.find(opposite); found != sum_of_.end()) return {-1.0, {{found->second, 1}}};
  std::stable_partition(terms.begin(), terms.end(), [](const Product& t) { return !t.factors.empty(); });
  const auto positive = std::find_if(terms.begin(), terms.end(), [](const Product& t) { return t.k > 0; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  Expr e = write(terms.front());
  for (std::size_t i = 1; i < terms.size(); ++i)
    e = terms[i].k < 0 ? graph_->make(Op::subtract, e, write(negative(terms[i])))
                       : graph_->make(Op::add, e, write(terms[i]));
  sums_[e.id()] = terms;
  sum_of_[key] = e;
  return {1.0, {{e, 1}}};
}

Product Tidy::sum(std::vector<Product> terms) {
  Product common{1.0, {}};
  do {
    merge(terms);
    if (terms.empty()) return {};
    if (terms.size() == 1) return times(common, terms.front());
    common = times(common, take_common(terms));
  } while (splice(terms));
  return times(common, base_of_sum(terms));
}

// --- Reading -------------------------------------------------------------------------------------

bool Tidy::continues_sum(const Expr& e) const {
  return is_sum(e.op()) && !(uses_.at(e.id()) > 1 && size_.at(e.id()) > largest_repeated);
}

std::vector<Expr> Tidy::parts(const Expr& e) const {
  if (is_sum(e.op())) return collect(e, [this](const Expr& x) { return continues_sum(x); }).ends;
  if (is_product(e)) return collect(e, is_product).ends;
  std::vector<Expr> operands;
  for (int i = 0; i < arity(e.op()); ++i) operands.push_back(e.operand(i));
  return operands;
}

Product Tidy::known(const Expr& e) const { return e.is_constant() ? number(e.value()) : known_.at(e.id()); }

/// How often each node is used and, up to a bound, how much is below it.
void Tidy::measure(const std::vector<NodeId>& nodes) {
  uses_.clear();
  size_.clear();
  for (const NodeId id : nodes) {
    const Node& node = model_.stated().graph().node(id);
    int size = 1;
    for (int i = 0; i < arity(node.op); ++i) {
      ++uses_[node.operand[i]];
      size += size_[node.operand[i]];
    }
    uses_[id];
    size_[id] = std::min(size, 1 << 20);
  }
}

/// Not by recursion: first what is needed is found from the top down, then it is read from the bottom up.
Product Tidy::read(const Expr& e) {
  if (e.is_constant()) return number(e.value());
  const std::vector<NodeId> nodes = model_.stated().graph().reachable({&e, 1});
  measure(nodes);
  std::unordered_set<NodeId> needed{e.id()};
  for (std::size_t k = nodes.size(); k-- > 0;) {
    if (!needed.contains(nodes[k]) || known_.contains(nodes[k])) continue;
    for (const Expr& part : parts(model_.stated().graph().at(nodes[k])))
      if (!part.is_constant()) needed.insert(part.id());
  }
  for (const NodeId id : nodes)
    if (needed.contains(id) && !known_.contains(id)) {
      const Expr node = model_.stated().graph().at(id);
      if (!node.is_constant()) known_.emplace(id, read_node(node));
    }
  return known_.at(e.id());
}

Product Tidy::read_node(const Expr& e) {
  if (is_sum(e.op())) return read_sum(e);
  if (is_product(e)) {
    const Product p = read_product(e);
    return std::isfinite(p.k) ? p : read_function(e);  // 1/0 stays visible
  }
  return read_function(e);
}

/// The factors inside a product are read on their own only where the product is kept as it was written.
Product Tidy::known_or_read(const Expr& e) {
  if (!e.is_constant() && !known_.contains(e.id())) {
    const Product p = read_node(e);
    known_.emplace(e.id(), p);
  }
  return known(e);
}

Product Tidy::read_sum(const Expr& e) {
  const Collected all = collect(e, [this](const Expr& x) { return continues_sum(x); });
  std::unordered_map<NodeId, double> weight{{e.id(), 1.0}};
  double constant = 0;
  for (std::size_t k = all.inner.size(); k-- > 0;) {
    const Expr& node = all.inner[k];
    const double w = weight[node.id()];
    for (int i = 0; i < arity(node.op()); ++i) {
      const bool minus = node.op() == Op::negate || (node.op() == Op::subtract && i == 1);
      const Expr child = node.operand(i);
      if (child.is_constant())
        constant += minus ? -w * child.value() : w * child.value();
      else
        weight[child.id()] += minus ? -w : w;
    }
  }
  std::vector<Product> terms;
  bool numbered = false;
  for (const Expr& leaf : all.ends) {
    if (!leaf.is_constant()) terms.push_back(times(number(weight[leaf.id()]), known(leaf)));
    if (leaf.is_constant() && !std::exchange(numbered, true)) terms.push_back(number(constant));
  }
  return sum(std::move(terms));
}

Product Tidy::read_product(const Expr& e) {
  const Collected all = collect(e, is_product);
  std::unordered_map<NodeId, int> weight{{e.id(), 1}};
  Product p = number(1);
  for (std::size_t k = all.inner.size(); k-- > 0;) {
    const Expr& node = all.inner[k];
    const int w = weight[node.id()];
    if (node.op() == Op::negate && w % 2 != 0) p.k = -p.k;
    for (int i = 0; i < (node.op() == Op::power ? 1 : arity(node.op())); ++i) {
      const int turn = node.op() == Op::power              ? whole_power(node)
                       : node.op() == Op::divide && i == 1 ? -1
                                                           : 1;
      const Expr child = node.operand(i);
      if (child.is_constant())
        p.k *= std::pow(child.value(), w * turn);
      else
        weight[child.id()] += w * turn;
    }
  }
  for (const Expr& leaf : all.ends) {
    const int w = leaf.is_constant() ? 0 : weight[leaf.id()];
    if (w == 0) continue;
    const Product inner = known(leaf);
    p.k *= std::pow(inner.k, w);
    for (const auto& f : inner.factors) p.factors.push_back({f.base, f.power * w});
  }
  gather(p);
  return p;
}

Product Tidy::read_function(const Expr& e) {
  if (e.is_symbol()) return read_symbol(e);
  std::vector<Product> arguments;
  for (int i = 0; i < arity(e.op()); ++i) arguments.push_back(known_or_read(e.operand(i)));
  return function(e.op(), arguments);
}

Product Tidy::read_symbol(const Expr& e) {
  const Expr made = graph_->symbol(rename_(e));
  const SymbolRole role = model_.stated().role(e);
  constexpr int place_of_time = 1;
  const int place = role.role == Role::parameter    ? 0
                    : role.role == Role::time       ? place_of_time
                    : role.role == Role::coordinate ? 2
                                                    : 3;
  rank_[made.id()] = {place, role.index};
  return {1.0, {{made, 1}}};
}

Product Tidy::function(Op op, const std::vector<Product>& arguments) {
  Expr part[3] = {0, 0, 0};
  for (std::size_t i = 0; i < arguments.size(); ++i) part[i] = write(arguments[i]);
  const Expr made = graph_->make(op, part[0], part[1], part[2]);
  if (made.is_constant()) return number(made.value());
  if (made.op() == op) arguments_.emplace(made.id(), arguments);
  return {1.0, {{made, 1}}};
}

// --- Writing -------------------------------------------------------------------------------------

Expr Tidy::power_of(const Product::Factor& f) const {
  const int size = std::abs(f.power);
  return size == 1 ? f.base : graph_->make(Op::power, f.base, size);
}

Expr Tidy::write(const Product& p) const {
  if (p.is_zero()) return 0.0;  // not -0
  if (p.factors.empty()) return p.k;
  std::vector<Product::Factor> factors = p.factors;
  const auto place = [this](const Product::Factor& f) {
    if (const auto found = rank_.find(f.base.id()); found != rank_.end()) return found->second;
    if (f.base.is_symbol()) return std::pair(-1, 0);  // a name given on the page leads
    return std::pair(sums_.contains(f.base.id()) ? 5 : 4, static_cast<int>(f.base.id()));
  };
  std::sort(factors.begin(), factors.end(),
            [&](const auto& x, const auto& y) { return place(x) < place(y); });
  const auto [above, below] = fraction(p.k);
  Expr top = above == -1 ? Expr(1) : Expr(above), bottom = below;
  for (const auto& f : factors) {
    Expr& side = f.power > 0 ? top : bottom;
    side = side.is_constant(1) ? power_of(f) : graph_->make(Op::multiply, side, power_of(f));
  }
  const auto plain = [](const Expr& x) { return x.op() != Op::add && x.op() != Op::subtract; };
  const bool turn = above == -1 && top.op() == Op::subtract && plain(top.operand(0)) && plain(top.operand(1));
  if (turn) top = graph_->make(Op::negate, top);  // (b - a)/2 for -(a - b)/2
  const Expr whole = bottom.is_constant(1) ? top : graph_->make(Op::divide, top, bottom);
  return above == -1 && !turn ? graph_->make(Op::negate, whole) : whole;
}

}  // namespace vinculum::derive
