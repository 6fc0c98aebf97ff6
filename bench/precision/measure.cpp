// Timing, and reading a time off the points measured.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "bench/precision/study.hpp"

namespace vinculum::precision {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double error_of(const Run& run, const std::vector<double>& end) {
  double worst = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double miss = std::abs(run.q[i] - end[i]);
    if (!(miss <= worst)) worst = miss;  // also when it is not a number
  }
  return worst;
}

/// Half decades, down to where rounding is all that is left.
std::vector<double> tolerances() {
  std::vector<double> all;
  for (int i = 6; i <= 30; ++i) all.push_back(std::pow(10.0, -0.5 * i));
  return all;
}

Curve first_round(const Problem& problem, const Solver& solver) {
  Curve curve{solver.family, solver.name, {}};
  for (const double tolerance : tolerances()) {
    const Run run = solver.run(tolerance);
    if (!run.finished) continue;
    const double error = error_of(run, problem.end);
    if (!std::isfinite(error)) continue;
    curve.points.push_back({tolerance, std::numeric_limits<double>::infinity(), error,
                            problem.violation(run.q), run.evaluations});
  }
  return curve;
}

/// The points that no cheaper one beats, the cheapest first.
std::vector<Point> frontier(const Curve& curve) {
  std::vector<Point> points = curve.points, best;
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.seconds < b.seconds; });
  for (const Point& p : points)
    if (best.empty() || p.error < best.back().error) best.push_back(p);
  return best;
}

}  // namespace

double seconds_of(const std::function<void()>& call) {
  // Batches of a millisecond at least, so that the clock's own step does not count; noise only ever adds.
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  int batch = 1;
  for (int samples = 0; samples < 3 && spent < 0.5;) {
    const double began = processor_seconds();
    for (int i = 0; i < batch; ++i) call();
    const double took = processor_seconds() - began;
    spent += took;
    if (took < 1e-3) {
      batch *= took < 1e-4 ? 8 : 2;
      continue;
    }
    best = std::min(best, took / batch);
    ++samples;
  }
  return best;
}

std::vector<Curve> measure(const Problem& problem) {
  std::vector<Curve> curves;
  for (const Solver& solver : problem.solvers) curves.push_back(first_round(problem, solver));
  // Rounds over all solvers: a disturbance of the machine hits everybody alike.
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i < curves.size(); ++i)
      for (Point& point : curves[i].points) {
        const double took = seconds_of([&] { problem.solvers[i].run(point.tolerance); });
        point.seconds = std::min(point.seconds, took);
      }
  return curves;
}

std::optional<double> time_at(const Curve& curve, double error) {
  const std::vector<Point> best = frontier(curve);
  if (best.empty() || best.back().error > error) return std::nullopt;
  if (best.front().error <= error) return best.front().seconds;
  const auto after = std::find_if(best.begin(), best.end(), [&](const Point& p) { return p.error <= error; });
  const Point &from = *(after - 1), &to = *after;
  if (to.error <= 0) return to.seconds;
  const double part = std::log(error / from.error) / std::log(to.error / from.error);
  return from.seconds * std::pow(to.seconds / from.seconds, part);
}

Point point_at(const Curve& curve, double error) {
  const std::vector<Point> best = frontier(curve);
  if (best.empty()) return {};
  for (const Point& p : best)
    if (p.error <= error) return p;
  return best.back();
}

}  // namespace vinculum::precision
