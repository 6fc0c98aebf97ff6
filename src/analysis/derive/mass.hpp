// The mass matrix of a closed form.
#pragma once
#include <algorithm>
#include <vector>

#include "analysis/derive/page.hpp"

namespace vinculum::derive {

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
      if (is_massless(i)) continue;
      if (partner_[i] >= 0 && partner_[partner_[i]] != static_cast<int>(i)) simple_ = false;
      singular_pair_ = singular_pair_ || (simple_ && denominator(i).is_zero());
    }
    simple_ = simple_ && !singular_pair_;
  }
  bool is_singular_pair() const { return singular_pair_; }  ///< m1 m2 = m12^2: no inverse
  /// Apart from velocities without mass.
  bool is_simple() const { return simple_; }
  bool is_massless(std::size_t i) const { return diagonal_[i].is_zero() && partner_[i] < 0; }
  /// What M^-1 is divided by at i: a mass, or the determinant of a pair.
  Product denominator(std::size_t i) const {
    if (partner_[i] < 0) return diagonal_[i];
    const int j = static_cast<int>(i), first = std::min(j, partner_[i]), second = std::max(j, partner_[i]);
    return tidy_.sum({Tidy::times(diagonal_[first], diagonal_[second]),
                      Tidy::negative(Tidy::times(beside_[i], beside_[i]))});
  }

  /// M^-1 x; 0 where there is no mass.
  Products solve(const Products& x) const {
    Products y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (is_massless(i)) continue;
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
  bool simple_ = true, singular_pair_ = false;
};

}  // namespace vinculum::derive
