#include "report/json_parts.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/system/control.hpp"

namespace vinculum {

std::string text_of(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items())
    text += (text.empty() ? "{\n  " : ",\n  ") + Json(key).dump() + ": " +
            value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text + "\n}\n";
}

Json list(std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); }

Json stated_names(const System& system) {
  const auto& names = system.coordinate_names();
  return std::vector<std::string>(names.begin(), names.begin() + system.stated_coordinates());
}
Json stated(const System& system, std::span<const double> q) {
  return list(q.first(std::min(q.size(), static_cast<std::size_t>(system.stated_coordinates()))));
}

Json list_or_null(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) return nullptr;
  return list(values);
}

Json by_name(const std::vector<std::string>& names, std::span<const double> values) {
  Json out = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    add(out, names[i], i < values.size() ? Json(values[i]) : Json());
  return out;
}

void add_control(Json& out, const System& system, std::span<const double> constraint,
                 std::span<const double> control) {
  if (programmes(system).empty()) return;
  out["control_force"] = nullptr;
  out["reaction_force"] = nullptr;
  if (constraint.empty() || control.size() != constraint.size()) return;
  std::vector<double> reaction(constraint.begin(), constraint.end());
  for (std::size_t i = 0; i < reaction.size(); ++i) reaction[i] -= control[i];
  out["control_force"] = list(control);
  out["reaction_force"] = reaction;
}

Json passed_over_json(const std::vector<PassedOver>& rows) {
  Json out = Json::array();
  for (const PassedOver& p : rows)
    out.push_back({{"row", p.name}, {"constraint", p.constraint}, {"gap", p.gap}, {"allowed", p.allowed}});
  return out;
}

}  // namespace vinculum
