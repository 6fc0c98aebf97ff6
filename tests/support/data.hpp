// Where the tests find their data.
#pragma once
#include <string>

namespace vinculum {

std::string test_data();  ///< the folder tests/data

}  // namespace vinculum
