// What the documents show is what the files and the program say: code and output are compared, line by line.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

const std::string root = VINCULUM_SOURCE;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The program of the build, or one that was installed (tests/install).
std::string folder_of_program() {
  const char* installed = std::getenv("VINCULUM_INSTALLED");
  return installed != nullptr ? installed : fs::path(VINCULUM_PROGRAM).parent_path().string();
}

/// Both streams of a command run in the root of the project, with the program first in the path.
std::string output_of(const std::string& command, int& status) {
  const std::string folder = folder_of_program();
  std::string text;
  // Debian's Python: another one in the path may lack the packages the tests install.
  FILE* pipe = popen(
      ("cd '" + root + "' && PATH='" + folder + "':/usr/bin:$PATH && " + command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  status = pclose(pipe) / 256;
  return text;
}

/// C++ from the first comment inside the namespace to its end: what a reader wants to see. Programs and other
/// files whole.
std::string shown_part(const std::string& path) {
  const std::string source = read(fs::path(root) / path);
  if (!path.ends_with(".cpp")) return source;
  const auto first = source.find("///"), last = source.rfind("\n}  // namespace");
  if (last == source.npos) return source;  // a program, which compiles as it stands
  return source.substr(first, last - first);
}

/// The measured roundings of a certificate may differ between processors; everything else may not.
std::string without_roundings(const std::string& text) {
  static const std::regex small("-?[0-9](\\.[0-9]+)?e[-+][0-9]+"), tail("([0-9]+\\.[0-9]{8})[0-9]+");
  return std::regex_replace(std::regex_replace(text, small, "~"), tail, "$1");
}

struct Block {
  std::string kind, what, head, shown;
  int exit_status = 0;
  std::size_t begin = 0, end = 0;
};

/// Blocks between ``` lines that follow a marker. Found by hand: a regular expression recurses on long
/// blocks.
std::vector<Block> blocks_of(const std::string& text) {
  static const std::regex marker("<!-- (file|output)( \\(exit ([0-9])\\))?: ([^\n]*) -->");
  std::vector<Block> blocks;
  for (std::size_t at = 0; (at = text.find("<!-- ", at)) != text.npos;) {
    const std::size_t line = text.find('\n', at);
    const std::string head = text.substr(at, line - at);
    std::smatch found;
    if (std::regex_match(head, found, marker)) {
      const std::size_t fence = text.find('\n', line + 1) + 1, end = text.find("\n```\n", fence - 1);
      EXPECT_EQ(text.substr(line + 1, 3), "```") << head;
      if (end == text.npos) {
        ADD_FAILURE() << "the block is not closed: " << head;
        break;
      }
      Block block{found[1], found[4], head, text.substr(fence, end + 1 - fence), 0, fence, end + 1};
      if (found[3].matched) block.exit_status = std::stoi(found[3]);
      blocks.push_back(block);
    }
    at = line == text.npos ? text.size() : line;
  }
  return blocks;
}

/// With VINCULUM_UPDATE_DOCS in the environment the documents are rewritten instead of compared.
int compare(const fs::path& path) {
  const bool update = std::getenv("VINCULUM_UPDATE_DOCS") != nullptr;
  const std::string text = read(path);
  const std::vector<Block> blocks = blocks_of(text);
  std::string renewed;
  std::size_t done = 0;
  for (const Block& block : blocks) {
    int status = 0;
    std::string real = block.kind == "file" ? shown_part(block.what) : output_of(block.what, status);
    EXPECT_EQ(status, block.exit_status) << path << ": " << block.what;
    if (!real.empty() && real.back() != '\n') real += '\n';
    if (!update) {
      EXPECT_EQ(without_roundings(block.shown), without_roundings(real)) << path << ": " << block.what;
    }
    renewed += text.substr(done, block.begin - done) + real;
    done = block.end;
  }
  if (update) std::ofstream(path) << renewed << text.substr(done);
  return static_cast<int>(blocks.size());
}

TEST(Docs, EveryMarkedBlockIsItsSource) {
  EXPECT_GE(compare(fs::path(root) / "README.md"), 3);
  int others = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(root) / "docs"))
    if (entry.path().extension() == ".md") others += compare(entry.path());
  EXPECT_GE(others, 15);
}

TEST(Docs, EveryLinkToAFileOfTheProjectLeadsToOne) {
  static const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)|src=\"([^\":]+)\"");
  for (const char* folder : {"", "docs"})
    for (const auto& entry : fs::directory_iterator(fs::path(root) / folder)) {
      if (entry.path().extension() != ".md") continue;
      const std::string text = read(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[3];
        EXPECT_TRUE(fs::exists(entry.path().parent_path() / target)) << entry.path() << ": " << target;
      }
    }
}

TEST(Docs, TheSchemaIsTheOneTheProgramPrints) {
  int status = 0;
  EXPECT_EQ(read(fs::path(root) / "docs/vinculum.schema.json"), output_of("vinculum schema", status));
  EXPECT_EQ(status, 0);
}

}  // namespace
