#include "motion/run/recorder.hpp"

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

void Recorder::record_until(double t, bool inclusive) {
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
    if (due == step_.t_new) {
      record(due, step_.y_new.data());
    } else if (course_.interpolate()) {
      course_.read_polynomial(due, between_.data());
      if (course_.projects() && !landing_.project(due, between_.data())) {
        course_.word_refusal();
        out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                             " misses its constraints: " + step_.refusal.text);
      }
      record(due, between_.data());
    } else if (landing_.step_to(due,
                                between_)) {  // the polynomial needs f where there is none: a step of its own
      record(due, between_.data());
    } else {
      out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                           " could not be computed and is left out");
    }
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
