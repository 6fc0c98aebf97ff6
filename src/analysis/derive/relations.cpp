#include "analysis/derive/relations.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::derive {
namespace {

constexpr std::size_t most_angles = 6;
constexpr std::size_t longest_relation = 16;      // terms
constexpr std::size_t largest_constraint = 400;   // nodes
constexpr std::size_t most_constraint_rows = 12;  // closed forms have two

Product squared(const Product& p) { return Tidy::times(p, p); }

/// What a sum or a difference of angles is the angle of; cos(-u) and sin(-u) are written with u.
Product sine(Tidy& tidy, const Product& u) {
  if (u.k >= 0) return tidy.function(Op::sin, {u});
  return Tidy::negative(tidy.function(Op::sin, {Tidy::negative(u)}));
}
Product cosine(Tidy& tidy, const Product& u) {
  return tidy.function(Op::cos, {u.k >= 0 ? u : Tidy::negative(u)});
}

/// cos(u - v) = cos u cos v + sin u sin v and its three sisters.
void add_sums_of_angles(Tidy& tidy, const Product& u, const Product& v, std::vector<Relation>& found) {
  const Product cu = tidy.function(Op::cos, {u}), su = tidy.function(Op::sin, {u}),
                cv = tidy.function(Op::cos, {v}), sv = tidy.function(Op::sin, {v});
  const Product cc = Tidy::times(cu, cv), ss = Tidy::times(su, sv), sc = Tidy::times(su, cv),
                cs = Tidy::times(cu, sv);
  const Product difference = tidy.sum({u, Tidy::negative(v)}), sum = tidy.sum({u, v});
  if (difference.is_zero() || sum.is_zero()) return;
  found.push_back({{cc, ss, Tidy::negative(cosine(tidy, difference))}});
  found.push_back({{cc, Tidy::negative(ss), Tidy::negative(cosine(tidy, sum))}});
  found.push_back({{sc, Tidy::negative(cs), Tidy::negative(sine(tidy, difference))}});
  found.push_back({{sc, cs, Tidy::negative(sine(tidy, sum))}});
}

/// The functions of one kind among the factors, each once, by what they are of.
struct Functions {
  std::map<NodeId, Product> angles, hyperbolic;  ///< their arguments, by the argument's node
  std::map<NodeId, Expr> roots;
  bool products = false;  ///< some term has functions of two angles
};

Functions functions_in(const Tidy& tidy, const Terms& terms) {
  Functions found;
  for (const Product& t : terms) {
    int angles = 0;
    for (const auto& f : t.factors) {
      const Op op = f.base.op();
      if (op == Op::sqrt) found.roots.emplace(f.base.id(), f.base);
      const Terms* of = tidy.arguments_of(f.base);
      if (of == nullptr || f.base.operand(0).is_constant()) continue;
      const NodeId key = f.base.operand(0).id();
      if (op == Op::sin || op == Op::cos) found.angles.emplace(key, of->front()), ++angles;
      if (op == Op::sinh || op == Op::cosh) found.hyperbolic.emplace(key, of->front());
    }
    found.products = found.products || angles > 1;
  }
  return found;
}

/// sqrt(u)^2 = u
void add_root(const Tidy& tidy, const Expr& root, Effort& effort, std::vector<Relation>& found) {
  const Terms* of = tidy.arguments_of(root);
  if (of == nullptr) return;
  auto inside = multiplied_out(tidy, {of->front()}, effort);
  if (!inside || inside->size() > longest_relation) return;
  Relation r{{Product{-1.0, {{root, 2}}}}};
  r.terms.insert(r.terms.end(), inside->begin(), inside->end());
  found.push_back(std::move(r));
}

}  // namespace

std::vector<Relation> identities_of(Tidy& tidy, const Terms& terms, Effort& effort) {
  std::vector<Relation> found;
  const Functions in = functions_in(tidy, terms);
  for (const auto& [key, u] : in.angles)
    found.push_back(
        {{squared(tidy.function(Op::sin, {u})), squared(tidy.function(Op::cos, {u})), Tidy::number(-1)}});
  for (const auto& [key, u] : in.hyperbolic)
    found.push_back({{squared(tidy.function(Op::cosh, {u})),
                      Tidy::negative(squared(tidy.function(Op::sinh, {u}))), Tidy::number(-1)}});
  for (const auto& [id, root] : in.roots) add_root(tidy, root, effort, found);
  if (in.products && in.angles.size() <= most_angles)
    for (auto u = in.angles.begin(); u != in.angles.end(); ++u)
      for (auto v = std::next(u); v != in.angles.end(); ++v)
        add_sums_of_angles(tidy, u->second, v->second, found);
  return found;
}

// --- Constraints ---------------------------------------------------------------------------------

namespace {

/// The factors of a product that is zero, without its denominator.
Terms zero_terms(const Tidy& tidy, const Product& p) {
  Product above{1.0, {}};
  for (const auto& f : p.factors)
    if (f.power > 0) above.factors.push_back({f.base, 1});  // x^2 = 0 says x = 0
  if (above.factors.size() == 1)
    if (const Terms* sum = tidy.terms_of(above.factors[0].base)) return *sum;
  return {above};
}

class Zeros {
 public:
  Zeros(Tidy& tidy, const Model& model, Effort& effort) : tidy_(tidy), model_(model), effort_(effort) {}

  void add(const Expr& phi, int constraint) {
    const Expr written = model_.stated().written_out(phi);
    if (written.is_constant() || model_.stated().graph().reachable({&written, 1}).size() > largest_constraint)
      return;
    const Product p = tidy_.read(written);
    if (p.factors.empty()) return;
    const Terms stated = zero_terms(tidy_, p);
    keep(stated, constraint);
    Terms above = stated;
    if (const auto one = over_one_denominator(stated)) above = one->above;
    if (const auto open = multiplied_out(tidy_, above, effort_)) keep(*open, constraint);
  }
  std::vector<Relation> found;

 private:
  static bool same(const Terms& a, const Terms& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Product& x, const Product& y) {
      return x.k == y.k && Tidy::key_of(x) == Tidy::key_of(y);
    });
  }
  void keep(const Terms& terms, int constraint) {
    const auto known = [&](const Relation& r) { return same(r.terms, terms); };
    if (terms.size() <= longest_relation && std::none_of(found.begin(), found.end(), known))
      found.push_back({terms, constraint});
  }
  Tidy& tidy_;
  const Model& model_;
  Effort& effort_;
};

}  // namespace

std::vector<Relation> relations_of_constraints(Tidy& tidy, const Model& model, Effort& effort) {
  Zeros zeros(tidy, model, effort);
  std::size_t rows = 0;
  for (std::size_t c = 0; c < model.constraints().size(); ++c)
    for (const Expr& phi : model.constraints()[c].rows) {
      const int order = order_of(model, phi), place = static_cast<int>(c);
      if (order > 1 || ++rows > most_constraint_rows) continue;
      zeros.add(phi, place);
      if (order == 0) zeros.add(time_derivative(phi, model.stated().rates), place);
    }
  return std::move(zeros.found);
}

}  // namespace vinculum::derive
