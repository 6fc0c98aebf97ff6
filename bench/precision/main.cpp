// Work against precision: what a motion costs by the error it ends with, beside hand-written right sides in
// Boost.odeint and SUNDIALS.
//     vinculum_precision [--points] [pendulum] [loop] [squeezer] [four_bar] [bodies] [memory]
//     (all of them without a name)
#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/precision/study.hpp"

namespace vinculum::precision {
namespace {

constexpr double errors[] = {1e-6, 1e-9, 1e-12};

std::string text(const char* format, double value) {
  char out[32];
  std::snprintf(out, sizeof out, format, value);
  return out;
}
std::string milliseconds(std::optional<double> seconds) {
  return seconds ? text("%.3g ms", *seconds * 1e3) : "not reached";
}

struct Best {
  std::optional<double> seconds;
  std::string solver;
};
/// The fastest solver of a family at an error.
Best best_of(const std::vector<Curve>& curves, Family family, double error) {
  Best best;
  for (const Curve& curve : curves) {
    const auto seconds = time_at(curve, error);
    if (curve.family == family && seconds && (!best.seconds || *seconds < *best.seconds))
      best = {seconds, curve.solver};
  }
  return best;
}

void print_points(const std::vector<Curve>& curves) {
  std::printf(
      "| solver | tolerance | time | error | violation [m] | evaluations |\n|---|---|---|---|---|---|\n");
  for (const Curve& curve : curves)
    for (const Point& p : curve.points)
      std::printf("| %s | %.1e | %.4g ms | %.1e | %.1e | %ld |\n", curve.solver.c_str(), p.tolerance,
                  p.seconds * 1e3, p.error, p.violation, p.evaluations);
  std::printf("\n");
}

/// The ratios stand in the order of the errors: their time over that of our fastest integrator there.
void print_curves(const Problem& problem, const std::vector<Curve>& curves) {
  std::printf(
      "| %s | error 1e-6 | 1e-9 | 1e-12 | evaluations | violation left | over ours at 1e-6, 1e-9, 1e-12 |\n",
      problem.title.c_str());
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const Curve& curve : curves) {
    std::string row = "| " + curve.solver + " |", ratios;
    for (const double error : errors) {
      const auto theirs = time_at(curve, error), ours = best_of(curves, Family::vinculum, error).seconds;
      row += " " + milliseconds(theirs) + " |";
      ratios += (ratios.empty() ? " " : ", ") + (theirs && ours ? text("%.2f", *theirs / *ours) : "-");
    }
    const Point at = point_at(curve, 1e-9);
    std::printf("%s %ld | %.0e m |%s |\n", row.c_str(), at.evaluations, at.violation, ratios.c_str());
  }
  std::printf("\n");
}

struct Study {
  std::string title;
  std::vector<Curve> curves;
};

/// Our fastest integrator against the fastest of each side, at every error.
void print_summary(const std::vector<Study>& studies) {
  std::printf(
      "| fastest of each side | error | vinculum | by hand | ours / by hand (asked: at most 8) | SUNDIALS | "
      "SUNDIALS / ours (asked: above 1, 2 at 1e-9) |\n|---|---|---|---|---|---|---|\n");
  const auto cell = [](const Best& best) {
    return best.seconds ? milliseconds(best.seconds) + " " + best.solver : milliseconds(best.seconds);
  };
  const auto ratio = [](const Best& above, const Best& below) {
    return above.seconds && below.seconds ? text("%.2f", *above.seconds / *below.seconds) : std::string("-");
  };
  for (const auto& [title, curves] : studies)
    for (const double error : errors) {
      const Best ours = best_of(curves, Family::vinculum, error),
                 hand = best_of(curves, Family::odeint, error);
      const Best sundials = best_of(curves, Family::sundials, error);
      std::printf("| %s | %.0e | %s | %s | %s | %s | %s |\n", title.c_str(), error, cell(ours).c_str(),
                  cell(hand).c_str(), ratio(ours, hand).c_str(), cell(sundials).c_str(),
                  ratio(sundials, ours).c_str());
    }
  std::printf("\n");
}

Study study(const Problem& problem, bool points) {
  Study result{problem.title, measure(problem)};
  if (points) print_points(result.curves);
  print_curves(problem, result.curves);
  return result;
}

int run(const std::set<std::string>& asked) {
  const bool points = asked.contains("--points");
  const auto wanted = [&](const char* name) {
    return asked.size() == (points ? 1u : 0u) || asked.contains(name);
  };
  const std::set<std::string> known{"--points", "pendulum", "loop",  "squeezer",
                                    "four_bar", "bodies",   "memory"};
  for (const std::string& word : asked)
    if (!known.contains(word)) {
      std::fprintf(stderr,
                   "vinculum_precision: '%s' is none of --points, pendulum, loop, squeezer, four_bar, "
                   "bodies, memory\n",
                   word.c_str());
      return 2;
    }
#ifndef VINCULUM_SUNDIALS
  std::printf(
      "SUNDIALS is not part of this program: 'apt-get install libsundials-dev' (530 MB with what it needs) "
      "and 'make precision' again adds its rows.\n\n");
#endif
  std::printf(
      "Processor time of one trajectory; evaluations and violation at error 1e-9 or the best error "
      "reached.\n\n");
  std::vector<Study> studies;
  if (wanted("pendulum")) studies.push_back(study(pendulum(), points));
  if (wanted("loop")) studies.push_back(study(loop(), points));
  if (wanted("squeezer")) studies.push_back(study(squeezer(), points));
  if (!studies.empty()) print_summary(studies);
  if (wanted("four_bar")) four_bar();
  if (wanted("bodies")) four_bar_of_bodies();
  if (wanted("memory")) allocations();
  return 0;
}

}  // namespace
}  // namespace vinculum::precision

int main(int argc, char** argv) { return vinculum::precision::run({argv + 1, argv + argc}); }
