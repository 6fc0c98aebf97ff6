// The format of model files for editors.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// A JSON schema made from the tables the reader checks keys against.
VINCULUM_EXPORT std::string model_schema();

}  // namespace vinculum
