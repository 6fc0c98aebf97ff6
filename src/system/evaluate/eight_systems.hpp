// Eight states side by side, each of a system of its own: one that was compiled once, with other parameters.
#pragma once
#include <memory>

#include "equation/sparse/eight.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {

/// For small systems that have their motion as one kernel. Every lane has the bits that its system has alone.
/// States lie entry by entry, eight numbers each: those of all coordinates, of all velocities.
class EightSystems {
 public:
  /// Whether systems compiled like this one can stand side by side.
  static bool possible(const System& system);

  explicit EightSystems(const System& system);
  ~EightSystems();
  /// This lane is one of `system` from now on, which shares what is compiled with the others.
  void bind(int lane, const System& system);

  struct At {
    const Eight& t;
    const Eight *q, *v;
  };
  /// Accelerations. 1 in the lanes where rows are independent and hold; the others are for the general road.
  Eight accelerate(const At& at, Eight* acceleration);
  /// The power of the forces that are stated, and what their energy changes by with time alone.
  struct Powers {
    const Eight *impressed = nullptr, *explicit_time = nullptr;
  };
  Powers powers(const At& at);
  /// What to change by to meet the constraints as they look here: see vinculum::correction. 1 likewise.
  Eight correct(Level level, const At& at, Eight* x);
  /// By how much every row misses.
  void misses(const At& at, Eight* position, Eight* velocity);
  /// M on its diagonal, forces (the larger of Q and C by size), and the entries of A.
  struct Numbers {
    const Eight *mass, *force, *rows;
  };
  Numbers evaluate(const At& at);
  /// From the numbers that were evaluated last, what keep_tangent_part() needs.
  void factorise_rows();
  /// Takes from changes what would leave the constraints.
  void keep_tangent_part(Level level, Eight* change);
  /// 1 in the lanes where that is since what vinculum::keep_tangent_part does; the others are for that.
  Eight tangents_are_good() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
