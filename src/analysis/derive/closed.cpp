// Closed forms:  q'' = a + M^-1 A^T (A M^-1 A^T)^+ (b - A a), written out where one or two rows are left when
// those that follow from others and velocities without mass are taken out.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "analysis/derive/rows.hpp"

namespace vinculum::derive {
namespace {

constexpr std::size_t most_velocities = 24;
constexpr std::size_t most_rows = 24;  // before those that follow from others are taken out
constexpr std::size_t most_brief_factors = 3;
constexpr std::size_t most_factors_written_out = 6;
constexpr int longest_written_out = 30;

bool same(const Product& a, const Product& b) {
  return a.k == b.k && a.factors.size() == b.factors.size() &&
         std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), [](const auto& x, const auto& y) {
           return x.base.id() == y.base.id() && x.power == y.power;
         });
}

class Closing {
 public:
  Closing(Page& page, const ReadEquations& e, FreshNames& names, Shortening* always, Shortening* where_held)
      : page_(page),
        tidy_(*page.tidy),
        names_(names),
        always_(always),
        shortening_(where_held),
        mass_(tidy_, e),
        Q_(e.Q),
        C_(e.C),
        b_(e.b) {
    rows_.assign(b_.size(), Products(Q_.size()));
    for (const auto& a : e.A) rows_[a.row][a.column] = a.value;
  }

  void close() {
    ExplicitEquations& form = page_.closed;
    if (mass_.is_singular_pair()) page_.massless = true;
    if (!mass_.is_simple()) return;
    if (!page_.massless) form.free = written(mass_.solve(Q_));
    if (!page_.massless && !rows_.empty() && !page_.vakonomic) write_gauss();
    if (rows_.size() > most_rows || (page_.massless && !C_.empty())) return;
    form.exists = close_groups();
    if (form.exists) return drop_unused_steps();
    form.steps.clear();
    form.rows.clear();
    form.multipliers.clear();
    form.least_gauss.clear();
  }

 private:
  // --- Which rows ---

  bool close_groups() {
    const auto groups = groups_of_rows(tidy_, rows_, b_, always_);
    if (!groups) return false;
    groups_ = *groups;
    take_out_numbers();
    for (const RowGroup& g : groups_) kept_.push_back(g.members.front().row);
    push_.assign(rows_.size(), Product());
    left_ = kept_;
    problem_ = {rows_, b_, Q_};
    const auto eliminations = eliminate_massless(tidy_, mass_, problem_, left_, shortening_);
    if (!eliminations || left_.size() > 2) return false;
    eliminations_ = *eliminations;
    const bool square = kept_.size() == 2 && Q_.size() == 2 && eliminations_.empty();
    if (!(square && !page_.vakonomic ? close_square() : close_rows()))
      return false;  // vakonomic asks for lambda
    write_multipliers();
    return true;
  }
  /// The rows without their common numbers, and b with them.
  void take_out_numbers() {
    number_.assign(rows_.size(), 1.0);
    for (const RowGroup& g : groups_) {
      const int r = g.members.front().row;
      const double k = number_[r] = Tidy::common_number(rows_[r]);
      for (Product& p : rows_[r]) p.k /= k;
      b_[r].k /= k;
      page_.closed.kept.push_back(r);
      page_.closed.rows.push_back({0, written(rows_[r])});
    }
  }
  /// Of rows that are multiples of each other, the shortest multipliers that make the push.
  void write_multipliers() {
    Products multiplier(rows_.size());
    for (const RowGroup& g : groups_) {
      const int first = g.members.front().row;
      Products squares;
      for (const auto& m : g.members) squares.push_back(Tidy::times(m.factor, m.factor));
      const Product below = Tidy::times(Tidy::number(number_[first]), tidy_.sum(squares));
      for (const auto& m : g.members)
        multiplier[m.row] = Tidy::over(Tidy::times(m.factor, push_[first]), below);
    }
    page_.closed.multipliers = written(shorter(multiplier));
  }

  /// (37) of the 1995 paper: what the accelerations that the rows allow make least.
  void write_gauss() {
    const Products free = mass_.solve(Q_);
    Products away = with_symbols_of_accelerations();
    for (std::size_t i = 0; i < away.size(); ++i) away[i] = tidy_.sum({away[i], Tidy::negative(free[i])});
    page_.closed.gauss = written({dot(away, mass_.times(away))});
  }
  /// F^T M^-1 F
  void write_least_gauss(const Products& force) {
    if (!rows_.empty() && C_.empty() && !page_.massless && !page_.vakonomic)
      page_.closed.least_gauss = written({shorter(dot(force, mass_.solve(force)))});
  }

  // --- Small things ---

  Product dot(const Products& x, const Products& y) {
    Products terms;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!x[i].is_zero() && !y[i].is_zero()) terms.push_back(Tidy::times(x[i], y[i]));
    return tidy_.sum(std::move(terms));
  }
  Product shorter(const Product& p) { return shortening_ ? shortening_->shorter(p) : p; }
  Products shorter(Products list) {
    for (Product& p : list) p = shorter(p);
    return list;
  }
  Product symbol(const std::string& name) { return {1.0, {{tidy_.graph().symbol(name), 1}}}; }
  /// A product of a few symbols: as short as a name for it.
  static bool is_brief(const Product& p) {
    return p.factors.size() <= most_brief_factors &&
           std::all_of(p.factors.begin(), p.factors.end(),
                       [](const auto& f) { return f.base.is_symbol() && f.power > 0; });
  }
  Product named(const std::string& wish, const Product& value) {
    const Product s = symbol(names_.take(wish));
    page_.closed.steps.push_back({s.factors[0].base, tidy_.write(value)});
    return s;
  }
  /// A step with a name; a number or a brief product needs none.
  Product step(const std::string& wish, const Product& stated) {
    const Product value = shorter(stated);
    return is_brief(value) ? value : named(wish, value);
  }
  /// What stands in front of a row: with a name of its own in the headline, as its value where that is brief.
  void set_push(int row, const Product& stated) {
    const Product value = shorter(stated);
    const auto at = std::find(kept_.begin(), kept_.end(), row) - kept_.begin();
    const Product name =
        value.factors.empty() ? value : named(kept_.size() == 1 ? "f" : "f" + std::to_string(at + 1), value);
    page_.closed.rows[at].push = tidy_.write(name);
    push_[row] = is_brief(value) ? value : name;
  }
  /// Of two ways to write a value, with the names of steps or without, the second where that is much shorter.
  Product with_names_or_without(const Product& with, const Product& without) {
    if (!shortening_) return with;
    const Product value = shorter(without);
    const int length = shortening_->length(value);
    const bool short_enough = length <= longest_written_out && 3 * length <= 2 * shortening_->length(without);
    return short_enough ? value : with;
  }
  std::vector<Expr> written(const Products& x) const {
    std::vector<Expr> out;
    for (const Product& p : x) out.push_back(tidy_.write(p));
    return out;
  }
  Products with_symbols_of_accelerations() {
    Products out;
    for (const std::string& name : page_.acceleration) out.push_back(symbol(name));
    return out;
  }
  /// Steps that nothing rests on any more.
  void drop_unused_steps() {
    ExplicitEquations& form = page_.closed;
    std::unordered_set<NodeId> used;
    const auto use = [&](const std::vector<Expr>& list) {
      for (const Expr& s : symbols_of(list)) used.insert(s.id());
    };
    for (const auto& list :
         {form.acceleration, form.force, form.nonideal, form.multipliers, form.least_gauss})
      use(list);
    for (const auto& row : form.rows) use({row.push});
    std::vector<Definition> kept;
    for (std::size_t k = form.steps.size(); k-- > 0;) {
      if (!used.contains(form.steps[k].symbol.id())) continue;
      use({form.steps[k].value});
      kept.push_back(form.steps[k]);
    }
    form.steps.assign(kept.rbegin(), kept.rend());
  }

  // --- Rows in front of a mass ---

  /// What M^-1 is divided by wherever the rows act, if it is the same there: then it stands in front. Else 1.
  Product common_denominator() const {
    Product common;
    for (std::size_t i = 0; i < Q_.size(); ++i) {
      if (std::all_of(left_.begin(), left_.end(), [&](int r) { return problem_.rows[r][i].is_zero(); }))
        continue;
      const Product here = mass_.denominator(i);
      if (!common.is_zero() && !same(common, here)) return Tidy::number(1);
      common = here;
    }
    return common.is_zero() ? Tidy::number(1) : common;
  }
  static Products scaled(const Product& by, Products x) {
    for (Product& p : x) p = Tidy::times(by, p);
    return x;
  }

  /// (A M^-1 A^T) f = b - A a, both sides times d:  with one mass everywhere  (A A^T) f = m b - A Q.
  bool close_rows() {
    const Product d = common_denominator();
    const Products free_times_d = scaled(d, mass_.solve(problem_.Q));
    const Products C_times_d = C_.empty() ? Products() : scaled(d, mass_.solve(C_));
    std::vector<Products> turned;
    Products miss, taken;  // b - A a, A M^-1 C
    for (const int r : left_) {
      const Products& row = problem_.rows[r];
      turned.push_back(scaled(d, mass_.solve(row)));
      miss.push_back(tidy_.sum({Tidy::times(d, problem_.b[r]), Tidy::negative(dot(row, free_times_d))}));
      if (!C_.empty()) taken.push_back(dot(row, C_times_d));
    }
    if (left_.size() == 1 && !push_one(turned[0], miss[0], taken)) return false;
    if (left_.size() == 2 && !push_two(turned, miss, taken)) return false;
    push_by_massless();
    write_motion();
    return true;
  }

  bool push_one(const Products& turned, const Product& miss, const Products& taken) {
    const Product N = shorter(dot(problem_.rows[left_[0]], turned));
    if (N.is_zero()) return false;
    set_push(left_[0], Tidy::over(miss, N));
    if (!taken.empty()) back_ = {step("h", Tidy::over(taken[0], N))};
    return true;
  }

  /// Cramer's rule.
  bool push_two(const std::vector<Products>& turned, const Products& miss, const Products& taken) {
    const Products &one = problem_.rows[left_[0]], &two = problem_.rows[left_[1]];
    const Product s11 = shorter(dot(one, turned[0])), s12 = shorter(dot(one, turned[1])),
                  s22 = shorter(dot(two, turned[1]));
    const auto minor = [&](const Product& a, const Product& b, const Product& c, const Product& d) {
      return tidy_.sum({Tidy::times(a, b), Tidy::negative(Tidy::times(c, d))});
    };
    const Product determinant = minor(s11, s22, s12, s12), shorter_determinant = shorter(determinant);
    if (shorter_determinant.is_zero()) return false;
    const Product S11 = step("S11", s11), S12 = step("S12", s12), S22 = step("S22", s22);
    const Product D = step("D", with_names_or_without(minor(S11, S22, S12, S12), determinant));
    const auto solved = [&](const Product& x, const Product& y, const Product& X, const Product& Y) {
      const auto by = [&](const Product& below, const Product& p, const Product& e, const Product& q,
                          const Product& g) { return Tidy::over(minor(p, e, q, g), below); };
      const Product& d = shorter_determinant;
      return Products{with_names_or_without(by(D, S22, X, S12, Y), by(d, s22, x, s12, y)),
                      with_names_or_without(by(D, S11, Y, S12, X), by(d, s11, y, s12, x))};
    };
    const Products e = shorter(miss);
    const Product e1 = step("e1", e[0]), e2 = step("e2", e[1]);
    const Products push = solved(e[0], e[1], e1, e2);
    for (int k = 0; k < 2; ++k) set_push(left_[k], push[k]);
    if (taken.empty()) return true;
    const Products c = shorter(taken);
    const Product c1 = step("c1", c[0]), c2 = step("c2", c[1]);
    const Products back = solved(c[0], c[1], c1, c2);
    back_ = {step("h1", back[0]), step("h2", back[1])};
    return true;
  }

  /// 0 = Q_i + (A^T lambda)_i of a velocity without mass, solved for the row that moves it.
  void push_by_massless() {
    for (auto e = eliminations_.rbegin(); e != eliminations_.rend(); ++e) {
      const int i = e->velocity;
      Products terms{e->before.Q[i]};
      for (const int r : e->others) terms.push_back(Tidy::times(e->before.rows[r][i], push_[r]));
      set_push(e->row, Tidy::over(Tidy::negative(tidy_.sum(terms)), e->before.rows[e->row][i]));
    }
  }

  void write_motion() {
    const std::size_t n = Q_.size();
    Products force(n), all(n), nonideal = C_;
    for (std::size_t i = 0; i < n; ++i) {
      Products terms;
      for (const int r : kept_) terms.push_back(Tidy::times(push_[r], rows_[r][i]));
      force[i] = tidy_.sum(terms);
      // F^C = C - sum of h u: h is what a row takes of C.
      for (std::size_t k = 0; k < back_.size(); ++k)
        nonideal[i] = tidy_.sum({nonideal[i], Tidy::negative(Tidy::times(back_[k], rows_[left_[k]][i]))});
      all[i] = C_.empty() ? force[i] : tidy_.sum({force[i], nonideal[i]});
    }
    const Products free = mass_.solve(Q_), change = mass_.solve(all);
    Products motion(n);
    for (std::size_t i = 0; i < n; ++i) motion[i] = shorter(tidy_.sum({free[i], change[i]}));
    move_massless(motion);
    page_.closed.acceleration = written(motion);
    page_.closed.force = written(shorter(force));
    page_.closed.nonideal = written(shorter(nonideal));
    write_least_gauss(force);
  }

  /// The row that moves a velocity without mass gives its acceleration.
  void move_massless(Products& motion) {
    for (auto e = eliminations_.rbegin(); e != eliminations_.rend(); ++e) {
      const Products& row = e->before.rows[e->row];
      Products terms{e->before.b[e->row]};
      for (std::size_t j = 0; j < row.size(); ++j)
        if (static_cast<int>(j) != e->velocity && !row[j].is_zero())
          terms.push_back(Tidy::negative(Tidy::times(row[j], motion[j])));
      motion[e->velocity] = shorter(Tidy::over(tidy_.sum(terms), row[e->velocity]));
    }
  }

  /// Two rows, two velocities: the rows alone say what q'' is, and the force is what that takes; nothing of C
  /// is left.
  bool close_square() {
    page_.closed.square = true;
    const Products &a = rows_[kept_[0]], &b = rows_[kept_[1]];
    const Product determinant = tidy_.sum({Tidy::times(a[0], b[1]), Tidy::negative(Tidy::times(a[1], b[0]))});
    if (determinant.is_zero()) return false;
    const Product D = step("D", determinant);
    if (D.is_zero()) return false;
    const auto cramer = [&](const Product& s, const Product& t, const Product& v, const Product& w) {
      return shorter(Tidy::over(tidy_.sum({Tidy::times(s, t), Tidy::negative(Tidy::times(v, w))}), D));
    };
    const Product &b1 = b_[kept_[0]], &b2 = b_[kept_[1]];
    const Products motion{cramer(b[1], b1, a[1], b2), cramer(a[0], b2, b[0], b1)};
    page_.closed.acceleration = written(motion);
    // A short acceleration is written out in the force: (34) of the 1996 paper says it is Newton's.
    const bool brief = std::all_of(motion.begin(), motion.end(), [this](const Product& p) {
      return p.factors.size() <= most_factors_written_out &&
             std::none_of(p.factors.begin(), p.factors.end(),
                          [this](const auto& f) { return tidy_.terms_of(f.base) != nullptr; });
    });
    Products force = mass_.times(brief ? motion : with_symbols_of_accelerations());
    for (std::size_t i = 0; i < 2; ++i) force[i] = shorter(tidy_.sum({force[i], Tidy::negative(Q_[i])}));
    page_.closed.force = written(force);
    page_.closed.nonideal = written(Products(C_.size()));
    write_least_gauss(force);
    push_[kept_[0]] = cramer(force[0], b[1], force[1], b[0]);
    push_[kept_[1]] = cramer(a[0], force[1], a[1], force[0]);
    page_.closed.rows.clear();
    return true;
  }

  Page& page_;
  Tidy& tidy_;
  FreshNames& names_;
  Shortening *always_, *shortening_;
  Mass mass_;
  Products Q_, C_, b_;
  std::vector<Products> rows_;  // those in front of others without their common number
  std::vector<double> number_;  // that was taken out of a row
  std::vector<RowGroup> groups_;
  std::vector<int> kept_;  // the first row of every group
  std::vector<int> left_;  // of those, the ones that no velocity without mass has taken
  RowProblem problem_;     // of these
  std::vector<MasslessElimination> eliminations_;
  Products push_, back_;
};

}  // namespace

void close_form(Page& page, const ReadEquations& e, FreshNames& names, Shortening* always,
                Shortening* where_held) {
  if (e.Q.size() <= most_velocities) Closing(page, e, names, always, where_held).close();
}

}  // namespace vinculum::derive
