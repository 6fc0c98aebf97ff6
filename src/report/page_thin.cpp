// Fewer instants for drawing.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "report/page_data.hpp"

namespace vinculum {
namespace {

/// The places of the smallest and the largest finite value in [from, to).
void add_extremes(const std::vector<double>& values, int from, int to, std::vector<char>& chosen) {
  int low = -1, high = -1;
  for (int i = from; i < to; ++i) {
    if (!std::isfinite(values[i])) continue;
    if (low < 0 || values[i] < values[low]) low = i;
    if (high < 0 || values[i] > values[high]) high = i;
  }
  if (low < 0) return;
  chosen[low] = 1;
  chosen[high] = 1;
}

}  // namespace

std::vector<int> thinned(std::span<const std::vector<double>> series, int size, int limit) {
  std::vector<char> chosen(size, size <= limit);
  if (size > limit) {
    const int even = std::max(2, limit / 2);
    for (int i = 0; i < even; ++i) chosen[std::llround(static_cast<double>(i) * (size - 1) / (even - 1))] = 1;
    const int room = limit - even;
    // Of very many series there is no room for the extremes of each.
    const int stretches = room / (2 * std::max(1, static_cast<int>(series.size())));
    for (const std::vector<double>& values : series)
      for (long long k = 0; k < stretches; ++k)
        add_extremes(values, static_cast<int>(k * size / stretches),
                     static_cast<int>((k + 1) * size / stretches), chosen);
  }
  std::vector<int> result;
  for (int i = 0; i < size; ++i)
    if (chosen[i]) result.push_back(i);
  return result;
}

double rounded(double value, int digits) {
  if (!std::isfinite(value)) return value;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
  double result = value;
  std::from_chars(text, end.ptr, result);
  return result;
}

}  // namespace vinculum
