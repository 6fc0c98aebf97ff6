// A view as numbers along a trajectory.
#include <algorithm>
#include <cmath>

#include "vinculum/report/view.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

std::vector<int> chosen_samples(int size, int limit) {
  const int count = std::min(size, std::max(limit, 2));
  std::vector<int> chosen(count);
  for (int i = 0; i < count; ++i)
    chosen[i] =
        count == 1 ? 0 : static_cast<int>(std::lround(static_cast<double>(i) * (size - 1) / (count - 1)));
  return chosen;
}

/// A track, and which outputs of the drawn system its numbers are.
struct Source {
  Frames::Track* track = nullptr;
  int first = 0;                                       ///< of 3 * places outputs
  std::array<int, 3> constraint_force = {-1, -1, -1};  ///< for the second place of an arrow
};

/// The model with every vector of the view as an output: the engine itself then evaluates the view, forces,
/// multipliers and energy included.
class Drawn {
 public:
  explicit Drawn(const Model& model) : copy_(model) {
    // Outputs have names of their own: begin with something no output or event begins with.
    const auto taken = [&](const auto& list) {
      return std::ranges::any_of(list, [&](const auto& o) { return o.name.starts_with(prefix_); });
    };
    while (taken(copy_.outputs()) || taken(copy_.events())) prefix_ += '_';
  }

  void add(Frames::Track& track, std::span<const Vector> places, std::array<int, 3> force = {-1, -1, -1}) {
    track.places = static_cast<int>(places.size());
    sources_.push_back({&track, static_cast<int>(copy_.outputs().size()), force});
    for (const Vector& place : places) copy_.output(prefix_ + std::to_string(copy_.outputs().size()), place);
  }

  void evaluate(const Trajectory& motion, const std::vector<int>& samples) {
    if (sources_.empty() || samples.empty()) return;
    const System system(copy_);
    Workspace work(system);
    std::vector<double> outputs(system.output_names().size()), events(system.events().size());
    Solution solution;
    for (const int i : samples) {
      const Sample sample = motion[i];
      const State state = motion.state(i);
      std::span<const double> multipliers = sample.multipliers;
      if (system.mechanics() == Mechanics::vakonomic) {  // mu was recorded; forces are made of lambda
        solve(system, state, work, solution);
        multipliers = solution.multipliers;
      }
      observe(system, state, sample.acceleration, multipliers, work, outputs, events);
      for (const Source& source : sources_) copy(source, sample, outputs);
    }
  }

 private:
  static void copy(const Source& source, const Sample& sample, const std::vector<double>& outputs) {
    std::vector<double>& xyz = source.track->xyz;
    const auto from = outputs.begin() + source.first;
    xyz.insert(xyz.end(), from, from + 3 * source.track->places);
    for (int k = 0; k < 3; ++k)
      if (source.constraint_force[k] >= 0)
        xyz[xyz.size() - 3 + k] = sample.constraint_force[source.constraint_force[k]];
  }

  Model copy_;
  std::string prefix_ = "drawn";
  std::vector<Source> sources_;
};

/// One empty track for each thing of the view.
void make_tracks(const View& view, Frames& frames) {
  for (const auto& p : view.points) frames.points.push_back({.name = p.name, .xyz = {}, .trail = p.trail});
  for (const auto& l : view.links) frames.links.push_back({.name = l.name, .xyz = {}, .kind = l.kind});
  for (const auto& c : view.curves) frames.curves.push_back({.name = c.name, .xyz = {}});
  for (const auto& a : view.arrows) frames.arrows.push_back({.name = a.name, .xyz = {}});
}

void fill_tracks(const Model& model, const View& view, const Trajectory& motion, Frames& frames) {
  Drawn drawn(model);
  for (std::size_t k = 0; k < view.points.size(); ++k) drawn.add(frames.points[k], {&view.points[k].at, 1});
  for (std::size_t k = 0; k < view.links.size(); ++k)
    drawn.add(frames.links[k], std::array{view.links[k].from, view.links[k].to});
  for (std::size_t k = 0; k < view.curves.size(); ++k) drawn.add(frames.curves[k], view.curves[k].points);
  for (std::size_t k = 0; k < view.arrows.size(); ++k)
    drawn.add(frames.arrows[k], std::array{view.arrows[k].at, view.arrows[k].along},
              view.arrows[k].constraint_force_on);
  drawn.evaluate(motion, frames.sample);
}

/// The largest |x|, |y|, |z|: of places for `spread`, of what arrows point along for `force`.
struct Extent {
  std::array<double, 3> spread{}, force{};
};

Extent extent_of(const Frames& frames) {
  Extent e;
  const auto widen = [](std::array<double, 3>& most, const double* xyz) {
    for (int k = 0; k < 3; ++k)
      if (std::isfinite(xyz[k])) most[k] = std::max(most[k], std::fabs(xyz[k]));
  };
  for (const auto* list : {&frames.points, &frames.links, &frames.curves})
    for (const Frames::Track& track : *list)
      for (std::size_t i = 0; i + 2 < track.xyz.size(); i += 3) widen(e.spread, &track.xyz[i]);
  for (const Frames::Track& track : frames.arrows)
    for (std::size_t i = 0; i + 5 < track.xyz.size(); i += 6) {
      widen(e.spread, &track.xyz[i]);
      widen(e.force, &track.xyz[i + 3]);
    }
  return e;
}

/// Planar where one axis stays zero, to the rounding of what happens along the others.
void find_plane(Frames& frames) {
  const Extent e = extent_of(frames);
  const auto is_zero = [](const std::array<double, 3>& most, int axis) {
    return most[axis] <= 1e-9 * std::max({most[0], most[1], most[2]});
  };
  const char up = frames.up.empty() ? '\0' : frames.up.back();
  for (const bool must_hold_up : {true, false})
    for (const auto& [axis, plane] : {std::pair{2, "xy"}, std::pair{1, "xz"}, std::pair{0, "yz"}}) {
      if (frames.planar || !is_zero(e.spread, axis) || !is_zero(e.force, axis)) continue;
      if (must_hold_up && up != '\0' && up == "xyz"[axis]) continue;
      frames.planar = true;
      frames.plane = plane;
    }
}

/// A plane is looked at straight on: an axis across it cannot point up.
void find_up(Frames& frames) {
  if (frames.planar && (frames.up.empty() || frames.plane.find(frames.up.back()) == std::string::npos))
    frames.up = frames.plane.substr(1);
  if (frames.up.empty()) frames.up = "z";
}

}  // namespace

Frames frames_of(const Model& model, const View& view, const Trajectory& motion, int limit) {
  Frames frames;
  frames.up = view.up;
  frames.sample = chosen_samples(motion.size(), limit);
  for (const int i : frames.sample) frames.t.push_back(motion.times()[i]);
  make_tracks(view, frames);
  if (!frames.sample.empty()) fill_tracks(model, view, motion, frames);
  if (!frames.points.empty() || !frames.links.empty() || !frames.curves.empty() || !frames.arrows.empty())
    find_plane(frames);
  find_up(frames);
  return frames;
}

}  // namespace vinculum
