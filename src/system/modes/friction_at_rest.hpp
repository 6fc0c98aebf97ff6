// Which of several pairs at rest begin to slide, and where to: they may hold and push each other.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace vinculum {

/// Frictions c of pairs at rest, each along directions in which it can slide, and the accelerations
/// a = a0 + W c they leave. W is symmetric and has no negative direction.
struct FrictionsAtRest {
  Eigen::VectorXd a0;
  Eigen::MatrixXd W;
  std::vector<int> start;  // start[k] .. start[k+1]: the entries of pair k
  std::vector<double> limit;
  std::vector<char> driven;  // rows move it: the last of its directions is where to, and W has nothing there
  int count() const { return static_cast<int>(limit.size()); }
};

/// The frictions that Coulomb's law asks for: |c_k| <= limit_k where a_k = 0, else c_k = -limit_k a_k/|a_k|.
/// One that is driven slides, however large its limit.
/// They make half of (q'' - a)^T M (q'' - a) plus the sum of limit_k |a_k| least, and a is unique.
Eigen::VectorXd frictions_at_rest(const FrictionsAtRest& at);

}  // namespace vinculum
