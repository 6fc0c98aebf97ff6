// Lines on paper as SVG path text, in tenths of a pixel so that no decimal point is needed.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "report/picture_scene.hpp"

namespace vinculum {

class PathText {
 public:
  void line(std::span<const Pixel> through);
  void dot(const Pixel& at);
  /// M and l take a place each, c three (two that pull and one that is reached), z none.
  void shape(std::string_view commands, std::span<const Pixel> places);
  const std::string& text() const { return text_; }

 private:
  void number(long value);
  std::string text_;
};

/// Tenths of a pixel.
long tenths(double pixels);

/// The corners of a zigzag from one end of a spring to the other.
std::vector<Pixel> zigzag(const Pixel& from, const Pixel& to);

/// The outline of an arrow: its shaft, then its head.
void draw_arrow(PathText& path, const Pixel& from, const Pixel& to, bool head);

/// A line through all places, with a head at its end.
void draw_arc(PathText& path, std::span<const Pixel> through);

/// Which places of a curve have to be drawn so that nothing is off by more than a third of a pixel at any
/// instant.
std::vector<int> needed_places(const Mover& curve);

/// Which places of a trail are corners of a line that stays within a third of a pixel of it.
std::vector<int> needed_places(std::span<const Pixel> trail);

}  // namespace vinculum
