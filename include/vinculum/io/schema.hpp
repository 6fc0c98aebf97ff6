// The format of model files for editors.
#pragma once
#include <string>

namespace vinculum {

/// A JSON schema made from the tables the reader checks keys against.
std::string model_schema();

}  // namespace vinculum
