// Reads the reference cases: numbers are decimal strings or exact fractions.
#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum::reference {

using nlohmann::json;

inline json read(const std::string& name) {
  std::ifstream file(test_data() + "/reference/" + name + ".json");
  return json::parse(file);
}

/// "-17/30" or "1.25", rounded once.
inline double number(const json& text) {
  const std::string s = text.get<std::string>();
  const std::size_t slash = s.find('/');
  if (slash == std::string::npos) return std::stod(s);
  return static_cast<double>(std::stold(s.substr(0, slash)) / std::stold(s.substr(slash + 1)));
}

inline std::vector<double> numbers(const json& list) {
  std::vector<double> out;
  for (const json& entry : list) out.push_back(number(entry));
  return out;
}

inline SparseMatrix matrix(const json& rows) {
  std::vector<double> values;
  for (const json& row : rows)
    for (const json& entry : row) values.push_back(number(entry));
  const int columns = rows.empty() ? 0 : static_cast<int>(rows[0].size());
  return SparseMatrix::from_dense(static_cast<int>(rows.size()), columns, values);
}

/// The cases f01 to f04: one instant, all data given.
inline Equations equations(const json& parameters) {
  Equations at{matrix(parameters["M"]),
               numbers(parameters["Q"]),
               matrix(parameters["A"]),
               numbers(parameters["b"]),
               {}};
  if (!parameters["C"].is_null()) at.C = numbers(parameters["C"]);
  return at;
}

}  // namespace vinculum::reference
