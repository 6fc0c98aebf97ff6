// The derived equations of every example, shortened, against the engine at states that satisfy the
// constraints.
#include "vinculum/analysis/derive.hpp"
#include "support/data.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "analysis/derive_reader.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> examples() {
  std::vector<fs::path> list;
  const fs::path folder = fs::path(test_data()).parent_path().parent_path() / "examples";
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml") list.push_back(entry.path());
  std::ranges::sort(list);
  return list;
}

ModelFile read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  ReadResult result = read_model(text.str(), path.filename().string());
  if (!result.file) throw std::runtime_error(path.string() + " cannot be read");
  return std::move(*result.file);
}

/// Around the start, near enough for a linkage to keep its branch.
std::vector<State> around_start(const System& system, int count) {
  std::mt19937 draw(11);
  std::normal_distribution<double> step(0, 0.1);
  std::vector<State> list;
  for (int k = 0; k < count; ++k) {
    State s = system.start();
    s.t = std::abs(step(draw));
    for (double& q : s.q) q += step(draw);
    for (double& v : s.v) v += step(draw);
    list.push_back(s);
  }
  return list;
}

/// To rounding: what is shortened with sin^2 + cos^2 = 1, with angles that add and with the constraints.
TEST(DerivedExamples, SayWhatTheEngineComputesWhereTheirConstraintsHold) {
  derived::Compared all;
  int shortened = 0, on_constraints = 0;
  for (const fs::path& path : examples()) {
    const ModelFile file = read(path);
    const std::string name = path.stem().string();
    SCOPED_TRACE(name);
    const bool with_actuators = std::ranges::any_of(
        file.model.servos(), [](const Model::ServoData& s) { return !s.actuators.empty(); });
    if (with_actuators) continue;  // derive refuses them, and says why
    const System system(file.model);
    const Derivation page = derivation(DeriveFormat::text, file.model, name);
    shortened += page.length < page.length_as_stated;
    on_constraints += !page.on_constraints.empty();
    EXPECT_LE(page.length, page.length_as_stated);
    derived::Compared here;
    derived::compare_page(name, system, file.model, page.text,
                          derived::satisfying(system, around_start(system, 5)), here);
    EXPECT_GT(here.states, 0) << "no state was compared";
    all.accelerations += here.accelerations, all.forces += here.forces, all.multipliers += here.multipliers,
        all.gauss += here.gauss;
  }
  EXPECT_GT(shortened, 25);
  EXPECT_GT(on_constraints, 10);
  EXPECT_GT(all.accelerations, 300);
  EXPECT_GT(all.forces, 200);
  EXPECT_GT(all.multipliers, 50);
  EXPECT_GT(all.gauss, 100);
}

}  // namespace
}  // namespace vinculum
