// The two kinds of files of a study.
#pragma once
#include <memory>
#include <string>

#include "vinculum/io/study_file.hpp"

namespace vinculum {

std::unique_ptr<StudyFile> open_study_csv(const std::string& path, const StudyRecord& record, bool resume);
std::unique_ptr<StudyFile> open_study_hdf5(const std::string& path, const StudyRecord& record, bool resume);

/// The mark of all that a study is: 128 bits in hexadecimal digits.
std::string mark_of(const StudyRecord& record);

void recall_hdf5(const std::string& path, const StudyRecord& record, const RowSink& sink);
MemberOfFile read_member_hdf5(const std::string& path, long member);
Table read_table_hdf5(const std::string& path, const std::vector<std::string>& columns);

/// What is wrong with a partial file that is to be gone on with.
[[noreturn]] void refuse_to_go_on(const std::string& path, const std::string& why);

}  // namespace vinculum
