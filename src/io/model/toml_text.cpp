// A document as TOML. Texts and numbers read back to the same bytes and bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/model/expand.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Kind = Entry::Kind;

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 32 || c == 127)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string key_text(std::string_view key) { return is_bare_key(key) ? std::string(key) : quoted_text(key); }

std::string number_of(const Entry& entry) {
  constexpr double largest_integer = 9.0e15;
  if (entry.is_integer && std::fabs(entry.number) < largest_integer)
    return fmt::format("{}", static_cast<long long>(entry.number));
  std::string text = number_text(entry.number);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::string value_text(const Entry& entry) {
  switch (entry.kind) {
    case Kind::text:
      return quoted_text(entry.text);
    case Kind::number:
      return number_of(entry);
    case Kind::boolean:
      return entry.boolean ? "true" : "false";
    default:
      break;
  }
  const bool is_table = entry.kind == Kind::table;
  std::string out = is_table ? "{" : "[";
  for (std::size_t k = 0; k < entry.entries.size(); ++k) {
    const Entry& child = entry.entries[k];
    out += k == 0 ? (is_table ? " " : "") : ", ";
    if (is_table) out += key_text(child.key) + " = ";
    out += value_text(child);
  }
  return out + (is_table ? (entry.entries.empty() ? "}" : " }") : "]");
}

void write_line(const Entry& entry, std::string& out) {
  out += key_text(entry.key) + " = " + value_text(entry) + "\n";
}

/// Entries that all are tables get headers of their own; a mixed table keeps its order on single lines.
void write_table(const Entry& table, const std::string& path, std::string& out) {
  const bool headers =
      !table.entries.empty() && path != "parts" &&
      std::ranges::all_of(table.entries, [](const Entry& e) { return e.kind == Kind::table; });
  if (!headers) {
    out += "\n[" + path + "]\n";
    for (const Entry& entry : table.entries) write_line(entry, out);
    return;
  }
  for (const Entry& entry : table.entries) {
    out += "\n[" + path + "." + key_text(entry.key) + "]\n";
    for (const Entry& child : entry.entries) write_line(child, out);
  }
}

}  // namespace

std::string toml_text(const Entry& root) {
  std::string out;
  for (const Entry& entry : root.entries)
    if (entry.kind != Kind::table) write_line(entry, out);
  for (const Entry& table : root.entries) {
    if (table.kind != Kind::table) continue;
    if (table.key != "view") {
      write_table(table, table.key, out);
      continue;
    }
    out += "\n[view]\n";
    for (const Entry& entry : table.entries)
      if (entry.kind != Kind::table) write_line(entry, out);
    for (const Entry& entry : table.entries)
      if (entry.kind == Kind::table) write_table(entry, "view." + key_text(entry.key), out);
  }
  return out;
}

}  // namespace vinculum
