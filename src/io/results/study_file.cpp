#include "vinculum/io/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/results/atomic_file.hpp"
#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum {
namespace {

enum class Kind { csv, hdf5 };

Kind kind_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".csv") return Kind::csv;
  if (ending == ".h5" || ending == ".hdf5") return Kind::hdf5;
  fail("'" + path + "' cannot be the file of a study: these end with .csv or .h5");
}

}  // namespace

StudyFile::~StudyFile() = default;

/// Two sums of FNV-1a.
std::string mark_of(const StudyRecord& record) {
  std::uint64_t sums[] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
  for (std::uint64_t& sum : sums)
    for (const char c : record.identity) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}{:016x}", sums[0], sums[1]);
}

void recall_whole_study(const std::string& path, const StudyRecord& record, const RowSink& sink) {
  if (kind_of(path) == Kind::csv)
    fail("'" + path +
         "' is there and complete, and a table does not say of which study it is: remove it, or "
         "leave out --resume to compute it again");
  recall_hdf5(path, record, sink);
}

bool has_partial_study(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(AtomicFile::lasting_name(path), ignored);
}

void require_study_place(const std::string& path) {
  namespace fs = std::filesystem;
  if (kind_of(path) == Kind::hdf5 && !has_hdf5())
    fail("cannot write '" + path +
         "': vinculum was built without HDF5; write FILE.csv, or build it with -DVINCULUM_HDF5=ON");
  std::error_code trouble;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent, trouble))
    fail("cannot write '" + path + "': there is no folder '" + parent.string() + "'");
  if (fs::is_directory(path, trouble)) fail("cannot write '" + path + "': this is a folder");
}

void refuse_to_go_on(const std::string& path, const std::string& why) {
  fail("cannot go on with '" + AtomicFile::lasting_name(path) + "': " + why +
       "; remove it, or give the study another file");
}

std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyRecord& record, bool resume) {
  require_study_place(path);
  const bool go_on = resume && has_partial_study(path);
  return kind_of(path) == Kind::csv ? open_study_csv(path, record, go_on)
                                    : open_study_hdf5(path, record, go_on);
}

MemberOfFile member_of_file(const std::string& path, long member) {
  if (kind_of(path) == Kind::csv)
    fail("'" + path +
         "' does not say which of its columns varied; a study in FILE.h5 does, and '--member' "
         "without '--of' is the member of the [ensemble] of the model");
  if (member < 0) fail("members are counted from 0, and " + std::to_string(member) + " is none");
  try {
    return read_member_hdf5(path, member);
  } catch (const Error& e) {
    fail("cannot read member " + std::to_string(member) + " of '" + path + "': " + e.text());
  }
}

}  // namespace vinculum
