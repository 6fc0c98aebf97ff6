// HDF5 by its C interface: handles that close themselves, errors that become a sentence.
#pragma once
#include <hdf5.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/results/atomic_file.hpp"
#include "io/results/hdf5_driver.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/report/record.hpp"

namespace vinculum::hdf5 {

/// Something of the library that has to be closed. Made from what a call returned: a negative value is an
/// error.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const char* what);
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): it is one, to the library

 private:
  hid_t id_;
  Close close_;
};

/// While it lives the library prints nothing of its own.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Does something with a file. What the library says about it is told with its path; what AtomicFile says has
/// it already.
template <class Action>
void told_by_path(const std::string& path, Action action) {
  const Quiet quiet;
  try {
    action();
  } catch (const Error& e) {
    if (e.text().starts_with("cannot write")) throw;
    fail("cannot write '" + path + "': " + e.text());
  }
}

/// A file whose bytes go to a AtomicFile, and nowhere else. The library cannot be trusted to close a file on
/// a full disk in good order: it is never told of one. What could not be written is an error of close().
class File {
 public:
  /// With ordered attributes, which may then be longer than 64 KiB. Without them, in the oldest form alone.
  explicit File(AtomicFile& bytes, bool ordered_attributes = true);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  hid_t root() const { return *file_; }
  void close();

 private:
  std::unique_ptr<Trouble> trouble_;  // of writing, as it came first
  std::unique_ptr<Handle> driver_, file_;
};

Handle group(hid_t where, const std::string& name);

/// Attributes. Texts are UTF-8 of any length.
void set(hid_t object, const char* name, const std::string& text);
void set(hid_t object, const char* name, int value);
void set(hid_t object, const char* name, const std::vector<std::string>& texts);
void set(hid_t object, const char* name, const std::vector<double>& values);

/// Where a result comes from: title, description, model and version as attributes, and the group /settings.
void set_origin(const File& file, const RunRecord& record);
void write_settings(const File& file, const RunRecord& record);

/// Data sets, open for attributes.
Handle write(hid_t where, const char* name, const std::vector<double>& values);
Handle write(hid_t where, const char* name, const std::vector<int>& values);
Handle write(hid_t where, const char* name, const std::vector<std::string>& texts);
/// An empty data set of doubles, or of ints, to be filled some rows at a time: of a list where `columns` is
/// none, of a matrix else.
Handle make_rows(hid_t where, const char* name, hid_t type, std::size_t rows,
                 std::optional<std::size_t> columns);
/// Rows from `first` on; numbers of a row stand together. They become those of the data set's type.
void fill_rows(const Handle& set, std::size_t first, std::size_t rows, std::optional<std::size_t> columns,
               const std::vector<double>& numbers);

/// A file that grows by rows of doubles and can be read at any moment, also when its writer was killed: one
/// matrix `samples`, and `names` and `model` beside it. The library writes the head once; then rows are
/// appended, and the numbers in the head that tell how many there are follow them. These stand together in
/// the first page of the file, so that they change at once.
class GrowingFile {
 public:
  /// Bytes that are there already are such a file, with the same names and model, and grow on; an error else.
  GrowingFile(AtomicFile& bytes, const std::vector<std::string>& names, const std::string& model);
  void append(std::string_view rows);  ///< whole ones
  std::size_t rows() const { return rows_; }
  /// Some of the rows, one behind the other.
  void read(std::size_t first, std::size_t count, std::vector<double>& numbers) const;

 private:
  void begin(const std::vector<std::string>& names, const std::string& model);
  void go_on();
  std::size_t place_of(const std::string& pattern) const;
  std::uint64_t number_at(std::size_t place) const;
  void put(std::size_t place, std::uint64_t number);
  AtomicFile& bytes_;
  std::size_t columns_, rows_ = 0;
  std::uint64_t begin_ = 0;  // of the rows
  std::string head_;         // as far as it changes
  std::size_t dimension_ = 0, storage_ = 0;
};

}  // namespace vinculum::hdf5
