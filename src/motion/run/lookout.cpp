#include "motion/run/lookout.hpp"

#include <algorithm>
#include <functional>

#include "system/system_impl.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {

void Lookout::look_at_shares() {
  const int rank = singularity_.watching() ? singularity_.rank() : 0;
  if (rank == rank_of_shares_) return;
  rank_of_shares_ = rank;
  std::vector<NormDependence>& dependences = course_.remarks.dependences;
  std::vector<std::string>& pressing = course_.remarks.pressing;
  const State& state = course_.state_at_start();
  for (NormDependence& found : norm_dependences(system_, state)) {
    const auto same = [&](const NormDependence& known) { return known.law == found.law; };
    if (std::none_of(dependences.begin(), dependences.end(), same)) dependences.push_back(std::move(found));
  }
  if (system_.frictions().empty()) return;
  const std::vector<FrictionState>& found = course_.evaluate_at(state).found.frictions;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string text = friction_text(system_, system_.frictions()[k], found[k]);
    if (!text.empty() && std::find(pressing.begin(), pressing.end(), text) == pressing.end())
      pressing.push_back(text);
  }
}

/// A long step may turn rows around and back: its parts are looked at as steps are, on the cubic through both
/// ends.
void Lookout::look_inside(int parts) {
  const double h = step_.t_new - step_.t;
  for (int k = 1; k < parts; ++k) {
    const double x = static_cast<double>(k) / parts, z = 1 - x;
    for (std::size_t i = 0; i < step_.y.size(); ++i)
      between_[i] = step_.y[i] + x * x * (3 - 2 * x) * (step_.y_new[i] - step_.y[i]) +
                    h * x * z * (z * step_.f[i] - x * step_.f_new[i]);
    // Rows that depend on each other where the constraints hold need not do so beside it.
    if (course_.projects() && !landing_.project(step_.t + x * h, between_.data())) continue;
    singularity_.look(course_.evaluate_at(course_.state_of(step_.t + x * h, between_.data())),
                      step_.t + x * h);
    find_rank_changes();
  }
}

void Lookout::find_rank_changes() {
  singularity_.find(
      [this](double t) -> const Equations& { return course_.evaluate_at(course_.state_between(t)); },
      out_.rank_changes);
}

void Lookout::weigh(const Equations& at) {
  sizes_.weigh(at);
  modes_.add_forces(course_.state(), sizes_);
}

void Lookout::look_around() {
  // Masses change slowly: without rows they alone are looked at, and only now and then.
  constexpr long now_and_then = 16;
  const bool weighs =
      !system_.impl().sliding.empty() || (!system_.mass_constant() && out_.steps % now_and_then == 0);
  if (!singularity_.watching() && !weighs) return;
  const Equations& at = course_.evaluate_at(course_.state_at_end());
  weigh(at);
  if (!singularity_.watching()) return;
  if (const int parts = singularity_.look_unless_far(at, step_.t_new); parts > 1) {
    look_inside(parts);
    course_.evaluate_at(course_.state_at_end());  // `at` is the new state again
    singularity_.look(at, step_.t_new);
  }
  observer_.watch_accelerations(at, std::span(step_.f_new).subspan(flow_.coordinates(), flow_.velocities()),
                                out_);
}

}  // namespace vinculum
