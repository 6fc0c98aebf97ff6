// Largest and smallest values and means of curves along a motion.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <vector>

namespace vinculum {

/// Several curves, seen step by step. `look(t, values)` tells all of them at a time inside the step.
class Survey {
 public:
  using Look = std::function<void(double t, std::vector<double>& values)>;

  struct Curve {
    double max = -std::numeric_limits<double>::infinity(), min = std::numeric_limits<double>::infinity();
    double integral = 0.0;
    bool finite = true;  ///< it was a number wherever it was looked at
  };

  /// `peaks` of a curve says whether its extremes are wanted to more than its quadrature needs.
  void begin(std::vector<char> peaks);
  void step(double from, double to, const Look& look);
  const std::vector<Curve>& curves() const { return curves_; }
  double length() const { return length_; }

  static constexpr int nodes = 7;

 private:
  using Values = std::array<std::vector<double>, nodes>;
  void piece(double from, double to, Values& at, int depth, const Look& look);
  bool is_told(double from, double to, const Values& at, const Look& look);
  void take(double from, double to, const Values& at, const Look& look);
  void find_peaks(std::size_t k, double from, double to, const Values& at, const Look& look, double sign);

  std::vector<Curve> curves_;
  std::vector<char> peaks_;
  double length_ = 0.0;
  int halvings_left_ = 0;
  std::vector<double> now_;
};

}  // namespace vinculum
