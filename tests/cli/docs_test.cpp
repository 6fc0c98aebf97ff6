// What the documents show is what the files and the program say: code and output are compared, line by line.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

namespace {

std::string read(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string output_of(const std::string& command, int& status) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  status = pclose(pipe) / 256;
  return text;
}

/// From the first line inside the namespace to its end: what a reader wants to see of an example.
std::string shown_part(const std::string& source) {
  const auto first = source.find("///"), last = source.rfind("\n}  // namespace");
  return source.substr(first, last - first);
}

/// The measured roundings of a certificate may differ between processors; everything else may not.
std::string without_roundings(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9]\\.[0-9]e[-+][0-9]+"), "~");
}

/// With VINCULUM_UPDATE_DOCS in the environment the documents are rewritten instead of compared.
TEST(Docs, EveryBlockMarkedWithASourceIsThatSource) {
  const std::string root = VINCULUM_SOURCE, path = root + "/README.md", text = read(path);
  const std::regex block("(<!-- (file|output): ([^>]*) -->\n```[a-z]*\n)([^`]*)```");
  std::string renewed;
  std::size_t done = 0;
  int blocks = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), block), end; it != end; ++it, ++blocks) {
    const std::string kind = (*it)[2], what = (*it)[3], shown = (*it)[4];
    int status = 0;
    const std::string real =
        kind == "file" ? shown_part(read(root + "/" + what))
                       : output_of(VINCULUM_PROGRAM + what.substr(std::string("vinculum").size()), status);
    EXPECT_EQ(status, 0) << what;
    if (!std::getenv("VINCULUM_UPDATE_DOCS")) {
      EXPECT_EQ(without_roundings(shown), without_roundings(real)) << what;
    }
    renewed += text.substr(done, it->position() - done) + (*it)[1].str() + real + "```";
    done = it->position() + it->length();
  }
  EXPECT_EQ(blocks, 3);
  if (std::getenv("VINCULUM_UPDATE_DOCS")) std::ofstream(path) << renewed << text.substr(done);
}

TEST(Program, BadUsageEndsWithTwoAndASentence) {
  int status = 0;
  EXPECT_EQ(output_of(std::string(VINCULUM_PROGRAM) + " example spherical_pendulm 2>&1", status),
            "vinculum: there is no example 'spherical_pendulm'; did you mean 'spherical_pendulum'? "
            "('vinculum example' "
            "lists them)\n");
  EXPECT_EQ(status, 2);
  EXPECT_EQ(output_of(std::string(VINCULUM_PROGRAM) + " example kepler --road highway 2>&1", status),
            "vinculum: there is no road 'highway'; roads are automatic, fast, robust, lagrange, gauss\n");
  EXPECT_EQ(status, 2);
  output_of(std::string(VINCULUM_PROGRAM) + " explode 2>&1", status);
  EXPECT_EQ(status, 2);
}

TEST(Program, ListsItsExamplesAndExplainsEachByEveryRoad) {
  int status = 0;
  std::istringstream list(output_of(std::string(VINCULUM_PROGRAM) + " example", status));
  EXPECT_EQ(status, 0);
  std::string line;
  int count = 0;
  while (std::getline(list, line)) {
    const std::string name = line.substr(0, line.find(' '));
    for (const char* road : {"automatic", "fast", "robust", "lagrange", "gauss"}) {
      const std::string page =
          output_of(std::string(VINCULUM_PROGRAM) + " example " + name + " --road " + road, status);
      EXPECT_EQ(status, 0) << name;
      EXPECT_EQ(page.find("FAILS"), std::string::npos) << name << " " << road;
      EXPECT_NE(page.find("Certificate"), std::string::npos) << name;
    }
    const std::string moved =
        output_of(std::string(VINCULUM_PROGRAM) + " example " + name + " --until 1", status);
    EXPECT_EQ(status, 0) << name;
    EXPECT_NE(moved.find("the end was reached"), std::string::npos) << moved;
    ++count;
  }
  EXPECT_EQ(count, 9);
}

}  // namespace
