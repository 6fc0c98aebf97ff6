// The problems as a user of the library states them.
#pragma once
#include "vinculum/model/model.hpp"

namespace vinculum::precision {

Model pendulum_model();
Model loop_model();
Model squeezer_model();
/// IFToMM benchmark A02: uprights hinged at (i, 0), i = 0..count, joined at their tops by couplers; all rods
/// 1 m and 1 kg, upright at the start, tops moving at 1 m/s.
Model four_bar_model(int count);
/// The same with a body for each rod and a revolute joint for each hinge. The first body is the first
/// upright, along its x axis, about which each has this moment of inertia.
Model four_bar_body_model(int count, double moment);

}  // namespace vinculum::precision
