// A table of values from HDF5: lists of the same length.
#include <fmt/format.h>

#include <algorithm>

#include "io/results/hdf5_file.hpp"
#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}

/// The numbers of a list; nothing where this is none.
std::optional<std::vector<double>> list_at(hid_t group, const std::string& name) {
  H5O_info_t what;
  if (H5Oget_info_by_name(group, name.c_str(), &what, H5P_DEFAULT) < 0 || what.type != H5O_TYPE_DATASET)
    return std::nullopt;
  const hdf5::Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open a list");
  const hdf5::Handle space(H5Dget_space(set), H5Sclose, "tell a size");
  const hdf5::Handle type(H5Dget_type(set), H5Tclose, "tell a type");
  const H5T_class_t kind = H5Tget_class(type);
  if (H5Sget_simple_extent_ndims(space) != 1 || (kind != H5T_FLOAT && kind != H5T_INTEGER))
    return std::nullopt;
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(fmt::format("'{}' cannot be read", name));
  return values;
}

}  // namespace

Table read_table_hdf5(const std::string& path, const std::vector<std::string>& columns) {
  const hdf5::Quiet quiet;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it");
  const bool is_study = H5Lexists(file, "varied", H5P_DEFAULT) > 0;
  const hdf5::Handle where(H5Gopen2(file, is_study ? "varied" : "/", H5P_DEFAULT), H5Gclose,
                           "find its columns");
  std::vector<std::string> all;
  H5Literate(where, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &all);
  Table table;
  std::vector<std::vector<double>> lists;
  for (const std::string& name : columns.empty() ? all : columns) {
    auto list = std::ranges::find(all, name) == all.end() ? std::nullopt : list_at(where, name);
    if (!list && columns.empty()) continue;
    if (!list) fail(fmt::format("there is no list '{}'; there are {}", name, list_text(all)));
    if (!lists.empty() && list->size() != lists.front().size())
      fail(fmt::format("'{}' has {} numbers, and '{}' {}", name, list->size(), table.names.front(),
                       lists.front().size()));
    table.names.push_back(name);
    lists.push_back(std::move(*list));
  }
  if (lists.empty()) fail("it holds no list of numbers");
  for (std::size_t row = 0; row < lists.front().size(); ++row)
    for (const std::vector<double>& list : lists) table.values.push_back(list[row]);
  return table;
}

}  // namespace vinculum
