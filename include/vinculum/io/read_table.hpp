// Tables of values for the members of a study.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/study.hpp"

namespace vinculum {

/// FILE.csv: a line of names, and one of numbers for each row. FILE.h5: lists of the same length, in the root
/// or, as `vinculum sweep` writes them, in /varied. With `columns` only these, in their order. What is wrong
/// with it is an Error with file, line and column.
VINCULUM_EXPORT Table read_table(const std::string& path, const std::vector<std::string>& columns = {});

/// Where a file that a model names lies: below the folder of the model, as those it includes. An Error where
/// it leads elsewhere, or is not there.
VINCULUM_EXPORT std::string path_beside(const std::string& model_path, const std::string& name);

}  // namespace vinculum
