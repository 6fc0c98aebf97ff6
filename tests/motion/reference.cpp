#include "motion/reference.hpp"
#include "support/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace vinculum::reference {
namespace {

double leading_number(const std::string& text, const std::string& what) {
  try {
    return std::stod(text);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(what + " is \"" + text + "\", which does not begin with a number");
  }
}

Row read_row(const nlohmann::json& entry, int trusted_digits) {
  Row row{.t = 0, .trusted = std::pow(10.0, -trusted_digits), .values = {}};
  for (const auto& [key, value] : entry.items()) {
    if (key == "branch") {
      row.branch = value.get<std::string>();
      continue;
    }
    const double x = leading_number(value.get<std::string>(), key);
    if (key == "t")
      row.t = x;
    else if (key == "digits")
      row.trusted = std::pow(10.0, -x);
    else
      row.values.emplace(key, x);
  }
  return row;
}

Quantities observed(const Model& model, const Sample& at, const More& more) {
  Quantities found = more ? more(at) : Quantities{};
  for (std::size_t i = 0; i < model.coordinates().size(); ++i)
    found.emplace(model.coordinates()[i].name, at.q[i]);
  for (std::size_t i = 0; i < model.velocities().size(); ++i)
    found.emplace(model.velocities()[i].name, at.v[i]);
  for (std::size_t i = 0; i < model.outputs().size(); ++i)
    found.emplace(model.outputs()[i].name, at.outputs[i]);
  return found;
}

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", x);
  return text;
}

void expect_run(const Case& reference, const Model& model, const System& system, const Demand& run,
                const More& more) {
  Accuracy accuracy{.name = reference.name(), .run = run};
  for (const Row& row : reference.rows()) {
    if (row.t > run.until || row.branch != run.branch) continue;
    MotionOptions options;
    options.until = row.t;
    options.tolerance = run.tolerance;
    options.absolute_tolerance = run.absolute_tolerance;
    options.integrator = integrator_named(run.integrator).value();
    options.samples = 1;
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end) << "asked for t = " << row.t << ": " << motion.reason;
    ASSERT_DOUBLE_EQ(motion.back().t, row.t);
    const Quantities found = observed(model, motion.back(), more);
    for (const auto& [name, expected] : row.values) {
      ASSERT_TRUE(found.contains(name)) << "the model does not say what '" << name << "' is";
      const double x = found.at(name);
      const double error = std::fabs(x - expected) / (1 + std::fabs(expected));
      const double factor = run.magnified ? run.magnified(name) : 1.0;
      EXPECT_LE(error, std::max(factor * run.allowed, row.trusted))
          << name << " = " << x << " at t = " << row.t << ", reference " << expected;
      if (error >= accuracy.worst) {
        accuracy.worst = error;
        accuracy.quantity = name + " at " + short_text(row.t);
      }
    }
    accuracy.steps = motion.steps;
    accuracy.evaluations = motion.evaluations;
  }
  record(accuracy);
}

}  // namespace

Case::Case(const std::string& name) : name_(name) {
  std::ifstream file(test_data() + "/reference/" + name + ".json");
  if (!file) throw std::invalid_argument("there is no reference case '" + name + "'");
  const nlohmann::json data = nlohmann::json::parse(file);
  for (const char* part : {"parameters", "initial"})
    for (const auto& [key, value] : data[part].items()) {
      const std::string path = std::string(part) + "/" + key;
      if (value.is_string()) texts_.emplace(path, value.get<std::string>());
      for (std::size_t k = 0; value.is_array() && k < value.size(); ++k)
        texts_.emplace(path + "[" + std::to_string(k) + "]", value[k].get<std::string>());
    }
  for (const auto& entry : data["reference"]) rows_.push_back(read_row(entry, data["trusted_digits"]));
}

double Case::number(const char* part, const std::string& name) const {
  const std::string key = std::string(part) + "/" + name;
  const auto found = texts_.find(key);
  if (found == texts_.end()) throw std::invalid_argument(name_ + " has no " + key);
  return leading_number(found->second, key);
}

void Case::expect_says(const std::string& name, const std::string& formula) const {
  const auto parameter = texts_.find("parameters/" + name), initial = texts_.find("initial/" + name);
  const auto found = parameter != texts_.end() ? parameter : initial;
  ASSERT_NE(found, texts_.end()) << name_ << " says nothing of " << name;
  EXPECT_EQ(found->second, formula) << name_ << ", " << name;
}

std::vector<Demand> standard_demands(const Demand& run) {
  std::vector<Demand> runs;
  for (const double tolerance : {1e-9, 1e-12}) {
    runs.push_back(run);
    runs.back().tolerance = tolerance;
    runs.back().allowed = 10 * tolerance;
  }
  if (run.integrator == Demand().integrator) {
    runs.push_back(runs.back());
    runs.back().integrator = "taylor";
  }
  return runs;
}

double snap_through(const std::string& quantity) {
  return quantity.ends_with("_ddot") ? 40 : quantity.ends_with("_dot") ? 24 : 1;
}

void expect_reproduced(const Case& reference, const Model& model, const std::vector<Demand>& runs,
                       const More& more) {
  const System system(model);
  for (const Demand& run : runs) {
    SCOPED_TRACE(reference.name() + " by " + run.integrator + " at tolerance " + short_text(run.tolerance));
    expect_run(reference, model, system, run, more);
  }
}

void record(const Accuracy& accuracy) {
  const char* const path = std::getenv("VINCULUM_ACCURACY");
  if (path == nullptr) return;
  const bool is_new = !std::ifstream(path);
  std::ofstream out(path, std::ios::app);
  if (is_new)
    out << "| case | method | tolerance | worst error | of | steps | evaluations |\n"
        << "|---|---|---|---|---|---|---|\n";
  out << "| " << accuracy.name << " | " << accuracy.run.integrator << " | "
      << short_text(accuracy.run.tolerance) << " | " << short_text(accuracy.worst) << " | "
      << accuracy.quantity << " | " << accuracy.steps << " | " << accuracy.evaluations << " |\n";
}

Point point(Model& model, const std::array<const char*, 2>& names, const Expr& mass,
            const std::array<double, 2>& start, const std::array<double, 2>& velocity) {
  Point p{model.coordinate(names[0], {start[0], velocity[0]}),
          model.coordinate(names[1], {start[1], velocity[1]})};
  model.mass(p.x, mass);
  model.mass(p.y, mass);
  return p;
}

}  // namespace vinculum::reference
