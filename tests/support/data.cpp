#include "support/data.hpp"

namespace vinculum {

// Only this file knows the folder: all others compile to the same in every clone.
std::string test_data() { return VINCULUM_TEST_DATA; }

}  // namespace vinculum
