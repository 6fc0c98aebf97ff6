#include "motion/run/curve.hpp"

#include <algorithm>
#include <numeric>

namespace vinculum {

StepCurve::StepCurve(int coordinates, int velocities) {
  all_.coordinates.resize(coordinates);
  all_.velocities.resize(velocities);
  std::iota(all_.coordinates.begin(), all_.coordinates.end(), 0);
  std::iota(all_.velocities.begin(), all_.velocities.end(), 0);
  state_.q.resize(coordinates);
  state_.v.resize(velocities);
}

void StepCurve::lay(const StepPolynomial& polynomial, double t_end, const double* y_end) {
  polynomial_ = &polynomial;
  t_ = polynomial.t;
  t_end_ = t_end;
  y_end_ = y_end;
  gap_.resize(polynomial.size);
  polynomial.at((t_end - polynomial.t) / polynomial.h, gap_.data());
  for (int i = 0; i < polynomial.size; ++i) gap_[i] = y_end[i] - gap_[i];
}

const State& StepCurve::at(double theta, const StatePlaces& places) {
  const int nq = static_cast<int>(state_.q.size());
  const double part = theta * (t_end_ - t_) / polynomial_->h;
  const auto read = [&](int i) {
    return theta == 1 ? y_end_[i] : polynomial_->at(part, i) + theta * gap_[i];
  };
  state_.t = time(theta);
  for (const int i : places.coordinates) state_.q[i] = read(i);
  for (const int i : places.velocities) state_.v[i] = read(nq + i);
  return state_;
}

void StepCurve::at(double theta, double* y) const {
  polynomial_->at(theta * (t_end_ - t_) / polynomial_->h, y);
  for (int i = 0; i < polynomial_->size; ++i) y[i] += theta * gap_[i];
}

void cubic_of(double t, double h, std::span<const double> y, const double* f, const double* y_new,
              const double* f_new, StepPolynomial& out) {
  const std::size_t size = y.size();
  out.t = t;
  out.h = h;
  out.size = static_cast<int>(size);
  out.node.assign({0.0, 0.0, 1.0});
  out.coefficient.resize(4 * size);
  double* const c = out.coefficient.data();
  for (std::size_t i = 0; i < size; ++i) {
    const double change = y_new[i] - y[i];
    c[i] = y[i];
    c[size + i] = h * f[i];
    c[2 * size + i] = change - h * f[i];
    c[3 * size + i] = h * (f[i] + f_new[i]) - 2 * change;
  }
}

}  // namespace vinculum
