// What an instruction costs: one lane, and eight lanes divided by eight, for each vector unit the processor
// has. "per_op" is the time of one instruction on one lane; compare columns of one run only.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernel/evaluate.hpp"
#include "kernel/native/code.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum {
namespace {

struct Sample {
  Graph graph;
  std::vector<Expr> inputs, outputs;
  Kernel program;
  void compile() { program = Kernel(outputs, inputs); }
};

/// A rod between two particles, as a constraint of order 0: its row of A and its right side. About 20
/// instructions.
std::unique_ptr<Sample> rod() {
  auto s = std::make_unique<Sample>();
  for (const char* name :
       {"x", "y", "z", "x2", "y2", "z2", "vx", "vy", "vz", "vx2", "vy2", "vz2", "length"}) {
    s->inputs.push_back(s->graph.symbol(name));
  }
  const auto& q = s->inputs;
  Expr phi = -pow(q[12], 2);
  SymbolMap rates;
  for (int k = 0; k < 6; ++k) rates.set(q[k], q[6 + k]);
  for (int k = 0; k < 3; ++k) phi += pow(q[k] - q[3 + k], 2);
  s->outputs = gradient(phi, std::span(q).first(6));
  s->outputs.push_back(-time_derivative(time_derivative(phi, rates), rates));
  s->outputs.push_back(phi);
  s->compile();
  return s;
}

/// About 2,000 instructions: products and sums at random, 1 % quotients, 1 % roots, 64 outputs.
std::unique_ptr<Sample> random_program() {
  auto s = std::make_unique<Sample>();
  std::mt19937 random(1);
  std::vector<Expr> pool;
  for (int i = 0; i < 32; ++i)
    pool.push_back(s->inputs.emplace_back(s->graph.symbol("x" + std::to_string(i))));
  for (int i = 0; i < 2600; ++i) {
    const Expr a = pool[pool.size() - 1 - random() % std::min<std::size_t>(pool.size(), 300)];
    const Expr b = pool[random() % pool.size()];
    const auto kind = random() % 100;
    // Halved sums and roots of 1 + x^2 keep the values near 1: no overflow, no subnormal numbers.
    pool.push_back(kind == 0   ? a / (1 + b * b)
                   : kind == 1 ? sqrt(1 + b * b)
                   : kind < 45 ? a * b
                   : kind < 75 ? 0.5 * (a + b)
                               : a - 0.3 * b);
  }
  s->outputs.assign(pool.end() - 64, pool.end());
  s->compile();
  return s;
}

/// Sine and cosine of 64 angles and nothing else.
std::unique_ptr<Sample> circle() {
  auto s = std::make_unique<Sample>();
  for (int i = 0; i < 64; ++i) {
    s->inputs.push_back(s->graph.symbol("x" + std::to_string(i)));
    s->outputs.push_back(sin(s->inputs[i]));
    s->outputs.push_back(cos(s->inputs[i]));
  }
  s->compile();
  return s;
}

/// A triple pendulum's Lagrange equations, M and Q: what a model without element groups looks like.
std::unique_ptr<Sample> triple_pendulum() {
  auto s = std::make_unique<Sample>();
  std::vector<Expr> angle, rate;
  SymbolMap rates;
  for (const char* name : {"a", "b", "c"}) angle.push_back(s->inputs.emplace_back(s->graph.symbol(name)));
  for (const char* name : {"a'", "b'", "c'"}) rate.push_back(s->inputs.emplace_back(s->graph.symbol(name)));
  for (int k = 0; k < 3; ++k) rates.set(angle[k], rate[k]);
  Expr x = 0, y = 0, lagrangian = 0;
  for (int k = 0; k < 3; ++k) {
    x += (1 + 0.1 * k) * sin(angle[k]);
    y -= (1 + 0.1 * k) * cos(angle[k]);
    lagrangian += 0.5 * (pow(time_derivative(x, rates), 2) + pow(time_derivative(y, rates), 2)) - 9.81 * y;
  }
  for (int i = 0; i < 3; ++i) {
    const Expr momentum = derivative(lagrangian, rate[i]);
    for (int j = 0; j <= i; ++j) s->outputs.push_back(derivative(momentum, rate[j]));
    s->outputs.push_back(derivative(lagrangian, angle[i]) - time_derivative(momentum, rates));
  }
  s->compile();
  return s;
}

using Memory = std::unique_ptr<double, decltype(&std::free)>;

Memory registers_for(const Kernel& program, int stride) {
  const std::size_t bytes = (sizeof(double) * stride * program.register_count() + 63) / 64 * 64;
  Memory file(static_cast<double*>(std::aligned_alloc(64, bytes)), std::free);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(0.5, 1.5);
  for (int i = 0; i < stride * program.input_count(); ++i) file.get()[i] = value(random);
  prepare(program, file.get(), stride);
  return file;
}

void report(benchmark::State& state, const Kernel& program, int lanes) {
  const auto operations = static_cast<double>(program.code().size()) * lanes;
  state.counters["ops"] = static_cast<double>(program.code().size());
  state.counters["registers"] = program.register_count();
  state.counters["per_op"] = benchmark::Counter(
      operations, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void run_one(benchmark::State& state, const Sample& sample) {
  const Memory file = registers_for(sample.program, 1);
  for (auto step : state) {
    run(sample.program, file.get());
    benchmark::ClobberMemory();
  }
  report(state, sample.program, 1);
}

void run_eight(benchmark::State& state, const Sample& sample, kernel::Executor execute) {
  const Memory file = registers_for(sample.program, lane_count);
  for (auto step : state) {
    execute(sample.program.code().data(), file.get());
    benchmark::ClobberMemory();
  }
  report(state, sample.program, lane_count);
}

void run_native(benchmark::State& state, const Sample& sample, int lanes, int width) {
  const Memory file = registers_for(sample.program, lanes);
  const auto code = kernel::native::Code::of(sample.program, lanes, width);
  for (auto step : state) {
    benchmark::DoNotOptimize(code->run(file.get()));
    benchmark::ClobberMemory();
  }
  report(state, sample.program, lanes);
  state.counters["bytes"] = static_cast<double>(code->size());
}

void write_native(benchmark::State& state, const Sample& sample, int lanes, int width) {
  for (auto step : state) benchmark::DoNotOptimize(kernel::native::Code::of(sample.program, lanes, width));
  report(state, sample.program, 1);
}

void library_sincos(benchmark::State& state) {
  std::vector<double> x(64), s(64), c(64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 + i / 64.0;
  for (auto step : state) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      s[i] = std::sin(x[i]);
      c[i] = std::cos(x[i]);
    }
    benchmark::ClobberMemory();
  }
  state.counters["per_op"] =
      benchmark::Counter(64, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void compile_program(benchmark::State& state, const Sample& sample) {
  for (auto step : state) benchmark::DoNotOptimize(Kernel(sample.outputs, sample.inputs));
  report(state, sample.program, 1);
}

void register_sample(const std::string& name, std::shared_ptr<const Sample> sample) {
  benchmark::RegisterBenchmark(("kernel_" + name + "/one_lane").c_str(),
                               [sample](benchmark::State& state) { run_one(state, *sample); });
  for (const auto& [width, execute] : kernel::lane_executors()) {
    benchmark::RegisterBenchmark(
        ("kernel_" + name + "/eight_lanes_width_" + std::to_string(width)).c_str(),
        [sample, execute = execute](benchmark::State& state) { run_eight(state, *sample, execute); });
  }
  for (const int lanes : {1, lane_count})
    for (const int width : kernel::native::widths(lanes)) {
      const std::string form = "kernel_" + name + "/native_width_" + std::to_string(width);
      benchmark::RegisterBenchmark(form.c_str(), [sample, lanes, width](benchmark::State& state) {
        run_native(state, *sample, lanes, width);
      });
      benchmark::RegisterBenchmark(
          (form + "_compile").c_str(),
          [sample, lanes, width](benchmark::State& state) { write_native(state, *sample, lanes, width); });
    }
  benchmark::RegisterBenchmark(("kernel_" + name + "/compile").c_str(),
                               [sample](benchmark::State& state) { compile_program(state, *sample); });
}

const bool registered = [] {
  register_sample("rod", rod());
  register_sample("triple_pendulum", triple_pendulum());
  register_sample("random", random_program());
  register_sample("sin_cos", circle());
  benchmark::RegisterBenchmark("kernel_sin_cos/library", library_sincos);
  return true;
}();

}  // namespace
}  // namespace vinculum
