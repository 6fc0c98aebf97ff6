// In place of write_hdf5.cpp where the library is built without HDF5.
#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  fail("cannot write '" + path +
       "': vinculum was built without HDF5; write FILE.csv, or build it with -DVINCULUM_HDF5=ON");
}

}  // namespace

bool has_hdf5() { return false; }

void write_hdf5(const std::string& path, const System&, const Trajectory&, const RunRecord&) { refuse(path); }

std::unique_ptr<ResultStream> stream_hdf5(const std::string& path, const System&, const RunRecord&) {
  refuse(path);
}

std::unique_ptr<StudyFile> open_study_hdf5(const std::string& path, const StudyRecord&, bool) {
  refuse(path);
}

void recall_hdf5(const std::string& path, const StudyRecord&, const RowSink&) { refuse(path); }

MemberOfFile read_member_hdf5(const std::string&, long) { fail("vinculum was built without HDF5"); }

Table read_table_hdf5(const std::string&, const std::vector<std::string>&) {
  fail("vinculum was built without HDF5");
}

}  // namespace vinculum
