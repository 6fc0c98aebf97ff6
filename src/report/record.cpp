#include "vinculum/report/record.hpp"

namespace vinculum {

std::string Units::of(const std::string& name) const {
  const std::string vector = vector_of(name);
  std::string found;
  for (const auto& [known, unit] : told) {
    if (known == name) return unit;
    if (known == vector) found = unit;
  }
  return found;
}

std::string Units::vector_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot + 1 == name.size()) return "";
  const std::size_t primes = dot + 2;
  const bool part =
      name[dot + 1] >= 'x' && name[dot + 1] <= 'z' && name.find_first_not_of('\'', primes) == name.npos;
  return part ? name.substr(0, dot) + name.substr(primes) : "";
}

}  // namespace vinculum
