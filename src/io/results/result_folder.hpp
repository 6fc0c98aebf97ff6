// A folder of results: built aside, put in its place as a whole.
#pragma once
#include <string>

namespace vinculum {

/// Removes a partial folder: the files of results in it and itself. What is not ours stays, and so does the
/// folder then. Whether it is gone.
bool remove_results(const std::string& folder);

}  // namespace vinculum
