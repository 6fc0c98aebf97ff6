// Which of several pairs at rest begin to slide, and where to: they may hold and push each other.
#pragma once
#include <Eigen/Core>
#include <span>

namespace vinculum {

/// Up to this many velocities of pairs are decided on the stack; others by Eigen::Dynamic.
constexpr int few_at_rest = 12;
template <int most>
using VectorAtRest = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
template <int most>
using MatrixAtRest = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;

/// Frictions c of pairs at rest, each along directions in which it can slide, and the accelerations
/// a = a0 + W c they leave. W is symmetric and has no negative direction.
template <int most>
struct FrictionsAtRest {
  VectorAtRest<most> a0;
  MatrixAtRest<most> W;
  std::span<const int> start;  // start[k] .. start[k+1]: the entries of pair k
  std::span<const double> limit;
  std::span<const char>
      driven;  // rows move it: the last of its directions is where to, and W has nothing there
  int count() const { return static_cast<int>(limit.size()); }
};

/// The frictions that Coulomb's law asks for: |c_k| <= limit_k where a_k = 0, else c_k = -limit_k a_k/|a_k|.
/// One that is driven slides, however large its limit.
/// They make half of (q'' - a)^T M (q'' - a) plus the sum of limit_k |a_k| least, and a is unique.
template <int most>
VectorAtRest<most> frictions_at_rest(const FrictionsAtRest<most>& at);

}  // namespace vinculum
