// The models of examples/: each runs, says why it is there, shows something, and agrees with what was
// computed without any code of this project.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "support/data.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/report/picture.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

fs::path source() { return fs::path(test_data()).parent_path().parent_path(); }

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(source() / "examples" / folder))
    if (entry.path().extension() == ".toml") names.push_back(folder + entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// Those of the gallery.
std::vector<std::string> example_names() { return names_in(""); }

/// And those of the index of the papers.
std::vector<std::string> all_names() {
  std::vector<std::string> names = example_names();
  for (const std::string& name : names_in("papers/")) names.push_back(name);
  return names;
}

ModelFile example(const std::string& name) {
  const fs::path path = source() / "examples" / (name + ".toml");
  ReadResult result = read_model(text_of(path), path.filename().string());
  for (const Fault& fault : result.faults)
    ADD_FAILURE() << name << ":" << fault.place.line << ": " << fault.text;
  if (!result.file) throw std::runtime_error(name + " cannot be read");
  return std::move(*result.file);
}

Trajectory run(const ModelFile& file, const System& system) {
  MotionOptions options;
  options.until = file.simulate.until.value();
  options.tolerance = file.simulate.tolerance;
  options.step = file.simulate.step;
  options.samples = file.simulate.samples;
  options.integrator = file.simulate.integrator;
  State start = system.start();
  start.t = file.simulate.from;
  return simulate(system, start, options);
}

/// Loops, most of them with redundant rows, over 100 s: none opens.
TEST(Models, LinkagesStayClosed) {
  for (const char* name : {"four_bar", "bricard", "bennett_linkage", "peaucellier", "jansen_leg",
                           "stewart_platform", "door_on_two_hinges"}) {
    SCOPED_TRACE(name);
    ModelFile file = example(name);
    file.simulate.until = 100.0;
    file.simulate.samples = 2;
    file.simulate.tolerance = 1e-6;
    const System system(file.model);
    const Trajectory motion = run(file, system);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    for (std::size_t c = 0; c < motion.worst.size(); ++c)
      EXPECT_LT(motion.worst[c].position, 1e-10) << system.constraints()[c].name;
  }
}

/// Their rank is less than their rows all along, by every method: where long steps are looked at inside, rows
/// must be on the constraints to depend on each other.
TEST(Models, LinkagesWithRowsToSpareNeverChangeTheirRank) {
  for (const char* name : {"bricard", "bennett_linkage"})
    for (const IntegratorInfo& method : integrators())
      for (const double tolerance : {1e-6, 1e-9}) {
        ModelFile file = example(name);
        file.simulate.integrator = method.integrator;
        file.simulate.tolerance = tolerance;
        if (!method.adaptive) file.simulate.step = 0.05;
        const Trajectory motion = run(file, System(file.model));
        EXPECT_EQ(motion.stop, Stop::end) << name << " " << method.name << ": " << motion.reason;
        EXPECT_TRUE(motion.rank_changes.empty()) << name << " " << method.name << " " << tolerance;
      }
}

/// The gas gives p A r/20 in every turn, the load takes load times speed: they meet at one speed.
TEST(Models, TheEngineKeepsTheSpeedAtWhichGasAndLoadBalance) {
  ModelFile file = example("engine");
  file.simulate.until = 20.0;
  file.simulate.samples = 2001;
  file.simulate.tolerance = 1e-7;
  const System system(file.model);
  const Trajectory motion = run(file, system);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double a_turn = 8e5 * 4e-3 * 0.05 / 20, balance = a_turn / (2 * std::numbers::pi) / 0.02;
  double turned = 0;
  for (int i = 0; i < motion.size(); ++i) {
    const double speed = motion[i].v[5];  // of the flywheel about z
    EXPECT_GT(speed, 0);
    if (motion[i].t > 15) turned += speed * 0.01;
  }
  // It starts at 60 with a time of 3.8 s to settle, and swings by some per cent within a turn.
  EXPECT_NEAR(turned / 5, balance, 0.01 * balance);
}

TEST(Models, EachRunsToItsEndOnItsConstraintsWithItsEnergyAccountedFor) {
  for (const std::string& name : all_names()) {
    SCOPED_TRACE(name);
    const ModelFile file = example(name);
    const System system(file.model);
    const Trajectory motion = run(file, system);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_LT(motion.steps, 5000);  // an example is there to be tried at once
    for (std::size_t c = 0; c < motion.worst.size(); ++c) {
      // Projection ends at the rounding of terms that are of the order of 1 to 100 in these models.
      EXPECT_LT(motion.worst[c].position, 1e-12) << system.constraints()[c].name;
      // Rows that follow from others (half of the Bennett linkage's) gather the roundings of all of these.
      EXPECT_LT(motion.worst[c].velocity, 4e-12) << system.constraints()[c].name;
    }
    double size = 1;  // of what is balanced; a joule is the order of what the lightest of them exchange
    for (int i = 0; i < motion.size(); ++i) {
      const Work w = motion[i].work;
      size = std::max(size, std::fabs(motion[i].energy) + std::fabs(w.impressed) + std::fabs(w.constraint) +
                                std::fabs(w.nonideal) + std::fabs(w.explicit_time) + std::fabs(w.control));
    }
    // Errors of the state are about the tolerance; energy is quadratic in it, and the run may magnify them.
    EXPECT_LT(std::fabs(motion.drift()), 10 * file.simulate.tolerance * size);
  }
}

TEST(Models, EachSaysWhatItIsAndShowsSomething) {
  EXPECT_GE(example_names().size(), 24u);
  for (const std::string& name : all_names()) {
    SCOPED_TRACE(name);
    const ModelFile file = example(name);
    EXPECT_FALSE(file.title.empty());
    EXPECT_GE(file.description.size(), 60u);
    EXPECT_TRUE(file.warnings.empty());
    const View view = complete_view(file.model, file.view);
    EXPECT_FALSE(view.points.empty() && view.solids.empty());
    EXPECT_GE(view.links.size() + view.curves.size() + view.arrows.size() + view.solids.size(), 1u);
  }
}

// --- Against the reference data.

/// A quantity of a sample by its name: a coordinate, an output, a multiplier (by its row), and with primes or
/// as vX, X_dot, X_ddot a rate. A minus before the name changes its sign.
class Quantities {
 public:
  Quantities(const System& system, const Sample& sample) {
    const auto put = [&](const std::string& name, double value) { value_.emplace(name, value); };
    for (std::size_t i = 0; i < system.output_names().size(); ++i)
      put(system.output_names()[i], sample.outputs[i]);
    for (std::size_t i = 0; i < system.coordinate_names().size(); ++i) {
      const std::string& name = system.coordinate_names()[i];
      const int v = system.velocity_of_coordinate(static_cast<int>(i));
      put(name, sample.q[i]);
      if (v < 0) continue;
      for (const std::string& rate : {name + "'", "v" + name, name + "_dot"}) put(rate, sample.v[v]);
      for (const std::string& second : {name + "''", name + "_ddot"}) put(second, sample.acceleration[v]);
    }
    for (std::size_t v = 0; v < system.velocity_names().size(); ++v)
      put(system.velocity_names()[v], sample.v[v]);
    for (std::size_t r = 0; r < system.row_names().size(); ++r)
      put(system.row_names()[r], sample.multipliers[r]);
  }
  double operator()(const std::string& name) const {
    if (name[0] == '-') return -(*this)(name.substr(1));
    const auto found = value_.find(name);
    if (found == value_.end()) throw std::runtime_error("the example has no '" + name + "'");
    return found->second;
  }

 private:
  std::map<std::string, double> value_;
};

struct Comparison {
  const char* example;
  const char* reference;
  /// Names of the reference that the example has otherwise; "" for what it does not show.
  std::map<std::string, std::string> called{};
  std::map<std::string, double> magnified{};  ///< by which the motion itself magnifies errors, by ending
};

const std::vector<Comparison>& comparisons() {
  static const std::vector<Comparison> list{
      {"pendulum", "a01-simple-pendulum"},
      {"spherical_pendulum", "f06-seed1-spherical-pendulum-duplicated"},
      {"rod_stated_thrice", "f06-seed1-spherical-pendulum-duplicated"},
      {"kepler", "j01-kepler-both-constraints"},
      {"moving_plane", "c05-seed-example3"},
      {"drag_pendulum", "d03-pendulum-quadratic-drag"},
      {"bead_on_ring", "d02-bead-vertical-ring-coulomb"},
      {"bead_on_helix", "d04-bead-helix-coulomb"},
      {"swinging_four_bar",
       "a02-fourbar-N2",
       {{"B0x", "x0"}, {"B0y", "y0"}, {"B0vx", "x0'"}, {"B0vy", "y0'"}, {"theta_dot", "turning"}}},
      // In the last position the short links snap through; see the test of the same case in tests/motion.
      // There the multipliers are sums of forces of that size.
      {"squeezer",
       "a03-andrews-squeezer",
       {{"lambda1", "-g1"},
        {"lambda2", "-g2"},
        {"lambda3", "-g3"},
        {"lambda4", "-g4"},
        {"lambda5", "-g5"},
        {"lambda6", "-g6"}},
       {{"_ddot", 40}, {"_dot", 24}}},
      {"slider_crank", "b04-slider-crank"},
      {"car_axis",
       "b02-car-axis",
       {{"xl", "x_l"},
        {"yl", "y_l"},
        {"xr", "x_r"},
        {"yr", "y_r"},
        {"vxl", "x_l'"},
        {"vyl", "y_l'"},
        {"vxr", "x_r'"},
        {"vyr", "y_r'"}}},
      {"knife_edge", "c04-knife-edge-incline"},
      {"chaplygin_sleigh", "c01-chaplygin-sleigh", {{"x", "blade_at.x"}, {"y", "blade_at.y"}}},
      {"rolling_disk", "c02-vertical-disk"},
      {"snakeboard", "c08-snakeboard"},
      {"appell_hamel", "c09-appell-hamel"},
      {"parallel_velocities", "c10-benenti-parallel"},
      {"constant_speed", "c11-constant-speed"},
      {"rotating_hoop", "e02-bead-rotating-hoop"},
      {"kapitza_pendulum", "e01-kapitza-pendulum"},
      {"variable_length_pendulum", "e04-variable-length-pendulum"},
      {"turntable_ball", "c07-ball-turntable"},
      {"servo_point_mass", "i01-servo-lissajous"},
      {"servo_arm", "i02-servo-two-link-arm"},
      {"bricard",
       "a04-bricard",
       {{"P3x", "corner.x"},
        {"P3y", "corner.y"},
        {"P3z", "corner.z"},
        {"P3vx", "speed.x"},
        {"P3vy", "speed.y"},
        {"P3vz", "speed.z"},
        {"theta1", "angle"},
        {"theta1_dot", "turning"}}},
      {"heavy_top",
       "g01-heavy-top-nutation",
       {{"rx", "top.x"},
        {"ry", "top.y"},
        {"rz", "top.z"},
        {"th", ""},
        {"ph", ""},
        {"ps", ""},
        {"th_dot", ""},
        {"ph_dot", ""}}},
      // Near the middle axis errors grow by the sensitivity of the motion to its start; see tests/motion.
      {"dzhanibekov",
       "g04-dzhanibekov",
       {{"w1", "nut.wx"},
        {"w2", "nut.wy"},
        {"w3", "nut.wz"},
        {"q0", "nut.qw"},
        {"q1", "nut.qx"},
        {"q2", "nut.qy"},
        {"q3", "nut.qz"}},
       {{"", 35}}},
      {"double_pendulum_of_rods",
       "g05-double-pendulum-rods",
       {{"th1", "first"}, {"th2", "second"}, {"th1_dot", ""}, {"th2_dot", ""}},
       {{"", 20}}},
      {"rolling_coin",
       "c03-rolling-coin",
       {{"x", "coin.x"},
        {"y", "coin.y"},
        {"th", ""},
        {"psi", ""},
        {"ph", ""},
        {"w1", ""},
        {"w2", ""},
        {"w3", ""}}},
      {"ball_on_turntable",
       "c07-ball-turntable",
       {{"x", "ball.x"}, {"y", "ball.y"}, {"vx", "ball.x'"}, {"vy", "ball.y'"}}},
  };
  return list;
}

/// The row's quantities at its time. Errors are |x - reference| / (1 + |reference|), and may be ten times the
/// tolerance times what the motion itself magnifies, or the digits the reference is trusted to.
void expect_row(const Comparison& c, const System& system, const nlohmann::json& row, double trusted,
                double tolerance) {
  MotionOptions options;
  options.until = std::stod(row["t"].get<std::string>());
  options.tolerance = tolerance;
  options.samples = 1;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const Quantities quantity(system, motion.back());
  for (const auto& [name, value] : row.items()) {
    if (name == "t" || name == "digits") continue;
    const auto other = c.called.find(name);
    if (other != c.called.end() && other->second.empty()) continue;
    const double x = quantity(other == c.called.end() ? name : other->second);
    const double expected = std::stod(value.get<std::string>());
    double allowed = 10 * tolerance;
    for (const auto& [ending, factor] : c.magnified)
      if (name.ends_with(ending)) allowed = 10 * tolerance * factor;
    EXPECT_LE(std::fabs(x - expected) / (1 + std::fabs(expected)), std::max(allowed, trusted))
        << name << " = " << x << " at t = " << options.until << ", reference " << expected;
  }
}

TEST(Models, ThoseWithReferenceDataReproduceThem) {
  for (const Comparison& c : comparisons()) {
    SCOPED_TRACE(std::string(c.example) + " against " + c.reference);
    const System system(example(c.example).model);
    const auto data = nlohmann::json::parse(
        text_of(fs::path(test_data()) / "reference" / (std::string(c.reference) + ".json")));
    for (const auto& row : data["reference"]) {
      if (std::stod(row["t"].get<std::string>()) > 100)
        continue;  // a pendulum's phase after 2000 s: tests/motion
      const double digits = row.contains("digits") ? std::stod(row["digits"].get<std::string>())
                                                   : data["trusted_digits"].get<double>();
      for (const double tolerance : {1e-9, 1e-12})
        expect_row(c, system, row, std::pow(10.0, -digits), tolerance);
    }
  }
}

// --- What some of them say in their comments.

std::vector<double> output(const Trajectory& motion, const System& system, const std::string& name) {
  const auto& names = system.output_names();
  const auto k = std::ranges::find(names, name) - names.begin();
  std::vector<double> values;
  for (int i = 0; i < motion.size(); ++i) values.push_back(motion[i].outputs[k]);
  return values;
}

void expect_constant(const std::string& name, const std::string& quantity, double value, double near) {
  const ModelFile file = example(name);
  const System system(file.model);
  for (const double x : output(run(file, system), system, quantity))
    ASSERT_NEAR(x, value, near) << name << ", " << quantity;
}

TEST(Models, WhatTheirCommentsPromiseHolds) {
  // Ten times the tolerance of 1e-9 for what is constant along the exact motion, relative to its size;
  // rounding for what holds at each state.
  expect_constant("kepler", "inverse_square", 0.9 * 0.9 / 1.2, 1e-8);
  expect_constant("rod_stated_thrice", "share", 2, 1e-13);
  expect_constant("appell_hamel", "power", 0, 1e-11);
  expect_constant("spinning_top", "about_axis", 0.004 * 70, 1e-8);
  expect_constant("spinning_top", "about_vertical", 0.004 * 70 * std::cos(0.6), 1e-8);
}

TEST(Models, TheThirdLegOfTheTableIsRedundantAllAlong) {
  const ModelFile file = example("table_on_three_legs");
  const System system(file.model);
  const Trajectory motion = run(file, system);
  for (int i = 0; i < motion.size(); ++i) ASSERT_EQ(motion[i].rank, 2) << motion[i].t;
}

TEST(Models, FeketePointsPressOnTheSphereWithHalfOfTheOthersNumber) {
  // p_i . sum_j (p_i - p_j)/|p_i - p_j|^2 = (N - 1)/2 on the unit sphere; moving, m v^2 is taken off.
  const ModelFile file = example("fekete_points");
  const System system(file.model);
  const Trajectory motion = run(file, system);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    const double v2 = s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2];
    ASSERT_NEAR(std::hypot(s.constraint_force[0], s.constraint_force[1], s.constraint_force[2]), 3.5 + v2,
                1e-11);
  }
}

// --- The gallery page.

/// The text and the numbers of a picture, apart.
struct Split {
  std::string text;
  std::vector<double> numbers;
};
Split split(const std::string& svg) {
  Split s;
  for (std::size_t i = 0; i < svg.size();) {
    const bool number =
        std::isdigit(static_cast<unsigned char>(svg[i])) ||
        (svg[i] == '-' && i + 1 < svg.size() && std::isdigit(static_cast<unsigned char>(svg[i + 1])));
    if (!number) {
      if (svg[i] != ' ') s.text += svg[i];  // a minus may stand in for the space between two numbers
      ++i;
      continue;
    }
    std::size_t length = 0;
    s.numbers.push_back(std::stod(svg.substr(i, 24), &length));
    s.text += '#';
    i += length;
  }
  return s;
}

std::string picture_of(const ModelFile& file) {
  const System system(file.model);
  const Trajectory motion = run(file, system);
  PictureOptions options;
  options.title = file.title;
  return picture(file.model, complete_view(file.model, file.view), motion, options);
}

TEST(Gallery, ListsEveryExampleWithItsWordsItsPictureAndItsCommand) {
  const std::string page = text_of(source() / "docs" / "gallery.md");
  for (const std::string& name : example_names()) {
    SCOPED_TRACE(name);
    const ModelFile file = example(name);
    EXPECT_NE(page.find("(gallery/" + name + ".svg)"), std::string::npos);
    EXPECT_NE(page.find("**[" + file.title + "](../examples/" + name + ".toml)**"), std::string::npos);
    EXPECT_NE(page.find(file.description), std::string::npos);
    EXPECT_NE(page.find("`vinculum run examples/" + name + ".toml --report " + name + ".html`"),
              std::string::npos);
  }
}

TEST(Gallery, ListsMachinesOfPartsWithPicturesThatExist) {
  const std::string page = text_of(source() / "docs" / "gallery.md");
  for (const std::string name : {"six_cylinders", "two_legs", "arm", "chain"}) {
    SCOPED_TRACE(name);
    const std::string model = text_of(source() / "examples" / "parts" / (name + ".toml"));
    const std::size_t from = model.find("description = \"") + 15;
    EXPECT_NE(page.find(model.substr(from, model.find('"', from) - from)), std::string::npos);
    EXPECT_NE(page.find("(../examples/parts/" + name + ".toml)"), std::string::npos);
    EXPECT_TRUE(text_of(source() / "docs" / "gallery" / "parts" / (name + ".svg")).starts_with("<svg"));
  }
}

TEST(Gallery, ItsPicturesAreThoseTheProgramMakes) {
  for (const std::string& name : example_names()) {
    SCOPED_TRACE(name);
    const Split made = split(picture_of(example(name)));
    const Split kept = split(text_of(source() / "docs" / "gallery" / (name + ".svg")));
    EXPECT_EQ(made.text, kept.text);
    ASSERT_EQ(made.numbers.size(), kept.numbers.size());
    // Tenths of a pixel, and steps between two rounded places: each may be off by one on another machine.
    for (std::size_t i = 0; i < made.numbers.size(); ++i) ASSERT_NEAR(made.numbers[i], kept.numbers[i], 2.0);
    EXPECT_LT(fs::file_size(source() / "docs" / "gallery" / (name + ".svg")), 60'000u);
  }
}

}  // namespace
}  // namespace vinculum
