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

void write_quoted(std::string_view text, std::string& out) {
  out += '"';
  const auto is_plain = [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 32 && c != 127;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_plain) -
        text.begin());
    out += text.substr(at, end - at);
    if (end == text.size()) break;
    const char c = text[end];
    at = end + 1;
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
  out += '"';
}

void write_key(std::string_view key, std::string& out) {
  if (is_bare_key(key))
    out += key;
  else
    write_quoted(key, out);
}

std::string number_of(const Entry& entry) {
  constexpr double largest_integer = 9.0e15;
  if (entry.is_integer && std::fabs(entry.number) < largest_integer)
    return fmt::format("{}", static_cast<long long>(entry.number));
  std::string text = number_text(entry.number);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

void write_value(const Entry& entry, std::string& out) {
  if (entry.kind == Kind::text) return write_quoted(entry.text, out);
  if (entry.kind == Kind::number) {
    out += number_of(entry);
    return;
  }
  if (entry.kind == Kind::boolean) {
    out += entry.boolean ? "true" : "false";
    return;
  }
  const bool is_table = entry.kind == Kind::table;
  out += is_table ? '{' : '[';
  for (std::size_t k = 0; k < entry.entries.size(); ++k) {
    const Entry& child = entry.entries[k];
    out += k == 0 ? (is_table ? " " : "") : ", ";
    if (is_table) {
      write_key(child.key, out);
      out += " = ";
    }
    write_value(child, out);
  }
  out += is_table ? (entry.entries.empty() ? "}" : " }") : "]";
}

void write_line(const Entry& entry, std::string& out) {
  write_key(entry.key, out);
  out += " = ";
  write_value(entry, out);
  out += '\n';
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
    out += "\n[" + path + ".";
    write_key(entry.key, out);
    out += "]\n";
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
    for (const Entry& entry : table.entries) {
      if (entry.kind != Kind::table) continue;
      std::string path = "view.";
      write_key(entry.key, path);
      write_table(entry, path, out);
    }
  }
  return out;
}

}  // namespace vinculum
