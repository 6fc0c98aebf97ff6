// Functions written in C++, and where they may stand.
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

Function Model::function(OpaqueFunction function) {
  stated_->claim_name(function.name, "function");
  return stated_->graph().add_function(std::move(function));
}

void require_no_function(const Expr& e, const std::string& what) {
  for (const auto& f : functions_of({&e, 1}))
    fail(what + " contains the function '" + f->name +
         "', which is written in C++; such functions may stand in forces, outputs and events only");
}

Coordinate Model::find_coordinate(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < stated_->coordinates.size(); ++i) {
    const int v = stated_->velocity_of_coordinate(static_cast<int>(i));
    if (v < 0) continue;
    if (stated_->coordinates[i].name == name)
      return {stated_->coordinates[i].symbol, stated_->velocities[v].symbol,
              stated_->velocities[v].acceleration};
    names.push_back(stated_->coordinates[i].name);
  }
  fail("there is no coordinate '" + std::string(name) + "'; coordinates are: " + list_text(names));
}

}  // namespace vinculum
