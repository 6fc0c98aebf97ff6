// The program: arguments, output, exit codes. Nothing else in the project prints.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "examples/gallery.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/motion/simulate.hpp"

namespace {

constexpr int done = 0, not_computed = 1, bad_usage = 2;

vinculum::Road road_from(const std::string& name) {
  using vinculum::Road;
  for (const Road road : {Road::automatic, Road::fast, Road::robust, Road::lagrange, Road::gauss})
    if (name == vinculum::road_name(road)) return road;
  vinculum::fail("there is no road '" + name + "'; roads are automatic, fast, robust, lagrange, gauss");
}

void list_examples() {
  for (const auto& e : vinculum::examples::gallery())
    std::printf("%-20s %s\n", std::string(e.name).c_str(), std::string(e.why).c_str());
}

const vinculum::examples::Example& find_example(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& e : vinculum::examples::gallery()) {
    if (e.name == name) return e;
    names.emplace_back(e.name);
  }
  const std::string near = vinculum::nearest_name(name, names);
  vinculum::fail("there is no example '" + name + "'" +
                 (near.empty() ? "" : "; did you mean '" + near + "'?") + " ('vinculum example' lists them)");
}

int explain_example(const vinculum::examples::Example& example, const std::string& road) {
  const vinculum::System system(example.model());
  vinculum::SolveOptions options;
  options.road = road_from(road);
  const vinculum::Solution solution = solve(system, system.start(), options);
  std::printf("%s: %s\n\n%s", std::string(example.name).c_str(), std::string(example.why).c_str(),
              explain(system, system.start(), solution).c_str());
  if (solution.status == vinculum::Status::solved) return done;
  std::fprintf(stderr, "vinculum: %s\n", describe(system, solution).c_str());
  return not_computed;
}

int move_example(const vinculum::examples::Example& example, const vinculum::MotionOptions& options) {
  const vinculum::System system(example.model());
  const vinculum::Trajectory motion = simulate(system, options);
  std::printf("%s", summary(system, motion).c_str());
  if (motion.stop == vinculum::Stop::end || motion.stop == vinculum::Stop::event) return done;
  std::fprintf(stderr, "vinculum: %s\n", motion.reason.c_str());
  return not_computed;
}

int run(int argc, char** argv) {
  CLI::App app{"vinculum: motion that obeys equations"};
  app.set_version_flag("--version", std::string("vinculum ") + VINCULUM_VERSION);
  app.require_subcommand(1);
  auto* example =
      app.add_subcommand("example", "lists the built-in examples, explains the start of one, or moves it");
  std::string name, road = "automatic";
  example->add_option("NAME", name, "which example");
  example->add_option("--road", road, "automatic, fast, robust, lagrange or gauss");
  vinculum::MotionOptions motion;
  motion.samples = 1;
  auto* until = example->add_option("--until", motion.until, "computes its motion to this time instead");
  std::string methods = "how:";
  for (const auto& i : vinculum::integrators()) methods += " " + i.name;
  example->add_option("--integrator", motion.integrator, methods)->needs(until);
  example->add_option("--tolerance", motion.tolerance, "relative and absolute; 1e-9 unless said")
      ->needs(until);
  example->add_option("--step", motion.step, "largest step; the step of rk4")->needs(until);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? done : bad_usage;
  }
  if (!name.empty() && until->count() > 0) return move_example(find_example(name), motion);
  if (!name.empty()) return explain_example(find_example(name), road);
  list_examples();
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "vinculum: %s\n", e.what());
    return bad_usage;
  }
}
