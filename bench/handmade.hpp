// What a competent user writes in an afternoon: rows by hand, sparse LDL^T of A M^-1 A^T by Eigen, pattern
// analysed once.
#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

#include "particles.hpp"

namespace vinculum::bench {

class Handmade {
 public:
  explicit Handmade(const RodNet& net) {
    std::vector<int> at(net.place.size(), -1);
    for (std::size_t i = 0; i < net.place.size(); ++i)
      if (!net.fixed[i]) {
        at[i] = static_cast<int>(q.size());
        q.insert(q.end(), net.place[i].begin(), net.place[i].end());
        const auto u = net.velocity(i);
        v.insert(v.end(), u.begin(), u.end());
      }
    for (auto [a, b] : net.rods) {
      if (at[a] < 0) std::swap(a, b);
      if (at[a] < 0) continue;
      rods_.push_back({at[a], at[b], net.place[b]});
      for (int k = 0; k < 3; ++k) column_.push_back(at[a] + k);
      if (at[b] >= 0)
        for (int k = 0; k < 3; ++k) column_.push_back(at[b] + k);
      start_.push_back(static_cast<int>(column_.size()));
    }
    value_.resize(column_.size());
    build_schur();
    rhs_.resize(rods_.size());
    acceleration.resize(q.size());
  }

  /// q'' = a + A^T (A A^T)^-1 (b - A a) with unit masses. False when the factorisation fails.
  bool accelerate() {
    fill_rows();
    double* s = schur_.valuePtr();
    std::fill(s, s + schur_.nonZeros(), 0.0);
    for (const Term& t : terms_) s[t.target] += value_[t.a] * value_[t.b];
    for (std::size_t i = 0; i < q.size(); ++i) acceleration[i] = i % 3 == 1 ? -gravity : 0.0;
    for (std::size_t r = 0; r < rods_.size(); ++r)
      for (int k = start_[r]; k < start_[r + 1]; ++k) rhs_[r] -= value_[k] * acceleration[column_[k]];
    ldlt_.factorize(schur_);
    if (ldlt_.info() != Eigen::Success) return false;
    lambda_ = ldlt_.solve(rhs_);
    for (std::size_t r = 0; r < rods_.size(); ++r)
      for (int k = start_[r]; k < start_[r + 1]; ++k) acceleration[column_[k]] += value_[k] * lambda_[r];
    return true;
  }

  std::vector<double> q, v, acceleration;

 private:
  struct Rod {
    int a, b;  // first coordinates; b < 0: a fixed point
    std::array<double, 3> point;
  };
  struct Term {
    int target, a, b;
  };

  void fill_rows() {
    int w = 0;
    for (std::size_t r = 0; r < rods_.size(); ++r) {
      const Rod& rod = rods_[r];
      double speed2 = 0, d[3];
      for (int k = 0; k < 3; ++k) {
        d[k] = q[rod.a + k] - (rod.b >= 0 ? q[rod.b + k] : rod.point[k]);
        const double u = v[rod.a + k] - (rod.b >= 0 ? v[rod.b + k] : 0.0);
        speed2 += u * u;
      }
      for (int k = 0; k < 3; ++k) value_[w++] = d[k];
      if (rod.b >= 0)
        for (int k = 0; k < 3; ++k) value_[w++] = -d[k];
      rhs_[r] = -speed2;
    }
  }

  void build_schur() {
    std::vector<std::vector<std::pair<int, int>>> by_column(q.size());
    for (std::size_t r = 0; r < rods_.size(); ++r)
      for (int k = start_[r]; k < start_[r + 1]; ++k)
        by_column[column_[k]].push_back({static_cast<int>(r), k});
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& list : by_column)
      for (const auto& x : list)
        for (const auto& y : list)
          if (x.first >= y.first) entries.emplace_back(x.first, y.first, 1.0);
    schur_.resize(static_cast<int>(rods_.size()), static_cast<int>(rods_.size()));
    schur_.setFromTriplets(entries.begin(), entries.end());
    for (const auto& list : by_column)
      for (const auto& x : list)
        for (const auto& y : list) {
          if (x.first < y.first) continue;
          const int* first = schur_.innerIndexPtr() + schur_.outerIndexPtr()[y.first];
          const int* last = schur_.innerIndexPtr() + schur_.outerIndexPtr()[y.first + 1];
          terms_.push_back({static_cast<int>(std::lower_bound(first, last, x.first) - schur_.innerIndexPtr()),
                            x.second, y.second});
        }
    ldlt_.analyzePattern(schur_);
  }

  std::vector<Rod> rods_;
  std::vector<int> start_{0}, column_;
  std::vector<double> value_;
  std::vector<Term> terms_;
  Eigen::SparseMatrix<double> schur_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
  Eigen::VectorXd rhs_, lambda_;
};

}  // namespace vinculum::bench
