// Fields of tables.
#pragma once
#include <string>

namespace vinculum {

/// A field as RFC 4180 wants it.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace vinculum
