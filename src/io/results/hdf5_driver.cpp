#include "io/results/hdf5_driver.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

namespace vinculum::hdf5 {
namespace {

/// An open file, as the library sees it: its own part first.
struct Open {
  H5FD_t of_library;
  Trouble* trouble;
  haddr_t end_of_space;  // handed out by the library so far
};

Open* mine(H5FD_t* file) { return reinterpret_cast<Open*>(file); }
const Open* mine(const H5FD_t* file) { return reinterpret_cast<const Open*>(file); }

/// Does something to the bytes unless something failed before. Always a success, to the library.
template <class Action>
herr_t attempt(Trouble& trouble, Action action) {
  if (!trouble.text.empty()) return 0;
  try {
    action(*trouble.bytes);
  } catch (const std::exception& e) {
    trouble.text = e.what();
  }
  return 0;
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const trouble = static_cast<Trouble* const*>(H5Pget_driver_info(access));
  return trouble ? &(new Open{{}, *trouble, 0})->of_library : nullptr;
}

herr_t close_file(H5FD_t* file) {
  delete mine(file);
  return 0;
}

herr_t tell_features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t end_of_space(const H5FD_t* file, H5FD_mem_t) { return mine(file)->end_of_space; }

herr_t set_end_of_space(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  mine(file)->end_of_space = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return mine(file)->trouble->bytes->size(); }

/// What was never written is zero.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, size_t count, void* out) {
  return attempt(*mine(file)->trouble, [&](const AtomicFile& bytes) {
    std::string found;
    bytes.read_at(place, count, found);
    std::memset(out, 0, count);
    std::memcpy(out, found.data(), found.size());
  });
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, size_t count, const void* in) {
  return attempt(*mine(file)->trouble,
                 [&](AtomicFile& bytes) { bytes.write_at(place, {static_cast<const char*>(in), count}); });
}

/// The file ends where the space that was handed out does.
herr_t cut(H5FD_t* file, hid_t, hbool_t) {
  return attempt(*mine(file)->trouble, [&](AtomicFile& bytes) {
    if (bytes.size() != mine(file)->end_of_space) bytes.resize(mine(file)->end_of_space);
  });
}

}  // namespace

hid_t register_driver() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t d{};
    d.name = "vinculum";
    d.maxaddr = (haddr_t{1} << 62);
    d.fc_degree = H5F_CLOSE_WEAK;
    d.fapl_size = sizeof(Trouble*);
    d.open = open_file;
    d.close = close_file;
    d.query = tell_features;
    d.get_eoa = end_of_space;
    d.set_eoa = set_end_of_space;
    d.get_eof = end_of_file;
    d.read = read_bytes;
    d.write = write_bytes;
    d.truncate = cut;
    const H5FD_mem_t apart[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;  // data and what tells of it
    std::copy(std::begin(apart), std::end(apart), d.fl_map);
    return d;
  }();
  return H5FDregister(&driver);
}

herr_t use_driver(hid_t access, hid_t driver, Trouble* trouble) {
  return H5Pset_driver(access, driver, &trouble);
}

}  // namespace vinculum::hdf5
