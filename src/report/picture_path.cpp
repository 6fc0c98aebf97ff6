#include "report/picture_path.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr double visible = 0.35;  // pixels

/// From p to the segment a b.
double distance_to(const Pixel& a, const Pixel& b, const Pixel& p) {
  const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
  const double part = length > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - part * x, p.y - a.y - part * y);
}

}  // namespace

long tenths(double pixels) { return std::lround(10 * std::clamp(pixels, -1e5, 1e5)); }

void PathText::number(long value) {
  const bool apart = !text_.empty() && text_.back() >= '0' && text_.back() <= '9' && value >= 0;
  if (apart) text_ += ' ';
  text_ += std::to_string(value);
}

void PathText::line(std::span<const Pixel> through) {
  if (through.empty()) return;
  long x = tenths(through[0].x), y = tenths(through[0].y);
  text_ += 'M';
  number(x);
  number(y);
  text_ += 'l';
  for (std::size_t i = 1; i < through.size(); ++i) {
    const long next_x = tenths(through[i].x), next_y = tenths(through[i].y);
    number(next_x - x);
    number(next_y - y);
    x = next_x;
    y = next_y;
  }
  if (through.size() == 1) text_ += "0 0";
}

/// A line of no length with round ends.
void PathText::dot(const Pixel& at) {
  text_ += 'M';
  number(tenths(at.x));
  number(tenths(at.y));
  text_ += "h0";
}

void PathText::shape(std::string_view commands, std::span<const Pixel> places) {
  long x = 0, y = 0;
  std::size_t next = 0;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    const char command = commands[k];
    if (k == 0 || command != commands[k - 1]) text_ += command;  // one letter for several of a kind
    const int taken = command == 'z' ? 0 : command == 'c' ? 3 : 1;
    long at_x = 0, at_y = 0;
    for (int p = 0; p < taken; ++p, ++next) {
      at_x = tenths(places[next].x);
      at_y = tenths(places[next].y);
      number(command == 'M' ? at_x : at_x - x);
      number(command == 'M' ? at_y : at_y - y);
    }
    if (taken > 0) {
      x = at_x;
      y = at_y;
    }
  }
}

std::vector<Pixel> zigzag(const Pixel& from, const Pixel& to) {
  const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
  const int teeth = zigzag_places - 4;  // besides the two ends and the two straight pieces
  const double half_width = length > 0 ? 4.5 / length : 0.0;
  std::vector<Pixel> out{from};
  const auto put = [&](double along, double side) {
    out.push_back({from.x + along * x - side * half_width * y, from.y + along * y + side * half_width * x});
  };
  put(0.12, 0);
  for (int k = 0; k < teeth; ++k) put(0.12 + 0.76 * (k + 0.5) / teeth, k % 2 ? -1 : 1);
  put(0.88, 0);
  out.push_back(to);
  return out;
}

namespace {

/// As long as half of `length`, and no longer than it looks well.
void draw_head(PathText& path, const Pixel& from, const Pixel& to, double length) {
  const double x = to.x - from.x, y = to.y - from.y, shaft = std::hypot(x, y);
  const double size = shaft > 0 ? std::min(5.0, 0.5 * length) / shaft : 0.0;
  const Pixel a{to.x - size * (x + 0.5 * y), to.y - size * (y - 0.5 * x)};
  const Pixel b{to.x - size * (x - 0.5 * y), to.y - size * (y + 0.5 * x)};
  path.line(std::array{a, to, b});
}

}  // namespace

void draw_arrow(PathText& path, const Pixel& from, const Pixel& to, bool head) {
  path.line(std::array{from, to});
  if (head) draw_head(path, from, to, std::hypot(to.x - from.x, to.y - from.y));
}

void draw_arc(PathText& path, std::span<const Pixel> through) {
  path.line(through);
  const Pixel &from = through[through.size() - 2], &to = through.back();
  draw_head(path, from, to, 4 * std::hypot(to.x - from.x, to.y - from.y));
}

std::vector<int> needed_places(const Mover& curve) {
  const int last = curve.places - 1, instants = static_cast<int>(curve.at.size()) / curve.places;
  for (int count = 2;; ++count) {
    std::vector<int> chosen(count);
    for (int k = 0; k < count; ++k) chosen[k] = static_cast<int>(std::lround(1.0 * k * last / (count - 1)));
    if (count >= curve.places) return chosen;
    double off = 0;
    for (int i = 0; i < instants && off <= visible; ++i)
      for (int k = 0; k + 1 < count; ++k)
        for (int p = chosen[k] + 1; p < chosen[k + 1]; ++p)
          off = std::max(off, distance_to(curve(i, chosen[k]), curve(i, chosen[k + 1]), curve(i, p)));
    if (off <= visible) return chosen;
  }
}

std::vector<int> needed_places(std::span<const Pixel> trail) {
  std::vector<int> chosen;
  if (trail.empty()) return chosen;
  // Each corner is as far along as the straight line from the last one allows.
  chosen.push_back(0);
  const int last = static_cast<int>(trail.size()) - 1;
  for (int from = 0; from < last;) {
    int to = from + 1;
    const auto straight = [&](int end) {
      for (int p = from + 1; p < end; ++p)
        if (distance_to(trail[from], trail[end], trail[p]) > visible) return false;
      return true;
    };
    while (to < last && straight(to + 1)) ++to;
    chosen.push_back(from = to);
  }
  return chosen;
}

}  // namespace vinculum
