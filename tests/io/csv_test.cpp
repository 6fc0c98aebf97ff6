#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "io/results.hpp"

namespace vinculum {
namespace {

/// Fields of a line with quotes undone.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

struct Table {
  std::vector<std::string> head, names;
  std::vector<std::vector<double>> rows;
  double at(std::size_t row, const std::string& name) const {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) return rows[row][k];
    ADD_FAILURE() << "no column " << name;
    return NAN;
  }
};

Table parse(const std::string& text) {
  Table table;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#') {
      table.head.push_back(line);
      continue;
    }
    const std::vector<std::string> cells = fields(line);
    if (table.names.empty()) {
      table.names = cells;
      continue;
    }
    table.rows.emplace_back();
    for (const std::string& cell : cells) table.rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return table;
}

void expect_bits(double is, double should) {
  if (std::isnan(should)) {
    EXPECT_TRUE(std::isnan(is));
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(is), std::bit_cast<std::uint64_t>(should));
  }
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST(Csv, HoldsEveryNumberOfTheMotionToTheLastBit) {
  const test::Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  write_csv(folder / "m.csv", system, motion, test::record());
  const Table table = parse(test::read(folder / "m.csv"));
  ASSERT_EQ(static_cast<int>(table.rows.size()), motion.size());
  ASSERT_GT(motion.size(), 5);
  int holes = 0;
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    ASSERT_EQ(table.rows[i].size(), table.names.size());
    expect_bits(table.at(i, "t"), s.t);
    expect_bits(table.at(i, "x"), s.q[0]);
    expect_bits(table.at(i, "p.z'"), s.v[4]);
    expect_bits(table.at(i, "y''"), s.acceleration[1]);
    expect_bits(table.at(i, "force:x"), s.constraint_force[0]);
    expect_bits(table.at(i, "nonideal:y"), s.nonideal_force[1]);
    expect_bits(table.at(i, "multiplier:again"), s.multipliers[1]);
    expect_bits(table.at(i, "multiplier:pin[2]"), s.multipliers[4]);
    expect_bits(table.at(i, "output:root"), s.outputs[0]);
    expect_bits(table.at(i, "output:place.z"), s.outputs[3]);
    expect_bits(table.at(i, "energy"), s.energy);
    expect_bits(table.at(i, "work:nonideal"), s.work.nonideal);
    expect_bits(table.at(i, "residual:pin"), s.residual[2]);
    EXPECT_EQ(table.at(i, "rank"), s.rank);
    holes += std::isnan(s.outputs[0]);
  }
  EXPECT_GT(holes, 0);  // what is not finite was met, and read back as such
  EXPECT_LT(holes, motion.size());
}

TEST(Csv, NamesEveryColumnOnce) {
  const test::Folder folder;
  const System system(test::model());
  write_csv(folder / "m.csv", system, test::move(system), test::record());
  std::map<std::string, int> count;
  for (const std::string& name : parse(test::read(folder / "m.csv")).names) ++count[name];
  for (const auto& [name, times] : count) EXPECT_EQ(times, 1) << name;
}

TEST(Csv, ExplainsItselfInItsHead) {
  const test::Folder folder;
  const System system(test::model());
  write_csv(folder / "m.csv", system, test::move(system), test::record());
  const std::vector<std::string> head = parse(test::read(folder / "m.csv")).head;
  EXPECT_TRUE(has(head, "# title: A \"rod\", twice"));
  EXPECT_TRUE(has(head, "# description: two lines"));
  EXPECT_TRUE(has(head, "#   of text"));
  EXPECT_TRUE(has(head, "# model: models/rod.toml"));
  EXPECT_TRUE(has(head, "# version: vinculum 0.1.0"));
  EXPECT_TRUE(has(head, "# status: done"));
  EXPECT_TRUE(has(head, "# setting tolerance: 1e-09"));
}

TEST(Csv, LeavesOutNonIdealForcesWhereThereAreNone) {
  const test::Folder folder;
  Model m;
  m.mass(m.coordinate("x", {0, 1}), 1.0);
  const System system(m);
  write_csv(folder / "m.csv", system, test::move(system), test::record());
  EXPECT_EQ(parse(test::read(folder / "m.csv")).names,
            (std::vector<std::string>{"t", "x", "x'", "x''", "force:x", "energy", "work:impressed",
                                      "work:constraint", "work:nonideal", "work:explicit_time", "rank"}));
}

TEST(Csv, AMotionThatDidNotReachItsEndIsMarked) {
  const test::Folder folder;
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0});
  m.mass(x, 1.0);
  m.force(x, sqrt(0.5 - m.time()));
  const System system(m);
  const Trajectory motion = test::move(system);
  ASSERT_EQ(motion.stop, Stop::not_finite);
  write_csv(folder / "m.csv", system, motion, test::record());
  EXPECT_TRUE(has(parse(test::read(folder / "m.csv")).head, "# status: not_finite (not complete)"));
}

}  // namespace
}  // namespace vinculum
