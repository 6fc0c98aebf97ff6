// The way of HDF5 to a file of ours.
#pragma once
#include <hdf5.h>

#include <string>

#include "io/results/atomic_file.hpp"

namespace vinculum::hdf5 {

/// Where the bytes go, and what could not be done first. The library hears of success all the way, so that it
/// closes everything it has opened.
struct Trouble {
  AtomicFile* bytes;
  std::string text;
};

/// A driver of the library that writes to a AtomicFile; to be unregistered when its files are closed.
hid_t register_driver();
/// Chooses it for files to be made.
herr_t use_driver(hid_t access, hid_t driver, Trouble* trouble);

}  // namespace vinculum::hdf5
