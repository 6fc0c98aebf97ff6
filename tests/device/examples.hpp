// Studies of the models of examples/, and of texts.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/data.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/beginning.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum::test {

inline std::string example_text(const std::string& name) {
  const auto path =
      std::filesystem::path(test_data()).parent_path().parent_path() / "examples" / (name + ".toml");
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What the command line makes of a model and of what varies.
struct StudyOf {
  ModelFile file;
  Study study;
  Family family;
  std::function<void(SimulateSettings&)> settings;

  StudyOf(const std::string& text, Study what, std::function<void(SimulateSettings&)> set = {})
      : file(read(text, {})),
        study(std::move(what)),
        family((apply(set, file), file), {}, study.names(),
               [text, set](const Overrides& values) {
                 ModelFile again = read(text, values);
                 apply(set, again);
                 return again;
               },
               [set](SimulateSettings& s) {
                 if (set) set(s);
               }),
        settings(set) {}

  MemberMaker maker() const {
    return [this](std::span<const double> values) { return family.member(values); };
  }
  Member example() const { return {family.system(), family.system().start(), motion_options(file.simulate)}; }

 private:
  static void apply(const std::function<void(SimulateSettings&)>& set, ModelFile& to) {
    if (set) set(to.simulate);
  }
  static ModelFile read(const std::string& text, const Overrides& values) {
    ReadResult result = read_model(text, "model.toml", values);
    for (const Fault& fault : result.faults) ADD_FAILURE() << fault.place.line << ": " << fault.text;
    if (!result.file) fail("the model cannot be read");
    return std::move(*result.file);
  }
};

}  // namespace vinculum::test
