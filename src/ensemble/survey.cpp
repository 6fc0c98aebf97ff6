#include "ensemble/survey.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// The points of the seven-point rule that contains Lobatto's of four points (Gander and Gautschi, BIT 40
// (2000) 84-101), on [-1, 1]; exact up to degree 9.
const double inner = std::sqrt(2.0 / 3.0), near = std::sqrt(0.2);
const std::array<double, Survey::nodes> places{-1, -inner, -near, 0, near, inner, 1};
constexpr std::array<double, Survey::nodes> shares{11.0 / 210,  72.0 / 245, 125.0 / 294, 16.0 / 35,
                                                   125.0 / 294, 72.0 / 245, 11.0 / 210};

/// How a curve through the points weighs their values at a place between.
std::array<double, Survey::nodes> weights_at(double place) {
  std::array<double, Survey::nodes> w{};
  for (int i = 0; i < Survey::nodes; ++i) {
    w[i] = 1;
    for (int k = 0; k < Survey::nodes; ++k)
      if (k != i) w[i] *= (place - places[k]) / (places[i] - places[k]);
  }
  return w;
}

constexpr int grid = 48;  // places at which the polynomial is looked at for peaks
const auto grid_weights = [] {
  std::array<std::array<double, Survey::nodes>, grid + 1> all{};
  for (int g = 0; g <= grid; ++g) all[g] = weights_at(-1 + 2.0 * g / grid);
  return all;
}();
/// A hair inside either end: whether the polynomial rises into the piece there.
constexpr double hair = 2e-5;
const std::array<std::array<double, Survey::nodes>, 2> hair_weights{weights_at(-1 + hair),
                                                                    weights_at(1 - hair)};
/// Between the points, where a polynomial that misses the curve misses it.
constexpr std::array<double, 2> probes{-0.93, 0.64};
const std::array<std::array<double, Survey::nodes>, 2> probe_weights{weights_at(probes[0]),
                                                                     weights_at(probes[1])};

double sum(const std::array<double, Survey::nodes>& weights, const auto& values, std::size_t k) {
  double all = 0;
  for (int i = 0; i < Survey::nodes; ++i) all += weights[i] * values[i][k];
  return all;
}

double between(double from, double to, double place) {
  return place == -1 ? from : place == 1 ? to : 0.5 * (from + to) + 0.5 * (to - from) * place;
}

/// The largest value of f between a and b: by parabolas where these do, else by the golden section (Brent,
/// Algorithms for Minimization without Derivatives, 1973).
template <class F>
double peak(double a, double b, F f) {
  constexpr double golden = 0.3819660112501051;
  constexpr int most = 60;
  const double tolerance = 1e-8 * std::fabs(b - a) + 4 * eps * std::max(std::fabs(a), std::fabs(b));
  if (a > b) std::swap(a, b);
  double x = a + golden * (b - a), w = x, v = x, fx = f(x), fw = fx, fv = fx, step = 0, before = 0;
  for (int k = 0; k < most && std::fabs(x - 0.5 * (a + b)) > 2 * tolerance - 0.5 * (b - a); ++k) {
    const double r = (x - w) * (fx - fv), q0 = (x - v) * (fx - fw);
    double p = (x - v) * q0 - (x - w) * r, q = 2 * (q0 - r);
    if (q > 0) p = -p;
    q = std::fabs(q);
    const double last = std::exchange(before, step);
    const bool by_parabola = std::fabs(p) < std::fabs(0.5 * q * last) && p > q * (a - x) && p < q * (b - x);
    if (by_parabola) {
      step = p / q;
    } else {
      before = x < 0.5 * (a + b) ? b - x : a - x;
      step = golden * before;
    }
    const double u = std::fabs(step) >= tolerance ? x + step : x + std::copysign(tolerance, step);
    const double fu = f(u);
    if (fu >= fx) {
      (u < x ? b : a) = x;
      v = std::exchange(w, std::exchange(x, u));
      fv = std::exchange(fw, std::exchange(fx, fu));
    } else {
      (u < x ? a : b) = u;
      if (fu >= fw || w == x) {
        v = std::exchange(w, u);
        fv = std::exchange(fw, fu);
      } else if (fu >= fv || v == x || v == w) {
        v = u;
        fv = fu;
      }
    }
  }
  return fx;
}

constexpr int deepest = 20;        // halvings of one place in a step
constexpr int most_halvings = 60;  // of one step: what is rough all over is not worth more
constexpr double told = 1e-6;      // a curve is known between the points to so much of its range

}  // namespace

void Survey::begin(std::vector<char> peaks) {
  peaks_ = std::move(peaks);
  curves_.assign(peaks_.size(), {});
  length_ = 0;
}

void Survey::step(double from, double to, const Look& look) {
  Values at;
  for (int i = 0; i < nodes; ++i) look(between(from, to, places[i]), at[i]);
  halvings_left_ = most_halvings;
  piece(from, to, at, 0, look);
  length_ += std::fabs(to - from);
}

void Survey::piece(double from, double to, Values& at, int depth, const Look& look) {
  for (std::size_t k = 0; k < curves_.size(); ++k)
    for (int i = 0; i < nodes; ++i) {
      curves_[k].finite = curves_[k].finite && std::isfinite(at[i][k]);
      curves_[k].max = std::max(curves_[k].max, at[i][k]);
      curves_[k].min = std::min(curves_[k].min, at[i][k]);
    }
  if (depth == deepest || halvings_left_ == 0 || is_told(from, to, at, look)) return take(from, to, at, look);
  --halvings_left_;
  const double middle = between(from, to, 0);
  for (const bool first : {true, false}) {
    const double a = first ? from : middle, b = first ? middle : to;
    Values half;
    half[0] = at[first ? 0 : 3];
    half[nodes - 1] = at[first ? 3 : nodes - 1];
    for (int i = 1; i < nodes - 1; ++i) look(between(a, b, places[i]), half[i]);
    piece(a, b, half, depth + 1, look);
  }
}

/// Whether the polynomial through the points is the curve, as far as its probes say.
bool Survey::is_told(double from, double to, const Values& at, const Look& look) {
  for (std::size_t p = 0; p < probes.size(); ++p) {
    look(between(from, to, probes[p]), now_);
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      const Curve& c = curves_[k];
      const double rounding = 1e-11 * std::max(std::fabs(c.max), std::fabs(c.min));
      const double miss = std::fabs(sum(probe_weights[p], at, k) - now_[k]);
      if (c.finite && miss > told * (c.max - c.min) + rounding) return false;
    }
  }
  return true;
}

void Survey::take(double from, double to, const Values& at, const Look& look) {
  for (std::size_t k = 0; k < curves_.size(); ++k) {
    double integral = 0;
    for (int i = 0; i < nodes; ++i) integral += shares[i] * at[i][k];
    curves_[k].integral += integral * 0.5 * std::fabs(to - from);
    if (!peaks_[k] || !curves_[k].finite) continue;
    find_peaks(k, from, to, at, look, 1);
    find_peaks(k, from, to, at, look, -1);
  }
}

/// Peaks of the polynomial that may be higher than all so far are looked for on the curve itself.
void Survey::find_peaks(std::size_t k, double from, double to, const Values& at, const Look& look,
                        double sign) {
  Curve& c = curves_[k];
  double low = at[0][k], high = low;
  for (const std::vector<double>& values : at)
    low = std::min(low, values[k]), high = std::max(high, values[k]);
  const double range = high - low;
  if (range <= 64 * eps * std::max(std::fabs(low), std::fabs(high))) return;
  std::array<double, grid + 1> p;
  for (int g = 0; g <= grid; ++g) p[g] = sign * sum(grid_weights[g], at, k);
  double& best = sign > 0 ? c.max : c.min;
  for (int g = 0; g <= grid; ++g) {
    const double before = g > 0 ? p[g - 1] : p[0], behind = g < grid ? p[g + 1] : p[grid];
    bool may_be = p[g] >= before && p[g] >= behind && p[g] + 0.05 * range > sign * best;
    if (g == 0) may_be = may_be && sign * sum(hair_weights[0], at, k) > p[0];
    if (g == grid) may_be = may_be && sign * sum(hair_weights[1], at, k) > p[grid];
    if (!may_be) continue;
    const auto place = [&](int at_grid) {
      return between(from, to, -1 + 2.0 * std::clamp(at_grid, 0, grid) / grid);
    };
    const double found = peak(place(g - 2), place(g + 2), [&](double t) {
      look(t, now_);
      return std::isfinite(now_[k]) ? sign * now_[k] : -std::numeric_limits<double>::infinity();
    });
    best = sign * std::max(sign * best, found);
  }
}

}  // namespace vinculum
