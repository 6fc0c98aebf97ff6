// Runs the benchmarks and closes with tables of ratios: ours over hand-written code or another engine, taken
// within this one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

/// Names are family/side/size. The smallest time over all repetitions counts: noise only ever adds.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      std::string name = run.benchmark_name();
      name = name.substr(0, name.find("/repeats"));
      const auto first = name.find('/'), second = name.find('/', first + 1);
      if (second == std::string::npos) continue;
      int size = 0;
      const char* const last = name.data() + name.size();
      if (std::from_chars(name.data() + second + 1, last, size).ptr != last) continue;
      double& best = families_[name.substr(0, first)][size][name.substr(first + 1, second - first - 1)];
      const double time = run.cpu_accumulated_time / static_cast<double>(run.iterations);
      best = best == 0 ? time : std::min(best, time);
    }
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    std::printf("\n| what | size | vinculum | beside | ratio |\n|---|---|---|---|---|\n");
    for (const auto& [family, sizes] : families_) {
      for (const auto& [size, sides] : sizes) {
        if (!sides.contains("vinculum")) continue;
        const double ours = sides.at("vinculum");
        bool alone = true;
        for (const auto& [side, theirs] : sides) {
          if (side == "vinculum") continue;
          alone = false;
          std::printf("| %s | %d | %s | %s %s | %.2f |\n", family.c_str(), size, unit(ours).c_str(),
                      unit(theirs).c_str(), side.c_str(), ours / theirs);
        }
        if (alone) std::printf("| %s | %d | %s | - | - |\n", family.c_str(), size, unit(ours).c_str());
      }
      if (sizes.size() >= 3) std::printf("| %s | growth | N^%.2f | | |\n", family.c_str(), exponent(sizes));
    }
  }

 private:
  using Sides = std::map<std::string, double>;
  using Sizes = std::map<int, Sides>;

  static std::string unit(double seconds) {
    char text[32];
    const double ns = seconds * 1e9;
    if (ns < 1e3)
      std::snprintf(text, sizeof text, "%.3g ns", ns);
    else if (ns < 1e6)
      std::snprintf(text, sizeof text, "%.3g us", ns / 1e3);
    else if (ns < 1e9)
      std::snprintf(text, sizeof text, "%.3g ms", ns / 1e6);
    else
      std::snprintf(text, sizeof text, "%.3g s", ns / 1e9);
    return text;
  }
  /// Least-squares slope of log time over log size.
  static double exponent(const Sizes& sizes) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [size, sides] : sizes) {
      if (!sides.contains("vinculum")) continue;
      const double x = std::log(size), y = std::log(sides.at("vinculum"));
      ++n, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }
  std::map<std::string, Sizes> families_;
};

}  // namespace

int main(int argc, char** argv) {
  // Repetitions in random order: a disturbance of the machine hits both sides alike.
  std::vector<char*> arguments(argv, argv + argc);
  char interleave[] = "--benchmark_enable_random_interleaving=true", repeat[] = "--benchmark_repetitions=5";
  char time[] = "--benchmark_min_time=0.1";
  arguments.insert(arguments.begin() + 1, {interleave, repeat, time});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
