#include "io/hdf5_file.hpp"

#include "vinculum/base/error.hpp"

namespace vinculum::hdf5 {
namespace {

constexpr std::size_t portion = 1 << 20;  // numbers of a matrix that are written at once

/// The innermost thing the library complains of.
std::string complaint() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        auto& said = *static_cast<std::string*>(out);
        if (said.empty() && error->desc) said = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "no reason given" : text;
}

/// What the library could not do, with its reason; write_hdf5 adds the path.
[[noreturn]] void refuse(const char* what) {
  fail("HDF5 could not " + std::string(what) + ": " + complaint());
}

void require(herr_t result, const char* what) {
  if (result < 0) refuse(what);
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "describe texts");
  require(H5Tset_size(type, H5T_VARIABLE), "describe texts");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "describe texts");
  return type;
}

Handle space(const std::vector<hsize_t>& sizes) {
  return {sizes.empty() ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
          H5Sclose, "describe a size"};
}

void set_attribute(hid_t object, const char* name, hid_t type, const Handle& size, const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, size, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  require(H5Awrite(attribute, type, data), "write an attribute");
}

/// How objects are made: with their attributes in order, which also lets these be longer than 64 KiB, as the
/// names of ten thousand coordinates are; and without the time of day, so that the same results are the same
/// bytes.
Handle made_with_ordered_attributes(hid_t kind) {
  Handle how(H5Pcreate(kind), H5Pclose, "prepare an object");
  require(H5Pset_attr_creation_order(how, H5P_CRT_ORDER_TRACKED), "prepare an object");
  require(H5Pset_obj_track_times(how, false), "prepare an object");
  return how;
}

Handle make_set(hid_t where, const char* name, hid_t type, const Handle& size) {
  const Handle how = made_with_ordered_attributes(H5P_DATASET_CREATE);
  return {H5Dcreate2(where, name, type, size, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose, "make a data set"};
}

Handle write_set(hid_t where, const char* name, hid_t type, std::size_t count, const void* data) {
  Handle set = make_set(where, name, type, space({count}));
  if (count > 0) require(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write a data set");
  return set;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  out.push_back(nullptr);  // never without an address
  return out;
}

/// In the oldest format, which everything reads; and H5Fget_file_image spoils the checksum of newer ones
/// (seen in 1.10.8: it clears the mark of an open file after the sum was taken).
Handle memory_file() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare a file");
  constexpr std::size_t growth = 1 << 22;
  require(H5Pset_fapl_core(access, growth, false), "prepare a file in memory");
  require(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "choose a format");
  const Handle how = made_with_ordered_attributes(H5P_FILE_CREATE);
  return {H5Fcreate("result in memory", H5F_ACC_TRUNC, how, access), H5Fclose, "make a file in memory"};
}

}  // namespace

Handle::Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
  if (id < 0) refuse(what);
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

File::File() : file_(memory_file()) {}

std::string File::bytes() const {
  require(H5Fflush(file_, H5F_SCOPE_GLOBAL), "finish the file");
  const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
  if (size < 0) refuse("tell the size of the file");
  std::string out(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file_, out.data(), out.size()) != size) refuse("give the bytes of the file");
  return out;
}

Handle group(hid_t where, const std::string& name) {
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

void set(hid_t object, const char* name, const std::string& text) {
  const char* const pointer = text.c_str();
  set_attribute(object, name, text_type(), space({}), &pointer);
}

void set(hid_t object, const char* name, int value) {
  set_attribute(object, name, H5T_NATIVE_INT, space({}), &value);
}

void set(hid_t object, const char* name, const std::vector<std::string>& texts) {
  set_attribute(object, name, text_type(), space({texts.size()}), pointers(texts).data());
}

Handle write(hid_t where, const char* name, const std::vector<double>& values) {
  return write_set(where, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

Handle write(hid_t where, const char* name, const std::vector<int>& values) {
  return write_set(where, name, H5T_NATIVE_INT, values.size(), values.data());
}

Handle write(hid_t where, const char* name, const std::vector<std::string>& texts) {
  return write_set(where, name, text_type(), texts.size(), pointers(texts).data());
}

Handle write_rows(hid_t where, const char* name, std::size_t rows, std::size_t columns,
                  const std::function<void(int, std::vector<double>&)>& append) {
  const Handle all = space({rows, columns});
  Handle set = make_set(where, name, H5T_NATIVE_DOUBLE, all);
  if (columns == 0) return set;
  std::vector<double> numbers;
  for (std::size_t first = 0, next = 0; next < rows; first = next) {
    numbers.clear();
    while (next < rows && (next == first || numbers.size() < portion))
      append(static_cast<int>(next++), numbers);
    const hsize_t from[] = {first, 0}, count[] = {next - first, columns};
    require(H5Sselect_hyperslab(all, H5S_SELECT_SET, from, nullptr, count, nullptr), "choose rows");
    require(
        H5Dwrite(set, H5T_NATIVE_DOUBLE, space({next - first, columns}), all, H5P_DEFAULT, numbers.data()),
        "write rows");
  }
  return set;
}

}  // namespace vinculum::hdf5
