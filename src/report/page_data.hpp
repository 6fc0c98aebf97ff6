// The data of a report: everything its page shows, as one JSON object. web/README.md says what is in it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/report/page.hpp"

namespace vinculum {

/// JSON that may stand inside a script element: no `<` is left in it.
std::string page_data(const Model& model, const System& system, const View& view, const Trajectory& motion,
                      const RunRecord& record, const Comparison* comparison = nullptr);

/// How much of a motion a page draws at most.
struct DrawnAtMost {
  int instants = 2000;        ///< in a plot
  double values = 2'000'000;  ///< in all plots: many series have fewer instants each
  int frames = 600;           ///< in the replay
  double numbers = 300'000;   ///< in the replay, over all frames: a net gets fewer frames
};
/// The part of it that is about the motion alone, as JSON without a `<`.
std::string motion_data(const Model& model, const System& system, const View& view, const Trajectory& motion,
                        const Units& units, const DrawnAtMost& limits);

/// A page with this title and these data.
std::string page_with(std::string_view title, std::string_view data);

/// At most `limit` numbers of the instants to draw, in order: spread evenly, with the first, the last, and
/// for every series its extremes in each of as many stretches as the limit has room for.
std::vector<int> thinned(std::span<const std::vector<double>> series, int size, int limit);

/// Rounded to some significant digits, for drawing.
double rounded(double value, int digits);

/// Text as the content of an HTML element or attribute.
std::string escape_html(std::string_view text);

}  // namespace vinculum
