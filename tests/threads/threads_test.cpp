// What is constant is shared by threads: everything that can be asked of a model and of a system made of it,
// from many threads at once, is what one thread gets, in every letter. `make threads` runs this under the
// thread sanitizer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/data.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/ensemble/run_study.hpp"
#include "vinculum/io/beginning.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/verify.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

constexpr int thread_count = 4;

std::string text_of(const std::string& example) {
  const auto folder = std::filesystem::path(test_data()).parent_path().parent_path() / "examples";
  std::ifstream file(folder / (example + ".toml"), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ModelFile read(const std::string& example) {
  ReadResult result = read_model(text_of(example), example);
  if (!result.file) throw std::runtime_error(example + " cannot be read");
  return std::move(*result.file);
}

MotionOptions asked(const ModelFile& file, Integrator integrator) {
  MotionOptions o;
  o.until = 0.05 * file.simulate.until.value_or(1.0);
  o.tolerance = 1e-6;
  o.integrator = integrator;
  o.samples = 3;
  return o;
}

/// All that is said of one instant, of the equations and of a short motion.
std::string said_of(const ModelFile& file, const System& system) {
  const Instant instant = examine(file.model, system, system.start());
  std::string said = explain(system, instant) + explain_json(system, instant) +
                     check_json(system, check(file.model, system, system.start())) +
                     derive_text(file.model, file.title) + derive_latex(file.model, file.title);
  for (const Integrator integrator : {Integrator::dop853, Integrator::radau5}) {
    const MotionOptions o = asked(file, integrator);
    Trajectory motion = simulate(system, o);
    motion.verification = verify(system, motion, o, small_work);
    motion.seconds = 0;  // the one thing that is another every time
    said += summary(system, motion) + run_json(system, motion, file.path);
  }
  const EnergyRate rate = energy_rate(system, system.start(), instant.solution.acceleration);
  return said + std::to_string(rate.value) + std::to_string(rate.terms);
}

template <class Work>
std::vector<std::string> from_threads(const Work& work) {
  std::vector<std::string> said(thread_count);
  std::vector<std::thread> threads;
  for (int k = 0; k < thread_count; ++k) threads.emplace_back([&, k] { said[k] = work(k); });
  for (std::thread& t : threads) t.join();
  return said;
}

/// Bodies and joints, friction, switches, rows on velocities, a programme, vakonomic motion.
const std::vector<std::string>& examples() {
  static const std::vector<std::string> names = {"four_bar", "rough_table",     "drag_pendulum", "servo_arm",
                                                 "skate",    "skate_vakonomic", "rolling_coin"};
  return names;
}

TEST(Threads, OneSystemTellsAllOfThemTheSame) {
  for (const std::string& example : examples()) {
    const ModelFile file = read(example);
    const std::string alone = said_of(file, System(file.model));
    const System shared(file.model);
    for (const std::string& said : from_threads([&](int) { return said_of(file, shared); }))
      EXPECT_EQ(said, alone) << example;
  }
}

/// Copies of a model share its expressions, and every one may go on to be another model.
TEST(Threads, CopiesOfOneModelBecomeSystemsOfTheirOwn) {
  const ModelFile file = read("double_pendulum");
  const auto added = [&](int k) {
    ModelFile mine = file;
    const Expr first = mine.model.coordinates().front().symbol;
    for (int term = 1; term <= 20; ++term)
      mine.model.output("out" + std::to_string(term), sin(first * (k + 1)) * term + pow(first, term));
    return said_of(mine, System(mine.model));
  };
  std::vector<std::string> alone;
  for (int k = 0; k < thread_count; ++k) alone.push_back(added(k));
  EXPECT_NE(alone[0], alone[1]);
  EXPECT_EQ(from_threads(added), alone);
}

TEST(Threads, ModelsAreReadSideBySide) {
  const auto all = [](int) {
    std::string said;
    for (const std::string& example : examples()) {
      const ModelFile file = read(example);
      said +=
          explain(System(file.model), examine(file.model, System(file.model), System(file.model).start()));
    }
    return said;
  };
  const std::string alone = all(0);
  for (const std::string& said : from_threads(all)) EXPECT_EQ(said, alone);
}

TEST(Threads, ValuesOfParametersAreThoseOfEachThread) {
  const ModelFile file = read("double_pendulum");
  const System living(file.model, std::vector<std::string>{"g"});
  const auto moved = [&](int k) {
    Parameters p = living.parameters();
    p["g"] = 1.0 + k;
    const System mine = living.with(p);
    const Trajectory motion = simulate(mine, asked(file, k % 2 ? Integrator::radau5 : Integrator::dop853));
    return std::to_string(motion.last.q[0]) + explain_json(mine, examine(file.model, mine, mine.start()));
  };
  std::vector<std::string> alone;
  for (int k = 0; k < thread_count; ++k) alone.push_back(moved(k));
  EXPECT_NE(alone[0], alone[2]);
  EXPECT_EQ(from_threads(moved), alone);
}

/// Members of a study are made and moved side by side: from one system, and read and compiled each by itself.
TEST(Threads, MembersOfAStudyAreThoseOfOneThread) {
  const ModelFile file = read("double_pendulum");
  const auto again = [](const Overrides& values) {
    ReadResult result = read_model(text_of("double_pendulum"), "double_pendulum", values);
    return std::move(*result.file);
  };
  Study study;
  study.axes = {evenly("g", 1, 20, 12)};
  const Family family(file, {}, study.names(), again, [](SimulateSettings&) {});
  const auto apart = [&](std::span<const double> values) {
    Beginning made = begin(again({{"g", number_text(values[0])}}), {.living = {"g"}});
    return Member{std::move(made.system), std::move(made.start), {}};
  };
  const std::vector<std::string> kept{family.system().coordinate_names()[0]};
  std::vector<double> first;
  for (const bool shared : {true, false})
    for (const int threads : {1, thread_count}) {
      std::vector<double> all(12);  // in their order: they come as they are done
      std::size_t came = 0;
      const MemberMaker make = [&](std::span<const double> values) {
        Member member = shared ? family.member(values) : apart(values);
        member.motion = asked(file, Integrator::dop853);
        return member;
      };
      StudyOptions how;
      how.threads = threads;
      ASSERT_TRUE(run_study(
          study, make, kept,
          [&](std::span<const MemberRow> rows) {
            for (const MemberRow& row : rows) all[static_cast<std::size_t>(row.member)] = row.kept[0];
            came += rows.size();
          },
          how));
      ASSERT_EQ(came, 12u);
      if (first.empty()) first = all;
      EXPECT_EQ(all, first) << shared << " " << threads;
    }
}

}  // namespace
}  // namespace vinculum
