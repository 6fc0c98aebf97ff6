// HDF5 by its C interface: handles that close themselves, errors that become a sentence.
#pragma once
#include <hdf5.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

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

/// A file that is laid out in memory. The library cannot be trusted to close a file on a full disk in good
/// order, so that only finished bytes go there, the way all other bytes go.
class File {
 public:
  File();
  hid_t root() const { return file_; }
  std::string bytes() const;  ///< as they stand in a file

 private:
  Handle file_;
};

Handle group(hid_t where, const std::string& name);

/// Attributes. Texts are UTF-8 of any length.
void set(hid_t object, const char* name, const std::string& text);
void set(hid_t object, const char* name, int value);
void set(hid_t object, const char* name, const std::vector<std::string>& texts);

/// Data sets, open for attributes.
Handle write(hid_t where, const char* name, const std::vector<double>& values);
Handle write(hid_t where, const char* name, const std::vector<int>& values);
Handle write(hid_t where, const char* name, const std::vector<std::string>& texts);
/// A matrix, some rows at a time: `append(i, numbers)` adds row i.
Handle write_rows(hid_t where, const char* name, std::size_t rows, std::size_t columns,
                  const std::function<void(int, std::vector<double>&)>& append);

}  // namespace vinculum::hdf5
