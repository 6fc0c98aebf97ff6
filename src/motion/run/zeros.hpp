// All zeros of a function over an interval, in order.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace vinculum {

/// A zero between two arguments.
struct Zero {
  double from = 0, to = 0;
  double at_from = 0, at_to = 0;  // the values there; zero where they are next to nothing
  int before = 0;                 // the side it comes from
  bool touches = false;           // it goes back there
  bool rising() const { return before < 0; }
};

/// The function over a part of the interval, at nine points that lie the denser the nearer to its ends, as a
/// sum of Chebyshev polynomials.
struct Piece {
  static constexpr int degree = 8;
  double from = 0, to = 0;
  std::array<double, degree + 1> value{};

  /// Where its points lie; the first and the last are its ends.
  double point(int j) const;
  std::array<double, degree + 1> coefficients() const;
};

/// The same over all of (0, 1) from five points: enough to see that a function is nowhere near zero. Two more
/// have to agree.
struct Sketch {
  static constexpr int degree = 4, witnesses = 2;
  static constexpr std::array<double, witnesses> witness{0.371, 0.717};
  std::array<double, degree + 1> value{};
  std::array<double, witnesses> seen{};  // at the witnesses

  static double point(int j);
  /// The sign everywhere; 0 where that is not sure, with `margin` for what the values may be off.
  int side(double margin) const;
};

/// Those that show at the points of a piece alone: its sign there changes.
void zeros_between_points(const Piece& piece, std::vector<Zero>& zeros);

/// Walks along an interval and notes every zero. A piece on which the function is known (what its highest
/// polynomials add is small, and one more point between the nine agrees) is passed where the sum leaves zero
/// no room, or rises or falls throughout; any other is divided. What comes to zero nearer than `noise` and
/// goes back is one zero that touches.
class ZeroWalk {
 public:
  using Function = std::function<double(double)>;
  static constexpr int any_number = std::numeric_limits<int>::max();
  static constexpr long usual_budget = 200'000;

  /// `noise` tells how large the function may be near an argument where it ought to be zero; it is asked
  /// where that matters.
  ZeroWalk(Function function, Function noise) : function_(std::move(function)), noise_(std::move(noise)) {
    zeros_.reserve(16);
  }

  /// Pieces are not divided below this width: a jump, or a corner.
  void set_least(double width) { least_ = width; }

  /// The walk ends as soon as it has passed zero this often; what follows is not looked at.
  void set_most(int passages) { most_ = passages; }

  /// Evaluations after which it gives up; each zero found allows for some more.
  void set_budget(long evaluations) { budget_ = evaluations; }

  /// The zeros of one interval, from its beginning (left out) to its end. `side` is the sign of the function
  /// where it begins, 0 where that is a zero: it does not count. Behind the walk it is the sign at the end.
  const std::vector<Zero>& walk(const Piece& whole, int& side);

  /// The function changes too wildly to be known: the zeros found are those of its signs at the points tried.
  bool gave_up() const { return gave_up_; }

 private:
  struct Rest {  // zero, or less than noise, all along
    double from = 0, to = 0;
    int before = 0;
    bool flat = false;  // exactly zero over some of it
  };
  void look(const Piece& piece);
  bool has_enough() const;
  void turn_at_end(double end);
  bool ends_in_noise(double x, double value);
  bool stays_in_noise(double x);
  bool is_in_noise(double x);
  bool passes(const Piece& piece);
  void divide(const Piece& piece);
  void end_at(const Piece& piece);
  void enter(int side, const Piece& piece);
  void rest_in(const Piece& piece);
  void leave_rest(int side, const Piece& piece);
  double lowest_point(const Rest& rest);
  double at(double x);

  Function function_, noise_;
  double least_ = 1e-15;
  int most_ = any_number;
  long budget_ = usual_budget;
  bool gave_up_ = false;
  double from_ = 0, to_ = 0;
  long evaluations_ = 0;
  int side_ = 0;
  double size_ = 0;  // of the function over all of the interval
  std::optional<Rest> rest_;
  std::vector<Zero> zeros_;
};

}  // namespace vinculum
