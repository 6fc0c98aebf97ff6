#include "motion/run/zeros.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr int degree = Piece::degree;
using Values = std::array<double, degree + 1>;

/// What the three highest polynomials may add where a piece counts as known, of all that varies. Points that
/// lie too far apart for the function give coefficients of any size: three that small by chance are rare.
constexpr double small_part = 1e-3;
/// The same where rounding is all that is left of them.
constexpr double rounding = 1e-14;
/// What varies by less of its size is known, however rough: rounding of large numbers that nearly cancel.
constexpr double even_part = 1e-9;
/// How much more than the highest polynomials those left out may add.
constexpr double doubt = 4;
/// Of the noise: what is rough by less is not divided for that, and what stays farther from zero is clear of
/// it. CoupledFrictions they leave no value that is neither.
constexpr double rough_part = 0.1, clear_part = 0.5;
/// Where a piece is divided. Not in the middle: what is symmetric about it would look the same again.
constexpr double division = 0.47;
/// The point between the nine that has to agree.
constexpr double witness = 0.371;
constexpr long evaluations_per_zero = 2000, most_of_all = 50'000'000;

/// T_k at the points of a piece.
struct Table {
  double point[degree + 1], value[degree + 1][degree + 1];
  Table() {
    for (int j = 0; j <= degree; ++j) {
      point[j] = -std::cos(M_PI * j / degree);
      for (int k = 0; k <= degree; ++k)
        value[k][j] = (k % 2 == 0 ? 1 : -1) * std::cos(M_PI * ((j * k) % (2 * degree)) / degree);
    }
  }
};
const Table& table() {
  static const Table t;
  return t;
}

/// Clenshaw's sum.
double sum_at(const Values& c, double u) {
  double b1 = 0, b2 = 0;
  for (int k = degree; k > 0; --k) {
    const double b = c[k] + 2 * u * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return c[0] + u * b1 - b2;
}

Values derivative(const Values& c) {
  Values d{};
  for (int k = degree; k > 0; --k) d[k - 1] = (k + 1 <= degree ? d[k + 1] : 0.0) + 2 * k * c[k];
  d[0] *= 0.5;
  return d;
}

/// How far the sum stays from zero wherever it is, at least.
double room_to_zero(const Values& c) {
  double varies = 0;
  for (int k = 1; k <= degree; ++k) varies += std::fabs(c[k]);
  return std::fabs(c[0]) - varies;
}

int sign_of(double x) { return (x > 0) - (x < 0); }

double largest(const Values& v) {
  double size = 0;
  for (const double x : v) size = std::max(size, std::fabs(x));
  return size;
}

/// Whether nearly all that the values change by lies between two of them.
bool jumps(const Piece& piece) {
  double sum = 0, most = 0;
  for (int j = 1; j <= degree; ++j) {
    const double change = std::fabs(piece.value[j] - piece.value[j - 1]);
    sum += change;
    most = std::max(most, change);
  }
  return most > 10 * (sum - most);
}

/// What a piece tells of the function between its points.
struct Known {
  explicit Known(const Piece& piece) : c(piece.coefficients()), size(largest(piece.value)) {
    double spread = 0;
    for (int k = 1; k <= degree; ++k) spread += std::fabs(c[k]);
    tail = std::fabs(c[degree]) + std::fabs(c[degree - 1]) + std::fabs(c[degree - 2]);
    finite = std::isfinite(spread) && std::isfinite(size);
    good = finite && (tail <= small_part * spread + rounding * size || spread <= even_part * size);
    margin = doubt * tail + rounding * size;
  }
  Values c;
  double size = 0, tail = 0, margin = 0;
  bool finite = false, good = false;
};

}  // namespace

void zeros_between_points(const Piece& piece, std::vector<Zero>& zeros) {
  zeros.clear();
  int last = 0;  // the point before with a sign
  for (int j = 1; j <= degree; ++j) {
    const int before = sign_of(piece.value[last]), here = sign_of(piece.value[j]);
    if (here == 0) continue;
    if (before * here < 0)
      zeros.push_back({piece.point(last), piece.point(j), piece.value[last], piece.value[j], before, false});
    last = j;
  }
}

double Piece::point(int j) const {
  if (j == degree) return to;
  return from + 0.5 * (1 + table().point[j]) * (to - from);
}

std::array<double, Piece::degree + 1> Piece::coefficients() const {
  Values c{};
  for (int k = 0; k <= degree; ++k) {
    double sum = 0;
    for (int j = 0; j <= degree; ++j)
      sum += (j == 0 || j == degree ? 0.5 : 1.0) * value[j] * table().value[k][j];
    c[k] = sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree;
  }
  return c;
}

double Sketch::point(int j) { return 0.5 * (1 + table().point[2 * j]); }

int Sketch::side(double margin) const {
  // T_k at its five points, summed by symmetry about the middle.
  const double r = M_SQRT1_2;
  const double even0 = 0.5 * (value[0] + value[4]), odd0 = 0.5 * (value[4] - value[0]);
  const double even1 = value[1] + value[3], odd1 = r * (value[3] - value[1]);
  const std::array<double, degree + 1> c{0.25 * (even0 + even1 + value[2]), 0.5 * (odd0 + odd1),
                                         0.5 * (even0 - value[2]), 0.5 * (odd0 - odd1),
                                         0.25 * (even0 - even1 + value[2])};
  // Two coefficients tell less of those left out than three do: these may add a good deal more.
  const double tail = std::fabs(c[3]) + std::fabs(c[4]);
  const double varies = std::fabs(c[1]) + std::fabs(c[2]) + tail;
  const double unsure = 10 * tail + rounding * std::fabs(c[0]);
  if (!(tail <= 0.1 * varies + rounding * std::fabs(c[0])) || !(std::fabs(c[0]) > varies + unsure + margin))
    return 0;
  for (int j = 0; j < witnesses; ++j) {
    const double u = 2 * witness[j] - 1, t2 = 2 * u * u - 1;
    const double told = c[0] + c[1] * u + c[2] * t2 + c[3] * u * (2 * t2 - 1) + c[4] * (2 * t2 * t2 - 1);
    if (!(std::fabs(seen[j] - told) <= unsure)) return 0;
  }
  return sign_of(c[0]);
}

const std::vector<Zero>& ZeroWalk::walk(const Piece& whole, int& side) {
  zeros_.clear();
  rest_.reset();
  gave_up_ = false;
  evaluations_ = 0;
  from_ = whole.from;
  to_ = whole.to;
  side_ = side;
  size_ = largest(whole.value);
  look(whole);
  if (has_enough()) return zeros_;
  turn_at_end(whole.value.back());
  if (!rest_ && !zeros_.empty() && stays_in_noise(zeros_.back().to)) side_ = 0;
  side = side_;
  // Where it ends in its zero, this counts here, and what follows does not count it again. That it has passed
  // to another side is not known yet.
  if (rest_ && (zeros_.empty() || !is_in_noise(0.5 * (zeros_.back().to + rest_->from)))) {
    const double x = lowest_point(*rest_);
    zeros_.push_back({x, x, 0, 0, rest_->before, false});
  }
  return zeros_;
}

/// From x to the end of the interval: there the sign says nothing yet.
bool ZeroWalk::stays_in_noise(double x) { return is_in_noise(to_) && is_in_noise(0.5 * (x + to_)); }

bool ZeroWalk::is_in_noise(double x) { return std::fabs(at(x)) <= noise_(x); }

/// A zero that touches may lie where the interval ends, within noise: whether it bends back is told by the
/// slope and the curvature there. It counts here, once.
void ZeroWalk::turn_at_end(double end) {
  if (side_ == 0 || !(std::fabs(end) <= small_part * size_) || !(std::fabs(end) <= noise_(to_))) return;
  Piece last{to_ - 0.01 * (to_ - from_), to_, {}};
  for (int j = 0; j <= degree; ++j) last.value[j] = at(last.point(j));
  const Values slope = derivative(last.coefficients());
  const double first = sum_at(slope, 1), second = sum_at(derivative(slope), 1);
  const int before = sign_of(last.value.front());
  if (!(before * end > 0 && before * second > 0) || !(first * first <= 2 * std::fabs(second) * noise_(to_)))
    return;
  while (!zeros_.empty() && zeros_.back().to > last.from) zeros_.pop_back();
  zeros_.push_back({to_, to_, 0, 0, before, true});
  side_ = 0;
}

double ZeroWalk::at(double x) {
  ++evaluations_;
  return function_(x);
}

bool ZeroWalk::has_enough() const {
  if (zeros_.size() < static_cast<std::size_t>(most_)) return false;
  return std::count_if(zeros_.begin(), zeros_.end(), [](const Zero& z) { return !z.touches; }) >= most_;
}

void ZeroWalk::look(const Piece& piece) {
  if (has_enough() || passes(piece)) return;
  const long allowed = budget_ + evaluations_per_zero * static_cast<long>(zeros_.size());
  const bool exhausted = evaluations_ > std::min(allowed, most_of_all);
  gave_up_ = gave_up_ || exhausted;
  if (exhausted || piece.to - piece.from <= least_)
    end_at(piece);
  else
    divide(piece);
}

/// True where the piece holds no zero, or one.
bool ZeroWalk::passes(const Piece& piece) {
  const Known known(piece);
  if (!known.finite) return false;
  const bool whole = piece.from == from_ && piece.to == to_;
  const double middle = 0.5 * (piece.from + piece.to);
  // Noise is asked for where the function is small beside what it is elsewhere, and does not jump.
  // What has left its noise is not taken back into it by its rounding.
  const bool small = (whole && !jumps(piece)) || known.size <= (side_ == 0 ? 1.0 : 0.5) * small_part * size_;
  // Or where it is rough on so short a way that rounding may be all there is to it.
  const bool rough = !known.good && piece.to - piece.from < 1e-3 * (to_ - from_) && !jumps(piece);
  const double noise = small || rough ? noise_(middle) : 0.0;
  if (small && known.size <= noise) {
    rest_in(piece);
    return true;
  }
  // What is rough by less than its noise is known as well as it can be.
  if (!known.good && !(known.tail <= rough_part * noise)) return false;
  const double room = room_to_zero(known.c) - known.margin;
  const bool no_zero =
      room > 0 && (room > small_part * size_ || room > clear_part * (small ? noise : noise_(middle)));
  // A polynomial of degree n that stays below 1 has a slope below n^2. What ends within noise may turn there.
  if (!no_zero && !(room_to_zero(derivative(known.c)) > degree * degree * known.margin)) return false;
  if (!no_zero &&
      (ends_in_noise(piece.from, piece.value.front()) || ends_in_noise(piece.to, piece.value.back())))
    return false;
  // One that falls towards zero and ends just above it may have a corner there that its points do not tell.
  const double front = piece.value.front(), back = piece.value.back();
  if (!no_zero && front * back > 0 && !(std::min(std::fabs(front), std::fabs(back)) > known.margin))
    return false;
  const double miss = at(piece.from + witness * (piece.to - piece.from)) - sum_at(known.c, 2 * witness - 1);
  if (!(std::fabs(miss) <= known.margin + rounding * known.size)) return false;
  enter(sign_of(no_zero ? known.c[0] : piece.value.back()), piece);
  return true;
}

/// Whether the sign at a division of the interval says nothing. (At its own ends it is taken as it is.)
bool ZeroWalk::ends_in_noise(double x, double value) {
  return x != from_ && x != to_ && std::fabs(value) <= small_part * size_ && std::fabs(value) <= noise_(x);
}

void ZeroWalk::divide(const Piece& piece) {
  const double middle = piece.from + division * (piece.to - piece.from);
  if (!(middle > piece.from && middle < piece.to)) return end_at(piece);
  Piece left{piece.from, middle, {}}, right{middle, piece.to, {}};
  left.value.front() = piece.value.front();
  right.value.back() = piece.value.back();
  left.value.back() = right.value.front() = at(middle);
  for (int j = 1; j < degree; ++j) left.value[j] = at(left.point(j));
  look(left);
  for (int j = 1; j < degree; ++j) right.value[j] = at(right.point(j));
  look(right);
}

/// As near as can be told: a jump or a corner, or rounding. A value that grows towards its change of sign has
/// a pole there, no zero; one that shrinks to next to nothing, or into its noise, and keeps its sign touches
/// zero.
void ZeroWalk::end_at(const Piece& piece) {
  const double front = piece.value.front(), end = piece.value.back();
  if (!std::isfinite(end)) return;
  const double width = 1000 * std::max(piece.to - piece.from, least_);
  const double ahead = std::max(from_, piece.from - width);
  const double before = at(ahead), after = at(std::min(to_, piece.to + width));
  const double here = std::min(std::fabs(front), std::fabs(end));
  // Noise says nothing where the function jumps: into a corner it falls half the way on half the way.
  const double half = at(0.5 * (ahead + piece.from)), fall = std::fabs(before) - here;
  const bool falls = std::fabs(end - front) <= 0.1 * fall && std::fabs(half) - here > 0.1 * fall &&
                     std::fabs(before) - std::fabs(half) > 0.1 * fall;
  const bool shrinks = here <= 0.003 * std::min(std::fabs(before), std::fabs(after)) ||
                       (fall > 0 && falls && here <= noise_(piece.to));
  const bool pole = side_ * end < 0 && !(here <= 2 * std::max(std::fabs(before), std::fabs(after)));
  if (pole)
    side_ = sign_of(end);
  else if (side_ * end > 0 && shrinks)
    rest_in(piece);
  else
    enter(sign_of(end), piece);
}

void ZeroWalk::enter(int side, const Piece& piece) {
  if (side == 0) return rest_in({piece.to, piece.to, {}});
  if (rest_)
    leave_rest(side, piece);
  else if (side_ != 0 && side != side_)
    zeros_.push_back({piece.from, piece.to, piece.value.front(), piece.value.back(), side_, false});
  side_ = side;
}

void ZeroWalk::rest_in(const Piece& piece) {
  if (rest_) {
    rest_->to = piece.to;
  } else if (side_ != 0) {
    rest_ = Rest{piece.from, piece.to, side_};
    side_ = 0;
  }
  if (rest_ && piece.to > piece.from && largest(piece.value) == 0) rest_->flat = true;
}

void ZeroWalk::leave_rest(int side, const Piece& piece) {
  if (side == rest_->before) {
    // In the noise around a zero it may seem to be left and met again.
    const bool again =
        !zeros_.empty() && zeros_.back().touches &&
        rest_->from - zeros_.back().to < std::max(1e5 * least_, zeros_.back().to - zeros_.back().from);
    const double x = lowest_point(*rest_);
    const double reach = 0.5 * (rest_->to - rest_->from);
    if (!again) zeros_.push_back({x - reach, x + reach, 0, 0, side, true});
  } else {
    zeros_.push_back({rest_->from, piece.to, 0, piece.value.back(), -side, false});
  }
  rest_.reset();
}

/// Where the slope is zero, read where values are well above their rounding: that is told far better than
/// the value's own zero. Where the slope is not zero around, the middle; what stays zero is so from its
/// beginning.
double ZeroWalk::lowest_point(const Rest& rest) {
  if (rest.flat) return rest.from;
  const double middle = 0.5 * (rest.from + rest.to);
  const double width = 300 * std::max(rest.to - rest.from, least_);
  Piece around{std::max(from_, middle - width), std::min(to_, middle + width), {}};
  if (!(around.to > around.from)) return middle;
  for (int j = 0; j <= degree; ++j) around.value[j] = at(around.point(j));
  const Values slope = derivative(around.coefficients());
  double a = -1, b = 1;
  const double sa = sum_at(slope, a), sb = sum_at(slope, b);
  if (!(sa * sb < 0)) return middle;
  for (int pass = 0; pass < 60; ++pass) {
    const double m = 0.5 * (a + b);
    (sum_at(slope, m) * sa > 0 ? a : b) = m;
  }
  // Where even the slope is flat it tells less than the rest itself.
  const double flat = around.from + 0.5 * (1 + 0.5 * (a + b)) * (around.to - around.from);
  return flat >= rest.from && flat <= rest.to ? flat : middle;
}

}  // namespace vinculum
