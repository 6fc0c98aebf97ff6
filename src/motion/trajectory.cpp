#include "vinculum/motion/trajectory.hpp"

#include <algorithm>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

// The parts of a sample in its row of data.
enum WorkColumn {
  q,
  v,
  acceleration,
  constraint_force,
  nonideal_force,
  multipliers,
  outputs,
  residual,
  control_force,  // nothing where there are no programmes
  energy,
  work,
  end
};

}  // namespace

std::string_view stop_name(Stop stop) {
  switch (stop) {
    case Stop::end:
      return "done";
    case Stop::event:
      return "event";
    case Stop::start:
      return "start";
    case Stop::step_too_small:
      return "step";
    case Stop::not_finite:
      return "not_finite";
    case Stop::contradicting:
      return "contradiction";
    case Stop::singular:
      return "singular";
    case Stop::step_limit:
      return "step_limit";
    case Stop::cancelled:
      return "cancelled";
  }
  return "unknown";
}

void Waypoints::pass(double t, std::span<const double> q) {
  constexpr std::size_t most_numbers = 1'000'000, fewest = 8, enough = 400;  // even: they are halved
  if (most_ == 0) {
    width_ = q.size();
    most_ = std::clamp(most_numbers / std::max<std::size_t>(width_, 1), fewest, enough) / 2 * 2;
    times_.reserve(most_);
    data_.reserve(most_ * width_);
  }
  if (passed_++ % stride_ != 0) return;
  if (times_.size() == most_) {
    for (std::size_t i = 1; 2 * i < most_; ++i) {
      times_[i] = times_[2 * i];
      std::copy_n(data_.begin() + 2 * i * width_, width_, data_.begin() + i * width_);
    }
    times_.resize(most_ / 2);
    data_.resize(most_ / 2 * width_);
    stride_ *= 2;  // this place is a multiple of it, too
  }
  times_.push_back(t);
  data_.insert(data_.end(), q.begin(), q.end());
}

Trajectory::Trajectory() : offset_(end + 1, 0) {}

Trajectory::Trajectory(const System& system) {
  const int nq = static_cast<int>(system.coordinate_names().size());
  const int nv = static_cast<int>(system.velocity_names().size());
  const int m = static_cast<int>(system.row_names().size());
  const auto& constraints = system.constraints();
  const bool driven =
      std::any_of(constraints.begin(), constraints.end(), [](const ConstraintInfo& c) { return c.servo; });
  const int sizes[end] = {nq,
                          nv,
                          nv,
                          nv,
                          nv,
                          m,
                          static_cast<int>(system.output_names().size()),
                          static_cast<int>(constraints.size()),
                          driven ? nv : 0,
                          1,
                          5};
  offset_.push_back(0);
  for (const int size : sizes) offset_.push_back(offset_.back() + size);
  worst.resize(system.constraints().size());
}

Sample Trajectory::operator[](int i) const {
  if (i < 0 || i >= size())
    fail("the motion has " + std::to_string(size()) + " recorded instants; number " + std::to_string(i) +
         " was asked for" + (reason.empty() ? "" : " (it ended: " + reason + ")"));
  const double* row = data_.data() + static_cast<std::ptrdiff_t>(i) * offset_[end];
  const auto part = [&](WorkColumn p) {
    return std::span<const double>(row + offset_[p], static_cast<std::size_t>(offset_[p + 1] - offset_[p]));
  };
  Sample s;
  s.t = times_[i];
  s.q = part(q);
  s.v = part(v);
  s.acceleration = part(acceleration);
  s.constraint_force = part(constraint_force);
  s.nonideal_force = part(nonideal_force);
  s.multipliers = part(multipliers);
  s.outputs = part(outputs);
  s.residual = part(residual);
  s.control_force = part(control_force);
  s.energy = row[offset_[energy]];
  const auto w = part(WorkColumn::work);
  s.work = {w[0], w[1], w[2], w[3], w[4]};
  s.rank = rank_[i];
  return s;
}

State Trajectory::state(int i) const {
  const Sample s = (*this)[i];
  return {s.t, {s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}};
}

void Trajectory::keep_at_most(int samples) { most_ = std::max(2, samples); }

void Trajectory::drop_last() {
  times_.pop_back();
  rank_.pop_back();
  data_.resize(data_.size() - static_cast<std::size_t>(offset_[end]));
}

void Trajectory::drop_every_second() {
  const int width = offset_[end];
  const int half = (size() + 1) / 2;
  for (int i = 1; i < half; ++i) {
    times_[i] = times_[2 * i];
    rank_[i] = rank_[2 * i];
    std::copy_n(data_.begin() + static_cast<std::ptrdiff_t>(2 * i) * width, width,
                data_.begin() + static_cast<std::ptrdiff_t>(i) * width);
  }
  times_.resize(half);
  rank_.resize(half);
  data_.resize(static_cast<std::size_t>(half) * width);
  every_ *= 2;
}

void Trajectory::append(const Sample& s) {
  if (most_ > 0) {
    if (recorded_ > 0 && (recorded_ - 1) % every_ != 0) drop_last();  // it was there as the last one only
    if (size() == most_) drop_every_second();
  }
  ++recorded_;
  times_.push_back(s.t);
  rank_.push_back(s.rank);
  for (const auto part : {s.q, s.v, s.acceleration, s.constraint_force, s.nonideal_force, s.multipliers,
                          s.outputs, s.residual, s.control_force})
    data_.insert(data_.end(), part.begin(), part.end());
  data_.push_back(s.energy);
  for (const double w :
       {s.work.impressed, s.work.constraint, s.work.nonideal, s.work.explicit_time, s.work.control})
    data_.push_back(w);
}

void Trajectory::reserve(int samples) {
  times_.reserve(samples);
  rank_.reserve(samples);
  data_.reserve(static_cast<std::size_t>(samples) * offset_[end]);
}

}  // namespace vinculum
