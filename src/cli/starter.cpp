// vinculum new, example, schema: what the program brings along.
#include <fmt/format.h>

#include <filesystem>

#include "base/embedded.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/schema.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum {

std::span<const EmbeddedFile> example_files();
std::span<const EmbeddedFile> starter_files();

namespace cli {
namespace {

int copy(const std::string& path, std::string_view text, bool force) {
  if (path == "-") return print(text) ? done : not_computed;
  if (std::filesystem::exists(path) && !force)
    fail(fmt::format("'{}' is there already; name another file, or --force to replace it", path));
  write_file(path, text);
  say("note", fmt::format("wrote {0}; next: vinculum run {0}", path));
  return done;
}

std::string name_of(const EmbeddedFile& file) {
  return std::string(file.name.substr(0, file.name.rfind('.')));
}

std::string title_of(const EmbeddedFile& file) {
  const ReadResult result = read_model(file.bytes, std::string(file.name));
  return result.file ? result.file->title : "";
}

}  // namespace

int write_new(const std::string& path, bool force) { return copy(path, starter_files()[0].bytes, force); }

int list_examples() {
  std::string page;
  for (const EmbeddedFile& file : example_files())
    page += fmt::format("{:<26} {}\n", name_of(file), title_of(file));
  page +=
      "\n'vinculum example NAME' copies one here; 'vinculum run NAME.toml --report NAME.html' then shows its "
      "motion.\n";
  return print(page) ? done : not_computed;
}

int copy_example(const std::string& name, std::string path, bool force) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : example_files()) {
    if (name_of(file) == name) return copy(path.empty() ? std::string(file.name) : path, file.bytes, force);
    names.push_back(name_of(file));
  }
  const std::string near = nearest_name(name, names);
  fail("there is no example '" + name + "'" + (near.empty() ? "" : " (did you mean '" + near + "'?)") +
       "; 'vinculum example' lists them");
}

std::string meant_instead_of(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path asked(path), folder = asked.has_parent_path() ? asked.parent_path() : fs::path(".");
  std::vector<std::string> files, examples;
  std::error_code trouble;
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end; entry.increment(trouble))
    if (entry->path().extension() == ".toml") files.push_back(entry->path().filename().string());
  const std::string whole =
      asked.extension() == ".toml" ? asked.filename().string() : asked.filename().string() + ".toml";
  if (const std::string near = nearest_name(whole, files); !near.empty())
    return fmt::format(" (did you mean '{}'?)", (asked.parent_path() / near).string());
  for (const EmbeddedFile& file : example_files()) examples.push_back(name_of(file));
  const std::string near = nearest_name(whole.substr(0, whole.size() - 5), examples);
  return near.empty()
             ? ""
             : fmt::format("; '{0}' is a built-in model: 'vinculum example {0}' copies it here", near);
}

int schema() { return print(model_schema() + "\n") ? done : not_computed; }

}  // namespace cli
}  // namespace vinculum
