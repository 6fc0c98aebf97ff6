// The built-in examples: each states a model, and says why it is worth a look.
#pragma once
#include <span>
#include <string_view>

#include "vinculum/model/model.hpp"

namespace vinculum::examples {

Model spherical_pendulum();
Model kepler();
Model kepler_first_law();
Model moving_plane();
Model pendulum();
Model pendulum_thrice();
Model flat_four_bar();
Model spinning_top();
Model swinging_four_bar();

struct Example {
  std::string_view name;
  std::string_view why;
  Model (*model)();
};
std::span<const Example> gallery();

}  // namespace vinculum::examples
