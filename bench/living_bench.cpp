// Living parameters: other values of them against compiling again, and their kernels against those of
// numbers.
#include <benchmark/benchmark.h>

#include "bench/particles.hpp"
#include "bench/rods.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum::bench {
namespace {

/// The chain of particles with a mass, a length of each rod and a gravity that are parameters.
Model chain_of_parameters(int n) {
  const RodNet net = chain(n);
  Model m;
  const Expr g = m.parameter("g", gravity), mass = m.parameter("m", 1.2), scale = m.parameter("scale", 0.9);
  m.gravity({0.0, -g, 0.0});
  Vector before{0.0, 0.0, 0.0};
  for (int i = 1; i <= n; ++i) {
    const auto& p = net.place[i];
    const Vector at = m.particle(
        "p" + std::to_string(i),
        {.mass = mass, .position = {scale * p[0], scale * p[1], scale * p[2]}, .velocity = net.velocity(i)});
    m.constrain("rod" + std::to_string(i), norm_squared(at - before), pow(scale, 2));
    before = at;
  }
  return m;
}

/// The same rods as rigid bodies, whose mass, inertia and weight are parameters; `shaped`: and their length,
/// which moves every body and every joint.
Model links_of_parameters(int n, bool shaped) {
  Model m;
  const Expr g = m.parameter("g", rod_gravity), mass = m.parameter("m", 1.2),
             length = m.parameter("scale", 0.9);
  m.gravity({0.0, -g, 0.0});
  const Expr size = shaped ? length : Expr(1.0);
  Part before;
  for (int i = 0; i < n; ++i) {
    const Expr across = mass * pow(length, 2) / 12;
    const Body body = m.body("rod" + std::to_string(i),
                             {.mass = mass,
                              .inertia = {rod_inertia_along * mass, across, across, 0.0, 0.0, 0.0},
                              .position = {size * (i + 0.5), 0, 0},
                              .omega_body = {0, 0.1 * i, 0.3}});
    m.joint("hinge" + std::to_string(i), before, body,
            {.type = JointType::spherical, .point = {size * i, 0, 0}});
    before = body;
  }
  return m;
}

/// Ready for the next evaluation: the values, and a workspace that has them.
void change(benchmark::State& run, const Model& model) {
  const System system(model, model.parameter_names());
  Workspace work(system);
  Parameters p = system.parameters();
  std::vector<double> q(system.start().q);
  double next = 1;
  for (auto _ : run) {
    p["m"] = next = next == 1 ? 1.25 : 1;
    p["scale"] = 2 - next / 2;
    const System other = system.with(p);
    renormalise(other, q, work);
    benchmark::DoNotOptimize(&other);
  }
}

void accelerated(benchmark::State& run, const Model& model, bool lives) {
  const System system(model, lives ? model.parameter_names() : std::vector<std::string>());
  Workspace work(system);
  const State state = system.start();
  const Mode mode;
  std::vector<double> acceleration(state.v.size());
  for (auto _ : run) {
    accelerate(system, state, mode, work, acceleration);
    benchmark::DoNotOptimize(acceleration.data());
  }
}

int register_all() {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& run) { function(run, arguments()...); });
  };
  const auto yes = [] { return true; };
  const auto no = [] { return false; };
  for (const int n : {1, 4, 10, 1000}) {
    const auto particles = [n] { return chain_of_parameters(n); };
    const auto links = [n] { return links_of_parameters(n, false); };
    const auto shaped = [n] { return links_of_parameters(n, true); };
    const std::string size = std::to_string(n);
    add("living_chain_change/vinculum/" + size, change, particles);
    add("living_chain/vinculum/" + size, accelerated, particles, yes);
    add("living_chain_of_numbers/vinculum/" + size, accelerated, particles, no);
    if (n > 10) continue;
    add("living_links_change/vinculum/" + size, change, links);
    add("living_links/vinculum/" + size, accelerated, links, yes);
    add("living_links_of_numbers/vinculum/" + size, accelerated, links, no);
    add("living_shape_change/vinculum/" + size, change, shaped);
    add("living_shape/vinculum/" + size, accelerated, shaped, yes);
  }
  return 0;
}
const int registered = register_all();

}  // namespace
}  // namespace vinculum::bench
