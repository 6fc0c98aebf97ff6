// Values of the parameters of a system, by name.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// A value for each parameter that lives in a system: `Parameters p = system.parameters(); p["L"] = 2;`. A
/// name that is none of them is an error with the nearest one. Copies share the names.
class VINCULUM_EXPORT Parameters {
 public:
  Parameters() : Parameters({}, {}) {}
  Parameters(std::vector<std::string> names, std::vector<double> values);

  double& operator[](std::string_view name) { return values_[place_of(name)]; }
  double operator[](std::string_view name) const { return values_[place_of(name)]; }
  const std::vector<std::string>& names() const { return *names_; }
  std::span<const double> values() const { return values_; }  ///< in the order of names()
  std::span<double> values() { return values_; }
  /// Whether the other has the same names in the same order.
  bool is_like(const Parameters& other) const { return names_ == other.names_ || *names_ == *other.names_; }

 private:
  std::size_t place_of(std::string_view name) const;
  std::shared_ptr<const std::vector<std::string>> names_;
  std::vector<double> values_;
};

}  // namespace vinculum
