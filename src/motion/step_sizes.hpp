// The sizes that a step is judged by, written once: for one motion (X = double) and for eight side by side (X
// = Eight). What begins a motion, and what is seldom asked for, is in motion/sizes.hpp, for one motion.
#pragma once
#include <limits>
#include <type_traits>
#include <vector>

#include "equation/sparse/eight.hpp"

namespace vinculum {

/// Of what its kin would make of a plain coordinate that stands in rows: it is followed to no smaller size.
inline constexpr double part_in_rows = 1e-4;

template <class X>
class StepSizes {
 protected:
  using Truth = truth_of<X>;
  static constexpr double eps = std::numeric_limits<double>::epsilon();
  /// Places, and turnings, are told in one unit and move together: a tenth of the fastest counts for all of
  /// them. Plain coordinates may have nothing to do with each other: each has its own size, as far as
  /// rounding can tell; but what stands in rows shares what those round.
  static constexpr double part_of_kin = 0.1, part_of_stranger = 1e-10;
  /// Roundings of a step's stages, all of them together, beside that of one evaluation.
  static constexpr double roundings = 16;
  /// A motion that is less than this part of what is awaited may be the rounding of forces that cancel.
  static constexpr double hardly = 1e-9;
  /// Of the noise that was measured, so much is remembered after a step.
  static constexpr double remembered = 0.5;

 public:
  enum class Kind { plain, place, turning };
  struct Group {
    Kind kind;
    int q, q_count, v, v_count;
    bool in_rows = false;      // of a constraint
    X mass = 0.0, free = 0.0;  // free: the acceleration that forces would make alone
    /// Without mass: 1/m of the mass that would move as its rows make it move, at most so far.
    X lent = 0.0;
    X largest_q = 0.0, largest_v = 0.0;
    X held = 0.0, held_for = 0.0;  // the velocity forces would make of what has not moved, and in what time
    X noise = 0.0;                 // of the acceleration
    X now_v = 0.0, speed = 0.0;    // in the step at hand: seen or gained, and what counts
    X pushed = 0.0;                // the acceleration where it begins
    Truth awaited = Truth(false);  // those forces are to come
    Truth moves = Truth(false);    // by more than rounding of what holds it
  };

  StepSizes(int coordinates, int velocities, int first_other, int entries)
      : nq_(coordinates),
        nv_(velocities),
        first_other_(first_other),
        entries_(entries),
        is_angle_(nq_, 0),
        largest_(entries, 0.0),
        other_noise_(entries, 0.0),
        size_(entries, 0.0),
        noise_(entries, 0.0),
        move_(nv_, 0.0),
        speed_(nv_, 0.0),
        fastest_(nv_, 0.0) {}

  /// Of motions like that one.
  template <class Y>
  explicit StepSizes(const StepSizes<Y>& like)
      : StepSizes(like.nq_, like.nv_, like.first_other_, like.entries_) {
    for (const auto& g : like.groups_) groups_.push_back({Kind(g.kind), g.q, g.q_count, g.v, g.v_count});
  }
  /// Whether one of eight can go on as this motion does: with nothing but places and velocities, and rows
  /// whose rounding was never asked for.
  bool is_simple() const { return others_.empty() && of_rows_.empty() && !smooth_; }

  /// Sizes for a step h from (t, y), where f = y'.
  void aim(const X& t, const X* y, const X* f, const X& h);
  /// The state at the end of a step is part of the motion.
  void accept(const X* y);

  /// Of an entry of y, for an error in it.
  const X& operator[](int entry) const { return size_[entry]; }
  /// What of an error in it is rounding of f over the step.
  const X& noise(int entry) const { return noise_[entry]; }
  /// Of all entries.
  const std::vector<X>& all() const { return size_; }
  const std::vector<X>& all_noise() const { return noise_; }
  const std::vector<X>& all_moves() const { return move_; }
  /// Of the velocities: the largest part that noise is of one of them, over a step.
  const X& noisiest() const { return noisiest_; }
  /// Of all work together, and what of an error in it is a matter of rounding.
  const X& work() const { return work_; }
  const X& work_noise() const { return work_noise_; }
  /// For a change over velocities that moves positions (orientations turn by radians), and one of the
  /// velocities themselves, which are rounding of what the forces would make in the step.
  const X& of_move(int velocity) const { return move_[velocity]; }
  const X& of_velocity(int velocity) const { return speed_[velocity]; }

  /// Masses, and the accelerations that forces would make alone: of each velocity.
  void weigh(const auto& mass_of, const auto& force_of);

  /// One of eight: begins, or goes on, as another motion has it; and the other way.
  void take(int lane, const StepSizes<double>& one);
  void give(int lane, StepSizes<double>& one) const;

 protected:
  template <class>
  friend class StepSizes;
  /// Every number of these sizes, beside that of others of the same motion.
  static void for_each_number(auto& mine, auto& its, const auto& act);
  /// Of the numbers of a group there are none, one, three or four: written out, as no loop that short is.
  template <class Act>
  [[gnu::always_inline]] static void for_numbers(int first, int count, const Act& act) {
    if (count == 0) return;
    act(first);
    if (count == 1) return;
    act(first + 1);
    act(first + 2);
    if (count == 4) act(first + 3);
  }
  [[gnu::always_inline]] static void fill(X* x, int first, int count, const X& value) {
    for_numbers(first, count, [=, &value](int i) __attribute__((always_inline)) { x[i] = value; });
  }
  /// The largest of the numbers of a group, by size.
  [[gnu::always_inline]] static X largest(const X* x, int count) {
    X most = 0.0;
    for_numbers(0, count,
                [x, &most](int i) __attribute__((always_inline)) { most = larger(most, magnitude(x[i])); });
    return most;
  }
  X part_of_others(const Group& g) const { return g.in_rows ? part_in_rows : part_of_stranger; }
  X share(const Group& g, const X& most, const X& largest_of_kind) const;
  X turning_of_places(const X& fastest, const X& time) const;
  void size_velocities(const X* f, const X& time);
  void size_places(const X& h, const X& time);
  void size_others(const X* y, const X* f, const X& time);
  void add_rounding_of_rows(const X& h);

  int nq_ = 0, nv_ = 0, first_other_ = 0, entries_ = 0;
  std::vector<Group> groups_;
  std::vector<int> others_;     // entries of no group
  std::vector<char> is_angle_;  // of each coordinate: a pure number
  std::vector<X> largest_, other_noise_;
  X heaviest_ = 0.0;  // mass of a place
  X longest_arm_ = 0.0;
  X largest_work_ = 0.0, work_ = 0.0, work_noise_ = 0.0, noisiest_ = 0.0;
  X t_start_ = 0.0, time_scale_ = 0.0, span_ = 0.0;
  bool smooth_ = false;
  std::vector<X> size_, noise_, move_, speed_, fastest_;
  std::vector<X> of_rows_;  // what they leave unknown of every place and velocity; empty: not looked at
};

template <class X>
void StepSizes<X>::for_each_number(auto& mine, auto& its, const auto& act) {
  for (std::size_t k = 0; k < mine.groups_.size(); ++k) {
    auto& a = mine.groups_[k];
    auto& b = its.groups_[k];
    act(a.mass, b.mass), act(a.free, b.free), act(a.lent, b.lent);
    act(a.largest_q, b.largest_q), act(a.largest_v, b.largest_v);
    act(a.held, b.held), act(a.held_for, b.held_for), act(a.noise, b.noise);
    act(a.now_v, b.now_v), act(a.speed, b.speed), act(a.pushed, b.pushed);
    act(a.awaited, b.awaited), act(a.moves, b.moves);
  }
  act(mine.heaviest_, its.heaviest_), act(mine.longest_arm_, its.longest_arm_);
  act(mine.largest_work_, its.largest_work_), act(mine.work_, its.work_);
  act(mine.work_noise_, its.work_noise_), act(mine.noisiest_, its.noisiest_);
  act(mine.t_start_, its.t_start_), act(mine.time_scale_, its.time_scale_), act(mine.span_, its.span_);
  const auto act_on_all = [&](auto& a, auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) act(a[i], b[i]);
  };
  act_on_all(mine.size_, its.size_), act_on_all(mine.noise_, its.noise_);
  act_on_all(mine.move_, its.move_), act_on_all(mine.speed_, its.speed_);
  act_on_all(mine.fastest_, its.fastest_);
}

template <class X>
void StepSizes<X>::take(int lane, const StepSizes<double>& one) {
  for (std::size_t k = 0; k < groups_.size(); ++k) groups_[k].in_rows = one.groups_[k].in_rows;
  for_each_number(*this, one, [lane](auto& all, const auto& its) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(its)>, bool>)
      all.lane[lane] = its ? -1 : 0;  // of a truth all bits
    else
      all.lane[lane] = its;
  });
}

template <class X>
void StepSizes<X>::give(int lane, StepSizes<double>& one) const {
  for_each_number(*this, one, [lane](const auto& all, auto& its) { its = all.lane[lane]; });
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::weigh(const auto& mass_of, const auto& force_of) {
  for (Group& g : groups_) {
    X force = 0.0, mass = 0.0;
    for_numbers(g.v, g.v_count, [&](int i) __attribute__((always_inline)) {
      force = larger(force, force_of(i));
      mass = larger(mass, magnitude(mass_of(i)));
    });
    g.mass = mass;
    g.free = select(g.mass > X(0.0), force / g.mass, X(0.0));
    if (g.kind == Kind::place) heaviest_ = larger(heaviest_, g.mass);
  }
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::accept(const X* y) {
  for (Group& g : groups_) {
    g.largest_q = larger(g.largest_q, g.kind == Kind::turning ? X(1.0) : largest(y + g.q, g.q_count));
    g.largest_v = larger(g.largest_v, largest(y + nq_ + g.v, g.v_count));
    fill(fastest_.data(), g.v, g.v_count, g.largest_v);
    g.noise *= remembered;
    g.held = select(both(both(g.moves, g.awaited), g.largest_v > X(hardly) * g.held), g.held * X(remembered),
                    g.held);
  }
  for (X& unknown : of_rows_) unknown *= remembered;
  for (const int i : others_) {
    largest_[i] = larger(largest_[i], magnitude(y[i]));
    other_noise_[i] *= remembered;
  }
  X work = 0.0;
  for (int i = nq_ + nv_; i < first_other_; ++i) work += y[i];
  largest_work_ = larger(largest_work_, magnitude(work));
}

/// The start counts for as long as the motion is what it was there; later what it gains in a step. What
/// others hold at rest is as large as its forces alone would have made it since.
template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::aim(const X& t, const X* y, const X* f, const X& h) {
  const X gone = magnitude(t - t_start_);
  const X time = larger(magnitude(h), time_scale_ - gone), since = larger(time_scale_, gone + magnitude(h));
  for (Group& g : groups_) {
    const X by_forces = g.free * since;
    g.moves = g.largest_v > X(roundings * eps) * larger(g.held, by_forces);
    const Truth fades = but_not(g.moves, g.awaited), grows = but_not(by_forces > g.held, g.moves);
    g.held = select(fades, g.held * X(remembered), select(grows, by_forces, g.held));
    g.held_for = select(grows, since, g.held_for);
    g.awaited = but_not(g.awaited, grows);
    g.pushed = largest(f + nq_ + g.v, g.v_count);
  }
  size_velocities(f, time);
  size_places(magnitude(h), time);
  size_others(y, f, time);
  noisiest_ = 0.0;
  for (const Group& g : groups_) {
    const X noise = X(roundings) * magnitude(h) * larger(g.noise, X(eps) * g.free);
    noisiest_ = select(noise > noisiest_ * g.speed, noise / g.speed, noisiest_);
    fill(noise_.data(), nq_ + g.v, g.v_count, noise);
    fill(noise_.data(), g.q, g.q_count, magnitude(h) * noise);
    if (smooth_) work_noise_ += g.mass * noise * (noise + g.now_v);
  }
  for (const int i : others_) noise_[i] = X(roundings) * magnitude(h) * other_noise_[i];
  add_rounding_of_rows(h);
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::add_rounding_of_rows(const X& h) {
  if (of_rows_.empty()) return;
  for (int i = 0; i < nq_ + nv_; ++i) noise_[i] += of_rows_[i];
  for (const Group& g : groups_)
    work_noise_ += g.mass * of_rows_[nq_ + g.v] * (g.now_v + magnitude(h) * larger(g.pushed, g.free));
}

/// What the energy `most` (or the square of a place, times its mass) would make of a number of this group.
template <class X>
[[gnu::always_inline]] inline X StepSizes<X>::share(const Group& g, const X& most,
                                                    const X& largest_of_kind) const {
  // Places are told in one unit and move together: a light one is expected to be up to ten times as fast as a
  // heavy one, not thousands of times.
  const X least = g.kind == Kind::place ? X(0.01) * heaviest_ : X(0.0);
  const Truth massive = g.mass > X(0.0);
  const X of_mass = root(most / larger(g.mass, least));
  if (holds_for_all(massive)) return of_mass;
  return select(massive, of_mass, g.kind == Kind::plain ? root(most * g.lent) : largest_of_kind);
}

/// Where nothing turns, and no moment of inertia tells how fast something would: as fast as carries what lies
/// as far as the widest place, or the longest arm, by as much as the fastest one moves; never more than a
/// radian in this time.
template <class X>
[[gnu::always_inline]] inline X StepSizes<X>::turning_of_places(const X& fastest, const X& time) const {
  X widest = larger(longest_arm_, magnitude(time) * fastest);
  for (const Group& g : groups_)
    if (g.kind == Kind::place) widest = larger(widest, g.largest_q);
  return select(both(fastest > X(0.0), widest > X(0.0)), fastest / widest, X(0.0));
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::size_velocities(const X* f, const X& time) {
  X energy = 0.0, kinetic = 0.0, fastest[3] = {0.0, 0.0, 0.0};
  for (Group& g : groups_) {
    g.now_v = larger(larger(g.largest_v, g.held), time * g.pushed);
    const X twice = g.mass * g.now_v * g.now_v;
    energy = larger(energy, twice);
    kinetic += X(0.5) * twice;
    X& of_kind = fastest[static_cast<int>(g.kind)];
    of_kind = larger(of_kind, g.now_v);
  }
  X& turning = fastest[static_cast<int>(Kind::turning)];
  turning = larger(turning, turning_of_places(fastest[static_cast<int>(Kind::place)], time));
  for (Group& g : groups_) {
    const X part = g.kind == Kind::plain ? part_of_others(g) : X(part_of_kin);
    g.speed = larger(g.now_v, part * share(g, energy, fastest[static_cast<int>(g.kind)]));
    fill(size_.data(), nq_ + g.v, g.v_count, g.speed);
  }
  X power = 0.0;
  for (int i = nq_ + nv_; i < first_other_; ++i) power += f[i];
  work_noise_ = 0.0;
  work_ = larger(larger(largest_work_, kinetic), time * magnitude(power));
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::size_places(const X& h, const X& time) {
  X inertia = 0.0, widest[3] = {0.0, 0.0, 0.0};
  for (const Group& g : groups_) {
    inertia = larger(inertia, g.mass * g.largest_q * g.largest_q);
    X& of_kind = widest[static_cast<int>(g.kind)];
    of_kind = larger(of_kind, g.largest_q);
  }
  for (const Group& g : groups_) {
    const X most = share(g, inertia, widest[static_cast<int>(g.kind)]);
    X size =
        larger(larger(larger(g.largest_q, time * g.speed), g.held_for * g.held), part_of_others(g) * most);
    if (g.kind == Kind::turning) size = 1.0;
    fill(size_.data(), g.q, g.q_count, size);
    // A place at zero that has not moved is as rounded as what rows hold it by.
    const X move = g.kind == Kind::place ? select(size == X(0.0), longest_arm_, size) : size;
    fill(move_.data(), g.v, g.v_count, move);
    fill(speed_.data(), g.v, g.v_count, larger(g.speed, h * g.free));
  }
}

template <class X>
[[gnu::always_inline]] inline void StepSizes<X>::size_others(const X* y, const X* f, const X& time) {
  for (const int i : others_) {
    // What friction has left may go to nothing at once, wherever it is: so much over the time of the start.
    if (i >= first_other_) largest_[i] = larger(largest_[i], magnitude(f[i]) * larger(time, time_scale_));
    size_[i] = larger(larger(largest_[i], magnitude(y[i])), time * magnitude(f[i]));
    if (i < nq_ && is_angle_[i]) size_[i] = larger(size_[i], X(1.0));
  }
}

}  // namespace vinculum
