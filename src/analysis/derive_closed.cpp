// One or two rows in closed form:  q'' = a + M^-1 A^T (A M^-1 A^T)^-1 (b - A a), written out.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/derive_page.hpp"

namespace vinculum::derive {
namespace {

constexpr std::size_t most_velocities = 24;
constexpr std::size_t most_brief_factors = 2;
constexpr std::size_t most_factors_written_out = 6;
using Products = std::vector<Product>;

/// M as blocks of coupled velocities, each of one or two: then its inverse is short.
class Mass {
 public:
  Mass(Tidy& tidy, const ReadEquations& e) : tidy_(tidy), partner_(e.Q.size(), -1) {
    diagonal_.resize(partner_.size());
    beside_.resize(partner_.size());
    for (const auto& [row, column, value] : e.M) {
      if (value.is_zero()) continue;
      if (row == column) {
        diagonal_[row] = value;
      } else if (partner_[row] < 0) {
        partner_[row] = column;
        beside_[row] = value;
      } else {
        simple_ = false;
      }
    }
    for (std::size_t i = 0; simple_ && i < partner_.size(); ++i) {
      if (diagonal_[i].is_zero()) simple_ = false;
      if (partner_[i] >= 0 && partner_[partner_[i]] != static_cast<int>(i)) simple_ = false;
      if (simple_ && denominator(i).is_zero()) simple_ = false;
    }
  }
  bool is_simple() const { return simple_; }
  /// What M^-1 is divided by at i: a mass, or the determinant of a pair.
  Product denominator(std::size_t i) const {
    if (partner_[i] < 0) return diagonal_[i];
    const int j = static_cast<int>(i), first = std::min(j, partner_[i]), second = std::max(j, partner_[i]);
    return tidy_.sum({Tidy::times(diagonal_[first], diagonal_[second]),
                      Tidy::negative(Tidy::times(beside_[i], beside_[i]))});
  }

  /// M^-1 x
  Products solve(const Products& x) const {
    Products y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Product below = denominator(i);
      const int j = partner_[i];
      if (j < 0)
        y[i] = Tidy::over(x[i], below);
      else
        y[i] = Tidy::over(
            tidy_.sum({Tidy::times(diagonal_[j], x[i]), Tidy::negative(Tidy::times(beside_[i], x[j]))}),
            below);
    }
    return y;
  }
  /// M x
  Products times(const Products& x) const {
    Products y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = Tidy::times(diagonal_[i], x[i]);
      if (partner_[i] >= 0) y[i] = tidy_.sum({y[i], Tidy::times(beside_[i], x[partner_[i]])});
    }
    return y;
  }

 private:
  Tidy& tidy_;
  std::vector<int> partner_;
  Products diagonal_, beside_;
  bool simple_ = true;
};

bool same(const Product& a, const Product& b) {
  return a.k == b.k && a.factors.size() == b.factors.size() &&
         std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), [](const auto& x, const auto& y) {
           return x.base.id() == y.base.id() && x.power == y.power;
         });
}

class Closing {
 public:
  Closing(Page& page, const ReadEquations& e, FreshNames& names, Shortening* shortening)
      : page_(page),
        tidy_(*page.tidy),
        names_(names),
        shortening_(shortening),
        mass_(tidy_, e),
        Q_(e.Q),
        C_(e.C),
        b_(e.b) {
    rows_.assign(b_.size(), Products(Q_.size()));
    for (const auto& a : e.A) rows_[a.row][a.column] = a.value;
  }

  void close() {
    ClosedForm& form = page_.closed;
    if (!mass_.is_simple()) return;
    form.free = written(mass_.solve(Q_));
    if (rows_.size() > 2 || (rows_.size() == 2 && !C_.empty())) return;
    if (rows_.size() == 2 && Q_.size() == 2 && !page_.vakonomic)  // which asks for lambda
      form.exists = close_square();
    else
      form.exists = close_rows();
    if (!form.exists) form.steps.clear(), form.rows.clear();
  }

 private:
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
  static bool is_brief(const Product& p, std::size_t most_factors) {
    return p.factors.size() <= most_factors &&
           std::all_of(p.factors.begin(), p.factors.end(),
                       [](const auto& f) { return f.base.is_symbol() && f.power > 0; });
  }
  /// A step with a name; a number or a brief product needs none, unless it is a push, which lines refer to.
  Product step(const std::string& wish, const Product& stated, bool is_push = false) {
    const Product value = shorter(stated);
    if (is_brief(value, is_push ? 0 : most_brief_factors)) return value;
    const Product s = symbol(names_.take(wish));
    page_.closed.steps.push_back({s.factors[0].base, tidy_.write(value)});
    return s;
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

  /// The rows without their common numbers, and b with them.
  void take_out_numbers() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double k = Tidy::common_number(rows_[r]);
      for (Product& p : rows_[r]) p.k /= k;
      b_[r].k /= k;
      page_.closed.rows.push_back({0, k, written(rows_[r])});
    }
  }
  /// What M^-1 is divided by wherever the rows act, if it is the same there: then it stands in front. Else 1.
  Product common_denominator() const {
    Product common;
    for (std::size_t i = 0; i < Q_.size(); ++i) {
      if (std::all_of(rows_.begin(), rows_.end(), [&](const Products& r) { return r[i].is_zero(); }))
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
    take_out_numbers();
    const Product d = common_denominator();
    const Products free = mass_.solve(Q_), free_times_d = scaled(d, free);
    std::vector<Products> turned;
    Products miss;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      turned.push_back(scaled(d, mass_.solve(rows_[r])));
      miss.push_back(tidy_.sum({Tidy::times(d, b_[r]), Tidy::negative(dot(rows_[r], free_times_d))}));
    }
    const Products push = rows_.size() == 1   ? push_of_one(turned[0], miss[0])
                          : rows_.size() == 2 ? push_of_two(turned, miss)
                                              : Products();
    if (push.size() != rows_.size()) return false;
    // F^C = C - h u: h is what the row takes of C.
    Product back;
    if (!C_.empty() && !rows_.empty())
      back = step("h", Tidy::over(dot(rows_[0], scaled(d, mass_.solve(C_))), dot(rows_[0], turned[0])));
    write_motion(free, push, back);
    return true;
  }

  Products push_of_one(const Products& turned, const Product& miss) {
    const Product N = shorter(dot(rows_[0], turned));
    if (N.is_zero()) return {};
    const Product f = step("f", Tidy::over(miss, N), true);
    page_.closed.rows[0].push = tidy_.write(f);
    return {f};
  }

  /// Cramer's rule.
  Products push_of_two(const std::vector<Products>& turned, const Products& miss) {
    const Product s11 = dot(rows_[0], turned[0]), s12 = dot(rows_[0], turned[1]),
                  s22 = dot(rows_[1], turned[1]);
    if (tidy_.sum({Tidy::times(s11, s22), Tidy::negative(Tidy::times(s12, s12))}).is_zero()) return {};
    const Product S11 = step("S11", s11), S12 = step("S12", s12), S22 = step("S22", s22);
    const Product D = step("D", tidy_.sum({Tidy::times(S11, S22), Tidy::negative(Tidy::times(S12, S12))}));
    if (D.is_zero()) return {};
    const Product e1 = step("e1", miss[0]), e2 = step("e2", miss[1]);
    const auto cramer = [&](const Product& s, const Product& e, const Product& t, const Product& g) {
      return Tidy::over(tidy_.sum({Tidy::times(s, e), Tidy::negative(Tidy::times(t, g))}), D);
    };
    const Products push{step("f1", cramer(S22, e1, S12, e2), true),
                        step("f2", cramer(S11, e2, S12, e1), true)};
    for (int r = 0; r < 2; ++r) page_.closed.rows[r].push = tidy_.write(push[r]);
    return push;
  }

  void write_motion(const Products& free, const Products& push, const Product& back) {
    Products force(Q_.size()), total(Q_.size()), nonideal = C_;
    for (std::size_t i = 0; i < Q_.size(); ++i) {
      Products terms;
      for (std::size_t r = 0; r < push.size(); ++r) terms.push_back(Tidy::times(push[r], rows_[r][i]));
      force[i] = tidy_.sum(terms);
      if (!C_.empty() && !rows_.empty())
        nonideal[i] = tidy_.sum({C_[i], Tidy::negative(Tidy::times(back, rows_[0][i]))});
      total[i] = C_.empty() ? force[i] : tidy_.sum({force[i], nonideal[i]});
    }
    const Products change = mass_.solve(total);
    Products motion;
    for (std::size_t i = 0; i < Q_.size(); ++i) motion.push_back(tidy_.sum({free[i], change[i]}));
    page_.closed.acceleration = written(shorter(motion));
    page_.closed.force = written(shorter(force));
    page_.closed.nonideal = written(shorter(nonideal));
  }

  /// Two rows, two velocities: the rows alone say what q'' is, and the force is what that takes.
  bool close_square() {
    page_.closed.square = true;
    const auto& [a, b] = std::pair(rows_[0], rows_[1]);
    const Product determinant = tidy_.sum({Tidy::times(a[0], b[1]), Tidy::negative(Tidy::times(a[1], b[0]))});
    if (determinant.is_zero()) return false;
    const Product D = step("D", determinant);
    if (D.is_zero()) return false;
    const auto cramer = [&](const Product& s, const Product& t, const Product& v, const Product& w) {
      return Tidy::over(tidy_.sum({Tidy::times(s, t), Tidy::negative(Tidy::times(v, w))}), D);
    };
    const Products motion =
        shorter(Products{cramer(b[1], b_[0], a[1], b_[1]), cramer(a[0], b_[1], b[0], b_[0])});
    page_.closed.acceleration = written(motion);
    // A short acceleration is written out in the force: (34) of the 1996 paper says it is Newton's.
    const bool brief = std::all_of(motion.begin(), motion.end(), [this](const Product& p) {
      return p.factors.size() <= most_factors_written_out &&
             std::none_of(p.factors.begin(), p.factors.end(),
                          [this](const auto& f) { return tidy_.terms_of(f.base) != nullptr; });
    });
    Products force = mass_.times(brief ? motion : with_symbols_of_accelerations());
    for (std::size_t i = 0; i < 2; ++i) force[i] = tidy_.sum({force[i], Tidy::negative(Q_[i])});
    page_.closed.force = written(shorter(force));
    return true;
  }

  Page& page_;
  Tidy& tidy_;
  FreshNames& names_;
  Shortening* shortening_;
  Mass mass_;
  Products Q_, C_, b_;
  std::vector<Products> rows_;
};

}  // namespace

void close_form(Page& page, const ReadEquations& e, FreshNames& names, Shortening* shortening) {
  if (e.Q.size() <= most_velocities) Closing(page, e, names, shortening).close();
}

}  // namespace vinculum::derive
