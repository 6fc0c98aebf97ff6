#include "io/model/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
// Some assertions of toml++ do not hold for every broken text ("[.a]"). Where NDEBUG is defined it takes them
// for facts instead, and a compiler may leave out the very branch that finds the fault.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "io/model/bad_byte.hpp"

namespace vinculum {
namespace {

// Neither a person nor a sensible generator nests deeper; the limit keeps recursion on any input within the
// stack.
constexpr int deepest = 64;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::size_t character_length(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

/// Where a string that opens at `at` ends (behind its closing quotes), or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool multi = text.substr(at, 3) == std::string(3, quote);
  for (std::size_t i = at + (multi ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"')
      ++i;
    else if (!multi && (text[i] == quote || text[i] == '\n'))
      return i + 1;
    else if (multi && text.substr(i, 3) == std::string(3, quote)) {
      while (i + 3 < text.size() && text[i + 3] == quote) ++i;
      return i + 3;
    }
  }
  return text.size();
}

/// The place where the text nests too deep, or npos. Brackets nest, and so do dotted keys, for which the TOML
/// reader has no limit: `a.a.a.a` is four tables. Strings and comments do not count.
std::size_t find_deep_place(std::string_view text) {
  int depth = 0, dots = 0;
  std::size_t key = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i) - 1;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots > deepest) return key;
    } else if (std::string_view("\n=,{}[]").find(c) != std::string_view::npos) {
      dots = 0;
      key = i + 1;
      if ((c == '[' || c == '{') && ++depth > deepest) return i;
      if ((c == ']' || c == '}') && depth > 0) --depth;
    }
  }
  return std::string_view::npos;
}

class Builder {
 public:
  Builder(const Source& source, int file) : source_(source), file_(file) {}

  void fill(Entry& entry, const toml::node& node) const {
    entry.at = offset(node.source().begin);
    if (const auto* table = node.as_table()) {
      entry.kind = Entry::Kind::table;
      for (const auto& [key, value] : *table) {
        Entry& child = entry.entries.emplace_back();
        child.key = std::string(key.str());
        child.key_at = offset(key.source().begin);
        fill(child, value);
      }
      // The TOML reader sorts by name; people count by the order of their file.
      std::stable_sort(entry.entries.begin(), entry.entries.end(),
                       [](const Entry& a, const Entry& b) { return a.key_at < b.key_at; });
      entry.index_keys();
    } else if (const auto* array = node.as_array()) {
      entry.kind = Entry::Kind::array;
      for (const toml::node& value : *array) fill(entry.entries.emplace_back(), value);
    } else if (const auto* text = node.as_string()) {
      entry.kind = Entry::Kind::text;
      entry.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
      entry.kind = Entry::Kind::number;
      entry.is_integer = true;
      entry.number = static_cast<double>(integer->get());
    } else if (const auto* number = node.as_floating_point()) {
      entry.kind = Entry::Kind::number;
      entry.number = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      entry.kind = Entry::Kind::boolean;
      entry.boolean = boolean->get();
    }
  }

 private:
  std::size_t offset(const toml::source_position& p) const {
    return source_.offset(static_cast<int>(p.line), static_cast<int>(p.column), file_);
  }
  const Source& source_;
  int file_;
};

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

/// The TOML reader points behind a key that is there twice and behind a number it cannot read; people look
/// for the beginning of either.
std::size_t true_place(std::string_view text, std::size_t at, std::string_view what) {
  at = std::min(at, text.size());
  if (what.find("cannot redefine") != what.npos) {
    const std::size_t equals = text.rfind('=', at == 0 ? 0 : at - 1);
    const std::size_t line = text.rfind('\n', at == 0 ? 0 : at - 1);
    if (equals == text.npos || (line != text.npos && equals < line)) return at;
    std::size_t i = equals;
    while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
    while (i > 0 && text[i - 1] != '\n' && text[i - 1] != '{' && text[i - 1] != ',' && text[i - 1] != ' ' &&
           text[i - 1] != '\t')
      --i;
    return i;
  }
  if (what.find("integer") != what.npos || what.find("floating-point") != what.npos)
    while (at > 0 && (is_bare(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '+')) --at;
  return at;
}

/// `b = ..` beside `b.torque = ..`: to TOML the second says that b is a table. The dotted one of the two,
/// where such a pair and not one key twice is the fault.
std::string dotted_beside(std::string_view text, std::size_t at, const std::string& key) {
  const std::size_t table = text.rfind("\n[", at);
  for (std::size_t line = table == text.npos ? 0 : table + 1; line < at;
       line = std::min(text.find('\n', line), at) + 1) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t", line), at);
    std::size_t end = begin;
    while (end < at && (is_bare(text[end]) || text[end] == '.')) ++end;
    const std::string other(text.substr(begin, end - begin));
    if (other == key) return "";
    if (!other.empty() && key.starts_with(other + ".")) return key;
    if (other.starts_with(key + ".")) return other;
  }
  return "";
}

std::string readable(const std::string& description, std::string_view text, std::size_t at) {
  const std::string prefix = "Error while ";
  if (description.find("cannot redefine existing") != description.npos) {
    const bool is_table = text.substr(at, 1) == "[";
    const std::size_t end = std::min(text.find_first_of(is_table ? "\n#" : "=\n", at), text.size());
    std::string key(text.substr(at, end - at));
    key.erase(key.find_last_not_of(" \t\r") + 1);
    const bool quoted = key.starts_with('"') || key.starts_with('\'');
    if (const std::string dotted = dotted_beside(text, at, key); !dotted.empty()) {
      const std::string base = dotted.substr(0, dotted.find('.'));
      return "'" + base + "' and '" + dotted + "' stand beside each other, and to TOML '" + dotted +
             "' says that '" + base + "' is a table; put it in quotes: \"" + dotted + "\" = ..";
    }
    return (is_table ? "the table " : "the key ") + (is_table || quoted ? key : "'" + key + "'") +
           " is there twice";
  }
  return "not TOML: " + (description.starts_with(prefix) ? description.substr(prefix.size()) : description);
}

}  // namespace

std::size_t find_bad_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const std::size_t length = character_length(byte(0));
    if (length == 0 || at + length > text.size()) return at;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(k) & 0xc0) != 0x80) return at;
    const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
    const bool surrogate = byte(0) == 0xed && byte(1) > 0x9f;
    const bool beyond = byte(0) == 0xf4 && byte(1) > 0x8f;
    if (overlong || surrogate || beyond) return at;
    at += length;
  }
  return std::string_view::npos;
}

namespace {

std::vector<std::size_t> lines_of(std::string_view text) {
  std::vector<std::size_t> lines{0};
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) lines.push_back(++at);
  return lines;
}

}  // namespace

Source::Source(std::string_view text, std::string path) {
  files_.push_back({"", text, std::move(path), 0, lines_of(text)});
}

int Source::add_file(std::string text, std::string path) {
  const std::size_t first = size() + 1;  // the end of a text is a place of its own
  File& file = files_.emplace_back();
  file.owned = std::move(text);
  file.text = file.owned;
  file.path = std::move(path);
  file.first = first;
  file.lines = lines_of(file.text);
  return files() - 1;
}

std::size_t Source::size() const { return files_.back().first + files_.back().text.size(); }

const Source::File& Source::file_of(std::size_t stated) const {
  const auto after = std::upper_bound(files_.begin(), files_.end(), stated,
                                      [](std::size_t at, const File& file) { return at < file.first; });
  return *(after - 1);
}

Place Source::place(std::size_t offset) const {
  const File& file = file_of(stated(offset));
  const std::size_t at = stated(offset) - file.first;
  const auto line = std::upper_bound(file.lines.begin(), file.lines.end(), at) - file.lines.begin();
  return {file.path, static_cast<int>(line), static_cast<int>(at - file.lines[line - 1]) + 1};
}

Source::Spot Source::spot(std::size_t offset) const {
  const File& file = file_of(stated(offset));
  const std::size_t at = std::min(stated(offset) - file.first, file.text.size());
  return {file.text, at, offset - at};
}

std::size_t Source::offset(int line, int column, int number) const {
  const File& file = files_[number];
  if (line < 1) return file.first;
  std::size_t at = file.lines[std::min<std::size_t>(line, file.lines.size()) - 1];
  if (at == 0 && file.text.starts_with(byte_order_mark)) at = byte_order_mark.size();
  for (int k = 1; k < column && at < file.text.size(); ++k)
    at += std::max<std::size_t>(1, character_length(static_cast<unsigned char>(file.text[at])));
  return file.first + std::min(at, file.text.size());
}

std::size_t Source::add_use(Use use) {
  uses_.push_back(std::move(use));
  return uses_.size() - 1;
}

std::string Source::part_at(std::size_t offset) const {
  for (std::size_t use = use_of(offset); use != 0; use = use_of(uses_[use].at))
    if (uses_[use].is_part) return uses_[use].what;
  return "";
}

std::string Source::told_use(std::size_t offset) const {
  std::string text;
  for (std::size_t use = use_of(offset); use != 0; use = use_of(uses_[use].at)) {
    const Use& by = uses_[use];
    if (!by.is_part) {
      text += "; with " + by.what;
      continue;
    }
    const Place at = place(by.at);
    text += fmt::format("; in part '{}', stated at {}:{}:{}", by.what, at.file, at.line, at.column);
  }
  return text;
}

void Entry::index_keys() {
  constexpr std::size_t large = 32;
  by_key_.clear();
  if (entries.size() <= large) return;
  const auto key_of = [this](std::size_t k) -> std::string_view { return entries[k].key; };
  for (std::size_t k = 0; k < entries.size(); ++k) by_key_.add(entries[k].key, k, key_of);
}

const Entry* Entry::find(std::string_view name) const {
  if (!by_key_.empty()) {
    const std::uint32_t k =
        by_key_.find(name, [this](std::size_t i) -> std::string_view { return entries[i].key; });
    return k == NameIndex::nothing ? nullptr : &entries[k];
  }
  for (const Entry& entry : entries)
    if (entry.key == name) return &entry;
  return nullptr;
}

std::string_view kind_name(Entry::Kind kind) {
  constexpr std::string_view names[] = {"a table",  "an array",      "a text",
                                        "a number", "a truth value", "a date"};
  return names[static_cast<int>(kind)];
}

bool read_document(const Source& source, Entry& root, std::vector<Fault>& faults, int file) {
  const std::string_view text = source.text(file);
  const std::size_t start = source.offset(0, 0, file);
  const auto refuse = [&](std::size_t at, std::string why) {
    faults.push_back({source.place(start + at), std::move(why), start + at});
    return false;
  };
  const std::size_t first = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  if (text.find_first_not_of(" \t\r\n", first) == text.npos)
    return refuse(0, "the file is empty; 'vinculum new' writes a model to start from");
  if (const std::size_t at = text.find('\0'); at != text.npos)
    return refuse(at, "a NUL byte; a model is a text file");
  if (const std::size_t at = find_bad_byte(text); at != text.npos)
    return refuse(at, fmt::format("byte 0x{:02x} is not UTF-8; a model is a text file in UTF-8",
                                  static_cast<unsigned char>(text[at])));
  if (const std::size_t at = find_deep_place(text); at != text.npos)
    return refuse(at, fmt::format("nested deeper than {} levels", deepest));
  try {
    const toml::table table = toml::parse(text);
    Builder(source, file).fill(root, table);
  } catch (const toml::parse_error& e) {
    const auto at = source.offset(static_cast<int>(e.source().begin.line),
                                  static_cast<int>(e.source().begin.column), file) -
                    start;
    const std::size_t place = true_place(text, at, e.description());
    return refuse(place, readable(std::string(e.description()), text, place));
  }
  return true;
}

std::size_t start_of_dotted_key(const Source& source, std::size_t offset) {
  auto [text, at, first] = source.spot(offset);
  const auto skip_blanks = [all = text](std::size_t end) {
    while (end > 0 && (all[end - 1] == ' ' || all[end - 1] == '\t')) --end;
    return end;
  };
  for (;;) {
    std::size_t end = skip_blanks(at);
    if (end == 0 || text[end - 1] != '.') return first + at;
    end = skip_blanks(end - 1);
    if (end == 0) return first + at;
    std::size_t begin = end;
    if (const char quote = text[end - 1]; quote == '"' || quote == '\'') {
      begin = end >= 2 ? text.rfind(quote, end - 2) : text.npos;
      if (begin == text.npos) return first + at;
    } else {
      while (begin > 0 && is_bare(text[begin - 1])) --begin;
    }
    at = begin;
  }
}

void TextPlaces::add(std::size_t at) {
  ++size_;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const bool alone = last.length == 1;
    const std::size_t by = at - (last.at + last.step * (last.length - 1));
    if (alone ? by <= 1 : by == last.step) {
      last.step = static_cast<std::uint32_t>(by);
      ++last.length;
      return;
    }
  }
  runs_.push_back({at, 1, 0});
}

/// Behind two at one place the last run stays there.
void TextPlaces::add(std::size_t at, std::size_t count) {
  for (std::size_t k = 0; k < std::min<std::size_t>(count, 2); ++k) add(at);
  if (count <= 2) return;
  runs_.back().length += static_cast<std::uint32_t>(count - 2);
  size_ += count - 2;
}

std::vector<std::size_t> TextPlaces::all() const {
  std::vector<std::size_t> places;
  places.reserve(size_);
  for (const Run& run : runs_)
    for (std::uint32_t k = 0; k < run.length; ++k) places.push_back(run.at + run.step * k);
  return places;
}

std::vector<std::size_t> places_of_text(const Source& source, const Entry& entry) {
  if (!entry.places.empty()) return entry.places.all();
  auto [text, at, first] = source.spot(entry.at);
  std::vector<std::size_t> places;
  places.reserve(entry.text.size() + 1);
  const char quote = at < text.size() ? text[at] : '"';
  const bool multi = text.substr(at, 3) == std::string(3, quote);
  at += multi ? 3 : 1;
  if (multi && text.substr(at, 2) == "\r\n")
    at += 2;
  else if (multi && text.substr(at, 1) == "\n")
    ++at;
  while (places.size() < entry.text.size() && at < text.size()) {
    if (quote == '"' && text[at] == '\\' && at + 1 < text.size()) {
      const char escape = text[at + 1];
      if (multi && (escape == '\n' || escape == '\r' || escape == ' ' || escape == '\t')) {
        at = std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size());  // the line goes on
        continue;
      }
      const std::size_t digits = escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
      // What the escape stands for may take several bytes; all of them were written here.
      const std::size_t length =
          std::max<std::size_t>(1, character_length(static_cast<unsigned char>(entry.text[places.size()])));
      for (std::size_t k = 0; k < length && places.size() < entry.text.size(); ++k)
        places.push_back(first + at);
      at += 2 + digits;
      continue;
    }
    // TOML may turn \r\n into \n; positions follow the bytes that remain.
    if (text[at] == '\r' && entry.text[places.size()] == '\n') ++at;
    places.push_back(first + at++);
  }
  places.resize(entry.text.size() + 1, first + std::min(at, text.size()));
  return places;
}

}  // namespace vinculum
