#include <gtest/gtest.h>
#include <hdf5.h>

#include <bit>
#include <cmath>

#include "io/results.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

/// Reads one file by the plain C interface. Handles are closed with the file (H5F_CLOSE_STRONG).
class Reader {
 public:
  explicit Reader(const std::string& path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    H5Pclose(access);
    EXPECT_GE(file_, 0) << path;
  }
  ~Reader() { H5Fclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<hsize_t> shape(const std::string& set) const {
    const hid_t space = H5Dget_space(H5Dopen2(file_, set.c_str(), H5P_DEFAULT));
    std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return sizes;
  }
  std::vector<double> numbers(const std::string& set) const {
    std::size_t count = 1;
    for (const hsize_t size : shape(set)) count *= size;
    std::vector<double> out(count);
    const hid_t data = H5Dopen2(file_, set.c_str(), H5P_DEFAULT);
    if (count > 0) {
      EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << set;
    }
    return out;
  }
  std::vector<std::string> texts(const std::string& set) const {
    const hid_t data = H5Dopen2(file_, set.c_str(), H5P_DEFAULT);
    std::vector<char*> pointers(shape(set)[0]);
    if (!pointers.empty()) H5Dread(data, text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    return taken(pointers);
  }
  std::vector<std::string> attribute_texts(const std::string& object, const char* name) const {
    const hid_t attribute = open(object, name), space = H5Aget_space(attribute);
    std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (!pointers.empty()) H5Aread(attribute, text_type(), pointers.data());
    return taken(pointers);
  }
  std::string attribute_text(const std::string& object, const char* name) const {
    return attribute_texts(object, name).at(0);
  }
  bool has_attribute(const std::string& object, const char* name) const {
    return H5Aexists_by_name(file_, object.c_str(), name, H5P_DEFAULT) > 0;
  }
  int attribute_number(const std::string& object, const char* name) const {
    int value = -99;
    H5Aread(open(object, name), H5T_NATIVE_INT, &value);
    return value;
  }

 private:
  hid_t open(const std::string& object, const char* name) const {
    return H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  }
  static hid_t text_type() {
    static const hid_t type = [] {
      const hid_t t = H5Tcopy(H5T_C_S1);
      H5Tset_size(t, H5T_VARIABLE);
      H5Tset_cset(t, H5T_CSET_UTF8);
      return t;
    }();
    return type;
  }
  static std::vector<std::string> taken(const std::vector<char*>& pointers) {
    std::vector<std::string> out;
    for (char* const p : pointers) {
      out.emplace_back(p ? p : "");
      H5free_memory(p);
    }
    return out;
  }
  hid_t file_ = -1;
};

using Names = std::vector<std::string>;

/// Row i of a matrix is the part of sample i, bit for bit.
void expect_rows(const Reader& file, const std::string& set, const Trajectory& motion,
                 std::span<const double> Sample::* part) {
  const auto shape = file.shape(set);
  ASSERT_EQ(shape.size(), 2u);
  ASSERT_EQ(static_cast<int>(shape[0]), motion.size());
  const std::vector<double> numbers = file.numbers(set);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample sample = motion[i];
    const std::span<const double> row = sample.*part;
    ASSERT_EQ(row.size(), shape[1]) << set;
    for (std::size_t k = 0; k < row.size(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(numbers[i * shape[1] + k]), std::bit_cast<std::uint64_t>(row[k]))
          << set << " " << i << " " << k;
  }
}

TEST(Hdf5, HoldsEveryNumberOfTheMotionToTheLastBit) {
  const test::Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  write_hdf5(folder / "m.h5", system, motion, test::record());
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.numbers("time"), motion.times());
  expect_rows(file, "q", motion, &Sample::q);
  expect_rows(file, "v", motion, &Sample::v);
  expect_rows(file, "acceleration", motion, &Sample::acceleration);
  expect_rows(file, "constraint_force", motion, &Sample::constraint_force);
  expect_rows(file, "nonideal_force", motion, &Sample::nonideal_force);
  expect_rows(file, "multipliers", motion, &Sample::multipliers);
  expect_rows(file, "outputs", motion, &Sample::outputs);
  expect_rows(file, "residual", motion, &Sample::residual);
  const std::vector<double> energy = file.numbers("energy"), work = file.numbers("work"),
                            rank = file.numbers("rank");
  for (int i = 0; i < motion.size(); ++i) {
    EXPECT_EQ(energy[i], motion[i].energy);
    EXPECT_EQ(work[4 * i + 2], motion[i].work.nonideal);
    EXPECT_EQ(rank[i], motion[i].rank);
  }
}

TEST(Hdf5, TheMuOfVakonomicMotionStandBehindTheCoordinates) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {1, 1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("row", x.rate(), y * y.rate());
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("row", 0, 0.5);
  const test::Folder folder;
  const System system(m);
  MotionOptions options;
  options.until = 1;
  options.samples = 5;
  const Trajectory motion = simulate(system, options);
  write_hdf5(folder / "m.h5", system, motion, test::record());
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.attribute_texts("q", "names"), (Names{"x", "y", "mu(row)"}));
  expect_rows(file, "q", motion, &Sample::q);
  EXPECT_EQ(file.numbers("multipliers")[4], motion[4].q[2]);
}

TEST(Hdf5, NamesItsColumnsAndExplainsItself) {
  const test::Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  write_hdf5(folder / "m.h5", system, motion, test::record());
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.attribute_texts("q", "names"), (Names{"x", "y", "p.x", "p.y", "p.z"}));
  EXPECT_EQ(file.attribute_texts("v", "names"), (Names{"x'", "y'", "p.x'", "p.y'", "p.z'"}));
  EXPECT_EQ(file.attribute_texts("multipliers", "names"),
            (Names{"rod", "again", "pin[0]", "pin[1]", "pin[2]"}));
  EXPECT_EQ(file.attribute_texts("residual", "names"), (Names{"rod", "again", "pin"}));
  EXPECT_EQ(file.attribute_texts("work", "names"),
            (Names{"impressed", "constraint", "nonideal", "explicit_time"}));
  EXPECT_EQ(file.attribute_texts("q", "axis"), (Names{"time", "coordinate"}));
  // No unit is claimed that the model did not tell.
  EXPECT_EQ(file.attribute_text("/", "units"), "those of the model's numbers, which do not say them");
  EXPECT_FALSE(file.has_attribute("time", "units"));
  const RunRecord record = test::record();
  EXPECT_EQ(file.attribute_text("/", "title"), record.title);
  EXPECT_EQ(file.attribute_text("/", "description"), record.description);
  EXPECT_EQ(file.attribute_text("/", "model_path"), record.path);
  EXPECT_EQ(file.attribute_text("/", "model"), record.text);
  EXPECT_EQ(file.attribute_text("/", "version"), record.version);
  EXPECT_EQ(file.attribute_number("/", "format"), 1);
  EXPECT_EQ(file.attribute_text("/", "status"), "done");
  EXPECT_EQ(file.attribute_text("/", "reason"), motion.reason);
  EXPECT_EQ(file.attribute_number("/", "complete"), 1);
  EXPECT_EQ(file.attribute_text("/settings", "tolerance"), "1e-09");
  EXPECT_EQ(file.texts("/events/names"), Names{"low"});
  EXPECT_EQ(file.numbers("/events/times"), std::vector<double>{motion.events[0].time});
  EXPECT_EQ(file.texts("/notes"), motion.notes);
  EXPECT_EQ(file.shape("/rank_changes/times"), std::vector<hsize_t>{motion.rank_changes.size()});
}

TEST(Hdf5, UnitsThatWereToldStandWithTheirNumbers) {
  const test::Folder folder;
  const System system(test::model());
  RunRecord record = test::record();
  record.units.told = {{"t", "s"}, {"x", "m"}, {"p", "mm"}, {"p'", "mm/s"}, {"place", "cm"}};
  write_hdf5(folder / "m.h5", system, test::move(system), record);
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.attribute_texts("time", "units"), Names{"s"});
  EXPECT_EQ(file.attribute_texts("q", "units"), (Names{"m", "", "mm", "mm", "mm"}));
  EXPECT_EQ(file.attribute_texts("v", "units"), (Names{"", "", "mm/s", "mm/s", "mm/s"}));
  EXPECT_EQ(file.attribute_texts("outputs", "units"), (Names{"", "cm", "cm", "cm"}));
  EXPECT_FALSE(file.has_attribute("energy", "units"));
  EXPECT_FALSE(file.has_attribute("constraint_force", "units"));  // a force on x is not in metres
}

TEST(Hdf5, AMotionThatNeverBeganIsAFileThatSaysSo) {
  const test::Folder folder;
  const System system(test::model());
  State start = system.start();
  start.q[0] = 2;
  const Trajectory motion = simulate(system, start, {});
  ASSERT_TRUE(motion.empty());
  write_hdf5(folder / "m.h5", system, motion, {});
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.attribute_number("/", "complete"), 0);
  EXPECT_EQ(file.attribute_text("/", "status"), "start");
  EXPECT_EQ(file.attribute_text("/", "reason"), motion.reason);
  EXPECT_EQ(file.attribute_texts("/", "names"), motion.names);
  EXPECT_EQ(file.shape("q"), (std::vector<hsize_t>{0, 5}));
}

TEST(Hdf5, ASystemWithoutConstraintsHasNoColumnsForThem) {
  const test::Folder folder;
  Model m;
  m.mass(m.coordinate("x", {0, 1}), 1.0);
  const System system(m);
  const Trajectory motion = test::move(system);
  write_hdf5(folder / "m.h5", system, motion, {});
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.shape("multipliers"), (std::vector<hsize_t>{static_cast<hsize_t>(motion.size()), 0}));
  EXPECT_EQ(file.attribute_texts("multipliers", "names"), Names{});
}

TEST(Hdf5, TenThousandNamesAreNotTooMany) {
  const test::Folder folder;
  Model m;
  for (int i = 0; i < 10000; ++i) m.mass(m.coordinate("coordinate" + std::to_string(i)), 1.0);
  const System system(m);
  const Trajectory motion = test::move(system, 0.0);
  RunRecord record;
  record.text = std::string(300'000, '#');
  write_hdf5(folder / "m.h5", system, motion, record);
  const Reader file(folder / "m.h5");
  EXPECT_EQ(file.attribute_texts("v", "names").back(), "coordinate9999'");
  EXPECT_EQ(file.attribute_text("/", "model"), record.text);
  EXPECT_EQ(file.shape("q")[1], 10000u);
}

TEST(Hdf5, LeavesTheSettingsOfTheLibraryAsTheyWere) {
  const test::Folder folder;
  const System system(test::model());
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  ASSERT_NE(before, nullptr);
  write_hdf5(folder / "m.h5", system, test::move(system), test::record());
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

TEST(Hdf5, WhatCannotBeWrittenIsNamedWithItsReason) {
  const System system(test::model());
  try {
    write_hdf5("/no/such/m.h5", system, test::move(system), test::record());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "cannot write '/no/such/m.h5': No such file or directory");
  }
}

}  // namespace
}  // namespace vinculum
