// Members that are stepped by the source for devices, compiled for this processor, beside those of the
// engine.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <regex>

#include "device/examples.hpp"
#include "device/host_device.hpp"
#include "device/source.hpp"
#include "support/message.hpp"
#include "support/sanitized.hpp"
#include "vinculum/device/run_on_device.hpp"
#include "vinculum/system/accelerate.hpp"

namespace vinculum {
namespace {

using test::example_text;
using test::HostDevice;
using test::StudyOf;

Study spread(std::vector<Draw> draws, long count) {
  Study study;
  study.draws = std::move(draws);
  study.draws_each = count;
  return study;
}

struct Outcome {
  std::vector<MemberRow> device, engine;
  DeviceReport report;
};

Outcome both(const StudyOf& of, const std::vector<std::string>& kept,
             test::Contraction contraction = test::Contraction::off) {
  Outcome out;
  const auto into = [](std::vector<MemberRow>& all) {
    return [&all](std::span<const MemberRow> rows) { all.insert(all.end(), rows.begin(), rows.end()); };
  };
  HostDevice device(contraction);
  EXPECT_TRUE(
      run_on_device(of.study, of.maker(), of.example(), kept, into(out.device), {}, device, out.report));
  EXPECT_TRUE(run_study(of.study, of.maker(), kept, into(out.engine)));
  std::ranges::sort(out.engine, {}, &MemberRow::member);  // they come as they are done
  return out;
}

/// The same ends, and numbers within so many times the tolerance of their size.
void expect_agreement(const Outcome& out, const std::vector<std::string>& kept, double unit, double times) {
  ASSERT_EQ(out.device.size(), out.engine.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    double size = 0, most = 0;
    long worst = 0;
    for (const MemberRow& row : out.engine)
      if (std::isfinite(row.kept[k])) size = std::max(size, std::fabs(row.kept[k]));
    for (std::size_t i = 0; i < out.engine.size(); ++i) {
      const MemberRow &a = out.device[i], &b = out.engine[i];
      ASSERT_EQ(a.member, b.member);
      ASSERT_EQ(a.varied, b.varied);
      ASSERT_EQ(a.end, b.end) << "member " << i << a.reason << b.reason;
      if (std::isnan(a.kept[k]) && std::isnan(b.kept[k])) continue;
      const double miss = std::fabs(a.kept[k] - b.kept[k]);
      if (!(miss <= most)) most = miss, worst = static_cast<long>(i);
    }
    EXPECT_LE(most, times * unit * size)
        << kept[k] << " of member " << worst << ": " << out.device[worst].kept[k] << " where the engine has "
        << out.engine[worst].kept[k] << ", off by " << most / (unit * size) << " tolerances";
  }
}

void with_method(Integrator method, double tolerance, SimulateSettings& s) {
  s.integrator = method;
  s.tolerance = tolerance;
}

// --- The right side ------------------------------------------------------------------------------

/// The largest difference of an acceleration from the engine's, in roundings of the largest.
double roundings_off(const std::string& text, const std::vector<std::string>& living) {
  Study study;
  for (const std::string& name : living) study.draws.push_back({name, Distribution::uniform, 0.9, 1.1});
  const StudyOf of(text, study);
  const device::DeviceMotion motion(of.family.system(), motion_options(of.file.simulate), {});
  EXPECT_TRUE(motion.obstacles().empty());
  const test::CompiledText compiled(
      motion.source() +
      "ENTRY slope_of_test(const double* asked, const double* sizes, double t, const double* y, double* f) "
      "{\n"
      "  Member m;\n  begin(m, asked, sizes);\n  double l[n_rows + 1];\n"
      "  if (!slope(m, t, y, f, l)) f[n_q] = value_of(0x7ff8000000000000ull);\n}\n");
  const auto slope = reinterpret_cast<void (*)(const double*, const double*, double, const double*, double*)>(
      compiled.function("slope_of_test"));
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 1);
  std::vector<double> values(study.draws.size()), asked(motion.asked_width()),
      sizes(motion.sizes_width(), 1.0);
  double worst = 0;
  for (long member = 0; member < 20; ++member) {
    study.values_of(0, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = study.draws[k].at(0.05 * static_cast<double>(member));
    const Member made = of.family.member(values);
    motion.ask(made, asked);
    State at = made.start;
    at.t = 0.3;
    for (double& q : at.q) q += 0.05 * normal(random);
    for (double& v : at.v) v += 0.5 * normal(random);
    std::vector<double> y = at.q, f(at.q.size() + at.v.size()), want(at.v.size()), rate(at.q.size());
    y.insert(y.end(), at.v.begin(), at.v.end());
    slope(asked.data(), sizes.data(), at.t, y.data(), f.data());
    Workspace work(made.system);
    EXPECT_EQ(accelerate(made.system, at, {}, work, want).status, Status::solved);
    rates(made.system, at, work, rate);
    want.insert(want.begin(), rate.begin(), rate.end());
    double size = 0;
    for (const double a : want) size = std::max(size, std::fabs(a));
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double off = std::fabs(f[i] - want[i]) / (size * std::numeric_limits<double>::epsilon());
      if (!(off <= worst)) worst = off;
    }
  }
  return worst;
}

TEST(DeviceMotion, HasTheAccelerationsOfTheEngine) {
  // Rows make it the same kernel; without rows the engine has another order of sums.
  EXPECT_EQ(roundings_off(example_text("spherical_pendulum"), {"m", "g"}), 0);
  EXPECT_EQ(roundings_off(example_text("elastic_pendulum"), {}), 0);
  EXPECT_LE(roundings_off(example_text("double_pendulum"), {"m1", "l2"}), 1e3);
  EXPECT_LE(roundings_off(example_text("heavy_top"), {"m"}), 1e3);
  EXPECT_LE(roundings_off(example_text("dzhanibekov"), {}), 1e3);
}

// --- Motions -------------------------------------------------------------------------------------

struct Case {
  std::string example;
  std::vector<Draw> draws;
  std::vector<std::string> kept;
  double until;
  /// Its rows nearly depend on each other in some members: these are the engine's, and near such places it
  /// has another way with fixed steps.
  bool nearly_depends = false;
};
std::vector<Case> cases() {
  return {
      {"pendulum",
       {{"m", Distribution::uniform, 0.5, 2}, {"g", Distribution::uniform, 5, 15}},
       {"x", "y'", "tension", "energy"},
       3},
      {"spherical_pendulum",
       {{"tilt", Distribution::uniform, 0.5, 1.5}, {"L", Distribution::uniform, 1, 2}},
       {"x", "z'", "tension", "spin"},
       3},
      {"double_pendulum",
       {{"m2", Distribution::uniform, 0.5, 1}, {"a1", Distribution::uniform, 0.5, 1}},
       {"a1", "a2'", "energy_now"},
       3},
      // A loop of bodies in a plane, and a body that nothing holds.
      {"planar_four_bar", {{"h", Distribution::uniform, 0.9, 1.2}}, {"crank", "load.x", "energy"}, 1, true},
      {"dzhanibekov", {{"nut.wx", Distribution::uniform, 0.01, 0.1}}, {"spin.x", "spin.y", "momentum.y"}, 3},
      {"heavy_top",
       {{"spin", Distribution::uniform, 20, 40}, {"nod", Distribution::normal, 0.2, 0.1}},
       {"height", "top.x"},
       1},
  };
}

void expect_methods_agree(const Case& c, const std::vector<Integrator>& methods,
                          test::Contraction contraction) {
  for (const Integrator method : methods) {
    SCOPED_TRACE(c.example + " by " + std::string(integrator_name(method)));
    const double tolerance = method == Integrator::dopri5 ? 1e-7 : 1e-9;
    const auto set = [&](SimulateSettings& s) {
      with_method(method, tolerance, s);
      s.until = c.until;
      if (method == Integrator::rk4) s.step = c.until / 1000;
    };
    const StudyOf of(example_text(c.example), spread(c.draws, 20), set);
    const Outcome out = both(of, c.kept, contraction);
    EXPECT_GE(out.report.stepped, c.nearly_depends ? 10 : 20);
    EXPECT_GE(out.report.compared, c.nearly_depends ? 8 : 16);
    if (c.nearly_depends && method == Integrator::rk4) continue;
    EXPECT_EQ(out.report.differs_in_end, 0);
    // A fixed step leaves rounding, and what projections leave.
    expect_agreement(out, c.kept, method == Integrator::rk4 ? 1e-11 : tolerance, 20);
  }
}

TEST(DeviceMotion, EveryMethodAgreesWithTheEngine) {
  for (const Case& c : cases())
    expect_methods_agree(c, {Integrator::rk4, Integrator::dopri5, Integrator::dop853},
                         test::Contraction::off);
}

/// As a GPU computes: a*b + c rounded once.
TEST(DeviceMotion, RoundedOnceItAgreesWithTheEngine) {
  if (!test::can_contract()) GTEST_SKIP() << "this processor cannot round a*b + c once";
  for (const Case& c : cases())
    expect_methods_agree(c, {Integrator::rk4, Integrator::dop853}, test::Contraction::on);
}

/// Twice what is halved again is not computed.
TEST(DeviceMotion, NoProductIsUndone) {
  const StudyOf of(example_text("double_pendulum"), {});
  const device::DeviceMotion motion(of.family.system(), motion_options(of.file.simulate), {});
  const std::string text = motion.source();
  const std::regex scaled(R"((v\d+) = \S+ \* \(?-?0x1p[+-]\d+\)?;)");
  int found = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), scaled), end; at != end; ++at, ++found) {
    const std::string again = " = " + at->str(1) + " * 0x1p";
    EXPECT_EQ(text.find(again), std::string::npos) << again;
  }
  EXPECT_GT(found, 0);
}

// --- Events and what is kept along the motion ---------------------------------------------------------

constexpr const char* thrown = R"text(
[parameters]
g = 9.81
[coordinates]
x = { start = 0, rate = 2 }
y = { start = 0, rate = 5 }
[mass]
x = 1
y = 1
[forces]
x = "-0.1*x'*hypot(x', y')"
y = "-g - 0.1*y'*hypot(x', y')"
[outputs]
speed = "hypot(x', y')"
[events]
top = { at = "y'", direction = "falling" }
half = "y - 0.5"
ground = { at = "y + 1", direction = "falling", stop = true }
[simulate]
until = 4
)text";

TEST(DeviceMotion, EventsEndItAndAreTimed) {
  const std::vector<std::string> kept{"x",         "y",          "t",           "top.time",
                                      "half.time", "half.count", "ground.time", "ground.count"};
  for (const Integrator method : {Integrator::rk4, Integrator::dopri5, Integrator::dop853}) {
    const auto set = [&](SimulateSettings& s) {
      with_method(method, 1e-9, s);
      if (method == Integrator::rk4) s.step = 2e-3;
    };
    const StudyOf of(
        thrown, spread({{"y'", Distribution::uniform, 1, 8}, {"g", Distribution::uniform, 2, 12}}, 40), set);
    const Outcome out = both(of, kept);
    EXPECT_EQ(out.report.stepped, 40);
    EXPECT_GT(std::ranges::count(out.engine, MemberEnd(Stop::event), &MemberRow::end), 10);
    EXPECT_GT(std::ranges::count(out.engine, MemberEnd(Stop::end), &MemberRow::end), 1);
    expect_agreement(out, kept, 1e-9, 20);
  }
}

TEST(DeviceMotion, ExtremesAndMeansAlongTheMotion) {
  const std::vector<std::string> kept{"y.max",     "y.min",     "y.mean",     "x'.min",
                                      "speed.max", "speed.min", "speed.mean", "energy.mean"};
  for (const Integrator method : {Integrator::rk4, Integrator::dopri5, Integrator::dop853}) {
    const auto set = [&](SimulateSettings& s) {
      with_method(method, 1e-9, s);
      if (method == Integrator::rk4) s.step = 2e-3;
    };
    const StudyOf of(thrown, spread({{"y'", Distribution::uniform, 1, 8}}, 10), set);
    const Outcome out = both(of, kept);
    EXPECT_EQ(out.report.stepped, 10);
    // The cubic of rk4 is what is known between its steps.
    expect_agreement(out, kept, 1e-9, method == Integrator::rk4 ? 1000 : 50);
  }
}

TEST(DeviceMotion, ExtremesOfReactions) {
  const std::vector<std::string> kept{"tension.max", "tension.min", "tension.mean", "highest.time",
                                      "highest.count"};
  const auto set = [](SimulateSettings& s) { with_method(Integrator::dop853, 1e-10, s); };
  const StudyOf of(example_text("spherical_pendulum"), spread({{"tilt", Distribution::uniform, 0.6, 1.2}}, 8),
                   set);
  const Outcome out = both(of, kept);
  EXPECT_EQ(out.report.stepped, 8);
  expect_agreement(out, kept, 1e-10, 200);
}

// --- What the engine does instead ------------------------------------------------------------------

TEST(DeviceMotion, WhatIsRareIsComputedByTheEngine) {
  // An angle beyond 10^6, a start beside its rod, a member without a model.
  const std::string text = R"text(
[parameters]
w = 1.0
L = 1.0
[coordinates]
x = { start = 1 }
y = 0
[mass]
x = 1
y = 1
[forces]
x = "sin(w*t)"
[constraints]
rod = "x^2 + y^2 = L^2"
[simulate]
until = 1
step = 0.1
integrator = "rk4"
)text";
  Study study;
  study.axes = {{"w", {1.0, 2.0, 3e7, 4.0}}, {"L", {1.0, 1.5}}};
  const Outcome out = both(StudyOf(text, study), {"x", "y"});
  EXPECT_EQ(out.report.stepped, 3);
  EXPECT_EQ(out.report.by_engine, 5);
  ASSERT_EQ(out.device.size(), 8);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(out.device[k].end, out.engine[k].end) << k;
    EXPECT_EQ(out.device[k].reason, out.engine[k].reason) << k;
    EXPECT_EQ(out.device[k].end == Stop::start, k % 2 == 1);
    if (k % 2 == 0) {
      EXPECT_NEAR(out.device[k].kept[0], out.engine[k].kept[0], 1e-12);
    }
  }
}

TEST(DeviceMotion, WhatIsThereIsNotComputedAgain) {
  const StudyOf of(example_text("spherical_pendulum"),
                   spread({{"tilt", Distribution::uniform, 0.6, 1.2}}, 10),
                   [](SimulateSettings& s) { s.until = 0.5; });
  StudyOptions how;
  how.there.add({0, 4});
  how.there.add({7, 8});
  std::vector<long> came;
  DeviceReport report;
  HostDevice device;
  EXPECT_TRUE(run_on_device(
      of.study, of.maker(), of.example(), {"x"},
      [&](std::span<const MemberRow> rows) {
        for (const MemberRow& row : rows) came.push_back(row.member);
      },
      how, device, report));
  EXPECT_EQ(came, (std::vector<long>{4, 5, 6, 8, 9}));
}

TEST(DeviceMotion, CancelledBeforeItsEnd) {
  const StudyOf of(example_text("spherical_pendulum"),
                   spread({{"tilt", Distribution::uniform, 0.6, 1.2}}, 10));
  StudyOptions how;
  how.progress = [](const StudyProgress&) { return false; };
  DeviceReport report;
  HostDevice device;
  EXPECT_FALSE(
      run_on_device(of.study, of.maker(), of.example(), {"x"}, [](auto) { FAIL(); }, how, device, report));
}

std::string why_not(const std::string& text, const std::vector<std::string>& kept = {}) {
  Study study;
  const StudyOf of(text, study);
  std::string all;
  for (const std::string& why : why_not_on_device(of.example(), kept)) all += why + "\n";
  return all;
}

TEST(DeviceMotion, SaysByNameWhatCannotRunThere) {
  EXPECT_EQ(why_not(example_text("spherical_pendulum"), {"tension.max", "energy"}), "");
  EXPECT_EQ(why_not(example_text("rough_slope")),
            "friction of 'slope' may come to rest, and decides then what holds\n");
  EXPECT_EQ(why_not(example_text("skate_vakonomic")),
            "its mechanics is vakonomic, with the multipliers as part of the state\n");
  EXPECT_EQ(
      why_not(example_text("four_bar")),
      "its 18 coordinates and 20 rows have no closed form (at most 24 and 12, whose masses are regular)\n");
  EXPECT_NE(why_not(example_text("servo_point_mass")).find("is a programme that control forces carry out"),
            std::string::npos);
  std::string text = thrown;
  text += "integrator = \"radau5\"\n";
  EXPECT_EQ(why_not(text), "the method 'radau5' is not there; rk4, dopri5 and dop853 are\n");
  text = thrown;
  text.replace(text.find("-g - "), 5, "-g*abs(y) - ");
  EXPECT_EQ(why_not(text), "its forces switch or have a corner where y = 0\n");
}

// --- CUDA ----------------------------------------------------------------------------------------------

/// NVRTC of the Python index, which tools/python_environment installs for this.
std::string nvrtc_of_the_tests() {
  namespace fs = std::filesystem;
  const fs::path environment =
      fs::path(test_data()).parent_path().parent_path() / "build-python" / "environment";
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(environment / "lib", none))
    if (entry.path().filename().string().starts_with("libnvrtc.so")) return entry.path();
  std::ifstream installed(environment / "installed");
  const std::string packages{std::istreambuf_iterator<char>(installed), {}};
  EXPECT_EQ(packages.find("nvrtc"), std::string::npos) << "NVRTC was installed and is not found";
  return "";
}

/// Under the sanitizer, which opens libraries itself, none finds those beside it: they are opened before.
void open_what_stands_beside([[maybe_unused]] const std::string& library) {
#ifdef VINCULUM_SANITIZED
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(library).parent_path()))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so"))
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
#endif
}

TEST(DeviceMotion, ItsSourceIsCuda) {
  const std::string library = nvrtc_of_the_tests();
  if (library.empty())
    GTEST_SKIP() << "no NVRTC of the Python index in build-python/environment ('make test' fetches it)";
  open_what_stands_beside(library);
  for (const Integrator method : {Integrator::rk4, Integrator::dop853}) {
    const auto set = [&](SimulateSettings& s) {
      with_method(method, 1e-9, s);
      s.step = 0.01;
    };
    for (const auto& [text, kept] :
         {std::pair<std::string, std::vector<std::string>>{thrown, {"speed.max", "half.time", "y.mean"}},
          {example_text("heavy_top"), {"height"}},
          {example_text("double_pendulum"), {"a1"}}}) {
      const StudyOf of(text, {}, set);
      const device::DeviceMotion motion(of.family.system(), motion_options(of.file.simulate), kept);
      EXPECT_GT(compile_for_gpu(motion.source(), "sm_90", library).size(), 1000);
    }
  }
  EXPECT_NE(
      test::message([&] { compile_for_gpu("no source", "sm_90", library); }).find("NVRTC does not compile"),
      std::string::npos);
}

TEST(DeviceMotion, WithoutAGpuItSaysSo) {
  std::string why;
  if (const auto gpu = open_gpu(why)) {
    EXPECT_FALSE(gpu->name().empty());
  } else {
    EXPECT_FALSE(why.empty());
  }
}

}  // namespace
}  // namespace vinculum
