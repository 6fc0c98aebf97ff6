#include "io/results/hdf5_file.hpp"

#include <algorithm>
#include <cstring>

#include "vinculum/base/error.hpp"

namespace vinculum::hdf5 {
namespace {

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

/// In the oldest format, which everything reads.
hid_t make_file(hid_t driver, Trouble* trouble, bool ordered_attributes) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare a file");
  require(use_driver(access, driver, trouble), "prepare a file");
  require(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "choose a format");
  if (!ordered_attributes) return H5Fcreate("result", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const Handle how = made_with_ordered_attributes(H5P_FILE_CREATE);
  return H5Fcreate("result", H5F_ACC_TRUNC, how, access);
}

std::string little_endian(std::uint64_t number) {
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(number >> (8 * k) & 0xff);
  return bytes;
}

// GrowingFile: a number of rows that nothing else in the head equals, until the true one is put there.
constexpr std::uint64_t unlikely = 0x5b17'93e6;
constexpr std::size_t end_of_file_place = 40;  // in the superblock of version 0

}  // namespace

Handle::Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
  if (id < 0) refuse(what);
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

File::File(AtomicFile& bytes, bool ordered_attributes)
    : trouble_(new Trouble{&bytes, ""}),
      driver_(new Handle(register_driver(), H5FDunregister, "find its way to a file")),
      file_(new Handle(make_file(*driver_, trouble_.get(), ordered_attributes), H5Fclose, "make a file")) {}

File::~File() = default;

void File::close() {
  require(H5Fflush(*file_, H5F_SCOPE_GLOBAL), "finish the file");
  file_.reset();
  driver_.reset();
  if (!trouble_->text.empty()) fail(trouble_->text);
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

void set(hid_t object, const char* name, const std::vector<double>& values) {
  set_attribute(object, name, H5T_NATIVE_DOUBLE, space({values.size()}), values.data());
}

void set_origin(const File& file, const RunRecord& record) {
  set(file.root(), "title", record.title);
  set(file.root(), "description", record.description);
  set(file.root(), "model_path", record.path);
  set(file.root(), "model", record.text);
  set(file.root(), "version", record.version);
}

void write_settings(const File& file, const RunRecord& record) {
  const Handle settings = group(file.root(), "settings");
  for (const auto& [name, value] : record.settings) {
    if (H5Aexists(settings, name.c_str()) > 0) H5Adelete(settings, name.c_str());  // the last one holds
    set(settings, name.c_str(), value);
  }
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

Handle make_rows(hid_t where, const char* name, hid_t type, std::size_t rows,
                 std::optional<std::size_t> columns) {
  return make_set(where, name, type, columns ? space({rows, *columns}) : space({rows}));
}

void fill_rows(const Handle& set, std::size_t first, std::size_t rows, std::optional<std::size_t> columns,
               const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  const Handle all(H5Dget_space(set), H5Sclose, "tell a size");
  const hsize_t from[] = {first, 0}, count[] = {rows, columns.value_or(1)};
  require(H5Sselect_hyperslab(all, H5S_SELECT_SET, from, nullptr, count, nullptr), "choose rows");
  const Handle part = columns ? space({rows, *columns}) : space({rows});
  require(H5Dwrite(set, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, numbers.data()), "write rows");
}

GrowingFile::GrowingFile(AtomicFile& bytes, const std::vector<std::string>& names, const std::string& model)
    : bytes_(bytes), columns_(names.size()) {
  begin(names, model);
  if (bytes.size() > 0) {
    go_on();
    return;
  }
  bytes.write_all(head_);
  head_.resize(std::max({dimension_ + 16, storage_ + 8, end_of_file_place}) + 8);
  append("");
}

/// The head, whole, as it is before there are rows.
void GrowingFile::begin(const std::vector<std::string>& names, const std::string& model) {
  AtomicFile fresh{AtomicFile::Nameless()};
  File file(fresh, false);
  // First, and without attributes of its own: what changes stands in the first page, without a sum over it;
  // and without the time of day, so that who goes on with it makes the same head.
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare an object");
  require(H5Pset_obj_track_times(how, false), "prepare an object");
  Handle(H5Dcreate2(file.root(), "samples", H5T_IEEE_F64LE, space({unlikely, columns_}), H5P_DEFAULT, how,
                    H5P_DEFAULT),
         H5Dclose, "make a data set");
  write(file.root(), "names", names);
  write(file.root(), "model", std::vector<std::string>{model});
  file.close();
  begin_ = (fresh.size() + 7) / 8 * 8;
  fresh.resize(begin_);
  fresh.read_at(0, begin_, head_);
  // The sizes, and the largest they may become, which are the same.
  const std::string sizes = little_endian(unlikely) + little_endian(columns_);
  dimension_ = place_of(sizes + sizes);
  // The space of the matrix is not there yet: its place is unknown, its size told.
  storage_ = place_of(std::string(8, '\xff') + little_endian(unlikely * columns_ * sizeof(double)));
}

/// What is there has the same head but for the numbers that grow.
void GrowingFile::go_on() {
  std::string there;
  bytes_.read_at(0, begin_, there);
  if (there.size() < begin_) fail("it belongs to another study, or another model");
  std::swap(head_, there);  // `there` is what was expected
  rows_ = number_at(dimension_);
  for (const std::size_t place : {end_of_file_place, dimension_, dimension_ + 16, storage_, storage_ + 8}) {
    head_.replace(place, 8, there, place, 8);
  }
  if (head_ != there) fail("it belongs to another study, or another model");
  const std::size_t row = columns_ * sizeof(double);
  rows_ = std::min<std::uint64_t>(rows_, (bytes_.size() - begin_) / row);
  head_.resize(std::max({dimension_ + 16, storage_ + 8, end_of_file_place}) + 8);
  append("");
}

std::uint64_t GrowingFile::number_at(std::size_t place) const {
  std::uint64_t number = 0;
  for (int k = 7; k >= 0; --k) number = number << 8 | static_cast<unsigned char>(head_[place + k]);
  return number;
}

std::size_t GrowingFile::place_of(const std::string& pattern) const {
  const std::size_t at = head_.find(pattern);
  if (at == head_.npos || head_.find(pattern, at + 1) != head_.npos)
    fail("HDF5 could not lay out a file that grows: its head is not as expected");
  return at;
}

void GrowingFile::put(std::size_t place, std::uint64_t number) {
  head_.replace(place, 8, little_endian(number));
}

/// In blocks, each told before the next: where the disk is full those that fit are there.
void GrowingFile::append(std::string_view rows) {
  constexpr std::size_t block = 1 << 15;
  const std::size_t row = columns_ * sizeof(double), at_once = std::max<std::size_t>(1, block / row) * row;
  do {  // of no rows the head is told as well
    const std::string_view now = rows.substr(0, at_once);
    rows.remove_prefix(now.size());
    bytes_.write_at(begin_ + rows_ * row, now);
    rows_ += now.size() / row;
    const std::uint64_t size = rows_ * row;
    put(end_of_file_place, begin_ + size);
    put(dimension_, rows_);
    put(dimension_ + 16, rows_);
    put(storage_, begin_);
    put(storage_ + 8, size);
    bytes_.write_at(0, head_);
  } while (!rows.empty());
}

void GrowingFile::read(std::size_t first, std::size_t count, std::vector<double>& numbers) const {
  std::string bytes;
  bytes_.read_at(begin_ + first * columns_ * sizeof(double), count * columns_ * sizeof(double), bytes);
  numbers.resize(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
}

}  // namespace vinculum::hdf5
