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

/// A list of numbers, and which outputs of the drawn system they are.
struct Source {
  std::vector<double>* into = nullptr;
  int first = 0, count = 0;
  std::array<int, 3> force_on = {-1, -1, -1};  ///< velocities whose force stands instead of the last three
  bool nonideal = false;
};

/// The model with every number of the view as an output: the engine itself then evaluates the view, forces,
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

  void add(std::vector<double>& into, std::span<const Expr> numbers, std::array<int, 3> force = {-1, -1, -1},
           bool nonideal = false) {
    sources_.push_back(
        {&into, static_cast<int>(copy_.outputs().size()), static_cast<int>(numbers.size()), force, nonideal});
    for (const Expr& number : numbers) copy_.output(prefix_ + std::to_string(copy_.outputs().size()), number);
  }
  void add(std::vector<double>& into, std::span<const Vector> places, std::array<int, 3> force = {-1, -1, -1},
           bool nonideal = false) {
    std::vector<Expr> numbers;
    for (const Vector& place : places) numbers.insert(numbers.end(), {place.x, place.y, place.z});
    add(into, numbers, force, nonideal);
  }
  void add(std::vector<double>& into, const View::Arrow& arrow) {
    if (arrow.constraint < 0)
      return add(into, std::array{arrow.at, arrow.along}, arrow.constraint_force_on, arrow.nonideal);
    const auto part = [&](int velocity) -> Expr {
      if (velocity < 0) return 0.0;
      const Expr force =
          copy_.reaction(copy_.constraints()[arrow.constraint].name, copy_.velocities()[velocity].symbol);
      return arrow.opposite ? -force : force;
    };
    const auto& on = arrow.constraint_force_on;
    add(into, std::array{arrow.at, Vector{part(on[0]), part(on[1]), part(on[2])}});
  }

  void add(std::vector<double>& into, const View::Torque& torque) {
    const std::string& joint = copy_.constraints()[torque.constraint].name;
    const Body& b = torque.on;
    // In a plane some of these are no velocities.
    const auto part = [&](const Expr& velocity) {
      return velocity.is_symbol() ? copy_.reaction(joint, velocity) : Expr(0.0);
    };
    const Vector push{part(b.x.rate()), part(b.y.rate()), part(b.z.rate())};
    const Vector turn = b.axis({part(b.wx), part(b.wy), part(b.wz)}) - cross(torque.at - b.position(), push);
    add(into, std::array{torque.at, torque.opposite ? -1.0 * turn : turn});
  }

  void evaluate(const Trajectory& motion, const std::vector<int>& samples) {
    if (sources_.empty() || samples.empty()) return;
    const System system(copy_);
    Workspace work(system);
    std::vector<double> outputs(system.output_names().size());
    Solution solution;
    for (const int i : samples) {
      const Sample sample = motion[i];
      const State state = motion.state(i);
      if (system.mechanics() == Mechanics::vakonomic)  // mu was recorded; forces are made of lambda
        solve(system, state, work, solution);
      else
        solution.multipliers.assign(sample.multipliers.begin(), sample.multipliers.end());
      solution.acceleration.assign(sample.acceleration.begin(), sample.acceleration.end());
      // Nothing drawn asks for these; the model's own outputs, which are among the copy's, may.
      solution.nonideal_force.assign(state.v.size(), NAN);
      solution.deviation.assign(state.v.size(), NAN);
      solution.dissatisfaction.assign(system.row_names().size(), NAN);
      observe(system, state, {}, solution, work, outputs);
      for (const Source& source : sources_) copy(source, sample, outputs);
    }
  }

 private:
  static void copy(const Source& source, const Sample& sample, const std::vector<double>& outputs) {
    std::vector<double>& into = *source.into;
    const auto from = outputs.begin() + source.first;
    into.insert(into.end(), from, from + source.count);
    const std::span<const double> force = source.nonideal ? sample.nonideal_force : sample.constraint_force;
    for (int k = 0; k < 3; ++k)
      if (source.force_on[k] >= 0) into[into.size() - 3 + k] = force[source.force_on[k]];
  }

  Model copy_;
  std::string prefix_ = "drawn";
  std::vector<Source> sources_;
};

/// One empty list of numbers for each thing of the view.
void make_tracks(const View& view, Frames& frames) {
  for (const auto& p : view.points) frames.points.push_back({.name = p.name, .xyz = {}, .trail = p.trail});
  for (const auto& l : view.links)
    frames.links.push_back({.name = l.name, .xyz = {}, .places = 2, .kind = l.kind});
  for (const auto& c : view.curves)
    frames.curves.push_back({.name = c.name, .xyz = {}, .places = static_cast<int>(c.points.size())});
  for (const auto& a : view.arrows)
    frames.arrows.push_back({.name = a.name, .xyz = {}, .places = 2, .nonideal = a.nonideal});
  for (const auto& m : view.torques) frames.torques.push_back({.name = m.name, .xyz = {}, .places = 2});
  for (const auto& s : view.solids)
    frames.solids.push_back({s.name, s.shape, s.half, s.of_inertia, s.trail, {}});
  for (const auto& j : view.joints) frames.joints.push_back({j.name, j.type, {}});
}

void fill_tracks(const Model& model, const View& view, const Trajectory& motion, Frames& frames) {
  Drawn drawn(model);
  const auto each = [](const auto& things, auto& tracks, const auto& add) {
    for (std::size_t k = 0; k < things.size(); ++k) add(things[k], tracks[k]);
  };
  each(view.points, frames.points, [&](const auto& p, auto& to) { drawn.add(to.xyz, {&p.at, 1}); });
  each(view.links, frames.links,
       [&](const auto& l, auto& to) { drawn.add(to.xyz, std::array{l.from, l.to}); });
  each(view.curves, frames.curves, [&](const auto& c, auto& to) { drawn.add(to.xyz, c.points); });
  each(view.arrows, frames.arrows, [&](const auto& a, auto& to) { drawn.add(to.xyz, a); });
  each(view.torques, frames.torques, [&](const auto& m, auto& to) { drawn.add(to.xyz, m); });
  each(view.solids, frames.solids, [&](const auto& s, auto& to) {
    drawn.add(to.pose, std::array{s.at.x, s.at.y, s.at.z, s.turn[0], s.turn[1], s.turn[2], s.turn[3]});
  });
  each(view.joints, frames.joints,
       [&](const auto& j, auto& to) { drawn.add(to.xyz, std::array{j.at, j.at_second, j.axis}); });
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
  for (const Frames::Solid& solid : frames.solids)
    for (std::size_t i = 0; i + 6 < solid.pose.size(); i += 7) widen(e.spread, &solid.pose[i]);
  for (const Frames::Joint& joint : frames.joints)
    for (std::size_t i = 0; i + 8 < joint.xyz.size(); i += 9)
      for (const int place : {0, 3}) widen(e.spread, &joint.xyz[i + place]);
  return e;
}

/// Bodies turn in a plane where its normal, as they see it, stays the same direction.
bool turns_across(const Frames& frames, int axis) {
  const double rounding = 1e-9;
  for (const Frames::Solid& solid : frames.solids) {
    if (solid.pose.empty()) continue;
    const auto first = columns_of(&solid.pose[3]);
    for (std::size_t i = 0; i + 6 < solid.pose.size(); i += 7) {
      const auto now = columns_of(&solid.pose[i + 3]);
      for (int k = 0; k < 3; ++k)
        if (!(std::fabs(now[k][axis] - first[k][axis]) <= rounding)) return false;
    }
  }
  return true;
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
      if (frames.planar || !is_zero(e.spread, axis) || !is_zero(e.force, axis) || !turns_across(frames, axis))
        continue;
      if (must_hold_up && up != '\0' && up == "xyz"[axis]) continue;
      frames.planar = true;
      frames.plane = plane;
    }
}

/// Torques that are rounding of what forces do at the distances there are, or of what constraints do to
/// anything (whose unit may be another: rounding is far less).
void leave_out_idle_torques(const Trajectory& motion, Frames& frames) {
  const auto largest = [](const std::array<double, 3>& xyz) { return std::max({xyz[0], xyz[1], xyz[2]}); };
  const Extent e = extent_of(frames);
  const auto size_of = [](const Frames::Track& track) {
    double most = 0;
    for (std::size_t i = 0; i + 5 < track.xyz.size(); i += 6)
      for (int k = 3; k < 6; ++k)
        if (std::isfinite(track.xyz[i + k])) most = std::max(most, std::fabs(track.xyz[i + k]));
    return most;
  };
  double scale = largest(e.force) * largest(e.spread);
  for (const Frames::Track& track : frames.torques) scale = std::max(scale, size_of(track));
  if (frames.torques.empty()) return;
  for (const int i : frames.sample)
    for (const double force : motion[i].constraint_force)
      if (std::isfinite(force)) scale = std::max(scale, 1e-3 * std::fabs(force));
  std::erase_if(frames.torques, [&](const auto& track) { return !(size_of(track) > 1e-9 * scale); });
}

/// Friction that never acts is no arrow.
void leave_out_idle_friction(Frames& frames) {
  std::erase_if(frames.arrows, [](const Frames::Track& track) {
    bool acts = false;
    for (std::size_t i = 0; i + 5 < track.xyz.size(); i += 6)
      for (int k = 3; k < 6; ++k) acts = acts || (std::isfinite(track.xyz[i + k]) && track.xyz[i + k] != 0);
    return track.nonideal && !acts;
  });
}

/// A plane is looked at straight on: an axis across it cannot point up.
void find_up(Frames& frames) {
  if (frames.planar && (frames.up.empty() || frames.plane.find(frames.up.back()) == std::string::npos))
    frames.up = frames.plane.substr(1);
  if (frames.up.empty()) frames.up = "z";
}

}  // namespace

Frames::Track centre_of(const Frames::Solid& solid) {
  Frames::Track track{.name = solid.name, .xyz = {}, .trail = solid.trail};
  for (std::size_t i = 0; i + 6 < solid.pose.size(); i += 7)
    track.xyz.insert(track.xyz.end(), &solid.pose[i], &solid.pose[i] + 3);
  return track;
}

std::array<std::array<double, 3>, 3> columns_of(const double* quaternion) {
  const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  return {{{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
           {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
           {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}}};
}

std::array<double, 3> reach_of(const Frames::Solid& solid, const double* pose) {
  const auto columns = columns_of(pose + 3);
  std::array<double, 3> reach{};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) reach[k] += std::fabs(columns[j][k]) * solid.half[j];
  return reach;
}

Frames frames_of(const Model& model, const View& view, const Trajectory& motion, int limit) {
  Frames frames;
  frames.up = view.up;
  frames.sample = chosen_samples(motion.size(), limit);
  for (const int i : frames.sample) frames.t.push_back(motion.times()[i]);
  make_tracks(view, frames);
  if (!frames.sample.empty()) fill_tracks(model, view, motion, frames);
  if (!frames.points.empty() || !frames.links.empty() || !frames.curves.empty() || !frames.arrows.empty() ||
      !frames.solids.empty() || !frames.joints.empty())
    find_plane(frames);
  leave_out_idle_torques(motion, frames);
  leave_out_idle_friction(frames);
  find_up(frames);
  return frames;
}

}  // namespace vinculum
