// Two times between which a value passes zero, drawn together.
#pragma once

namespace vinculum {

/// Whether a value that goes from `from` to `to` passes zero; a zero at the beginning does not count.
inline bool crosses(double from, double to) { return (from < 0 && to >= 0) || (from > 0 && to <= 0); }

/// The regula falsi with halving: whenever one end moves, the value at the other is halved, so
/// that the line between them soon passes zero on the far side and both ends come near.
struct Bracket {
  double from = 0, to = 0;
  double at_from = 0, at_to = 0;  // the value there, or what halving has left of it

  double middle() const { return 0.5 * (from + to); }
  /// Where the line between the ends is zero; every so many times the middle, in case the line is no guide.
  double guess(int pass, int every) const {
    return pass % every == every - 1 ? middle() : (from * at_to - to * at_from) / (at_to - at_from);
  }
  void move_from(double t, double value) {
    from = t;
    at_from = value;
    at_to *= 0.5;
  }
  void move_to(double t, double value) {
    to = t;
    at_to = value;
    at_from *= 0.5;
  }
};

}  // namespace vinculum
