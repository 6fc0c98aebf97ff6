// The data of a report: everything its page shows, as one JSON object. web/README.md says what is in it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vinculum/report/page.hpp"

namespace vinculum {

/// JSON that may stand inside a script element: no `<` is left in it.
std::string page_data(const Model& model, const System& system, const View& view, const Trajectory& motion,
                      const RunRecord& record, const Comparison* comparison = nullptr);

/// At most `limit` numbers of the instants to draw, in order: spread evenly, with the first, the last, and
/// for every series its extremes in each of as many stretches as the limit has room for.
std::vector<int> thinned(std::span<const std::vector<double>> series, int size, int limit);

/// Rounded to some significant digits, for drawing.
double rounded(double value, int digits);

/// Text as the content of an HTML element or attribute.
std::string escape_html(std::string_view text);

}  // namespace vinculum
