// JSON inside of a page.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace vinculum {

using Json = nlohmann::ordered_json;  // order is the order of the model

/// As it may stand inside a script element: no `<` is left in it.
std::string script_text(const Json& data);

}  // namespace vinculum
