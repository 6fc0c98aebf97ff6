#include "motion/run/recorder.hpp"

#include <algorithm>

#include "vinculum/base/text.hpp"

namespace vinculum {

void Recorder::record(double t, const double* y) {
  observer_.record(course_.state_of(t, y), flow_.work_done(y), singularity_, options_.sink, out_);
}

std::optional<double> Recorder::next_due() const {
  if (!options_.instants.empty()) {
    const std::size_t next = next_sample_ - 1;  // the start is recorded
    return next < options_.instants.size() ? std::optional(options_.instants[next]) : std::nullopt;
  }
  if (next_sample_ >= options_.samples) return std::nullopt;
  if (next_sample_ == options_.samples - 1) return options_.until;
  const double part = static_cast<double>(next_sample_) / (options_.samples - 1);
  return course_.t_start + part * (options_.until - course_.t_start);
}

Recorder::Place Recorder::go_to(double t, std::vector<double>& y) {
  if (t == step_.t_new || t == step_.t) {
    const std::vector<double>& end = t == step_.t_new ? step_.y_new : step_.y;
    std::copy(end.begin(), end.end(), y.begin());
    return Place::there;
  }
  if (course_.interpolate()) {
    course_.read_polynomial(t, y.data());
    return !course_.projects() || landing_.project_to_look(t, y.data()) ? Place::there : Place::misses;
  }
  // The polynomial needs f where there is none: a step of its own.
  return landing_.step_to(t, y) ? Place::there : Place::nowhere;
}

/// The step at hand, for those who look along the motion.
class Recorder::Looking final : public StepOfMotion {
 public:
  Looking(Recorder& recorder, double end) : recorder_(recorder), y_(recorder.step_.y.size()) {
    from = recorder.step_.t;
    to = end;
  }
  Look at(double t, bool with_outputs) override {
    recorder_.course_.use_modes_of(t);
    Look look;
    look.there = recorder_.go_to(t, y_) == Place::there;
    const State& state = recorder_.course_.state_of(t, y_.data());
    look.q = state.q;
    look.v = state.v;
    if (!with_outputs) return look;
    look.outputs = recorder_.observer_.outputs_at(state, recorder_.singularity_);
    look.energy = energy(recorder_.course_.system, state, recorder_.course_.work);
    return look;
  }

 private:
  Recorder& recorder_;
  std::vector<double> y_;
};

void Recorder::record_until(double t, bool inclusive) {
  if (options_.along) {
    Looking step(*this, t);
    options_.along(step);
    course_.use_modes_of(t);
  }
  record_due(t, inclusive);
}

void Recorder::record_due(double t, bool inclusive) {
  if (options_.instants.empty() && options_.samples == 0) {
    if (inclusive) record(t, step_.y_new.data());
    return;
  }
  if (options_.instants.empty() && options_.samples == 1) {
    if (t == options_.until) record(t, step_.y_new.data());
    return;
  }
  while (const std::optional<double> next = next_due()) {
    const double due = *next;
    if (course_.direction * (due - t) > 0) return;
    const Place place = go_to(due, between_);
    if (place == Place::misses) {
      course_.word_refusal();
      out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                           " misses its constraints: " + step_.refusal.text);
    }
    if (place == Place::nowhere)
      out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                           " could not be computed and is left out");
    else
      record(due, between_.data());
    ++next_sample_;
  }
}

void Recorder::begin() {
  if (options_.samples != 1 || !options_.instants.empty() || step_.t == options_.until)
    record(step_.t, step_.y.data());
  next_sample_ = 1;
}

void Recorder::end() {
  if (course_.records_last && (out_.empty() || out_.times().back() != step_.t))
    record(step_.t, step_.y.data());
}

}  // namespace vinculum
