// Models made of parts, repetition and several files, written out in full.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "vinculum/io/read_model.hpp"

namespace vinculum {

/// A model in which every part and every element is stated by itself, as TOML that reads back to the same
/// model; or the faults. What overrides give is written into its parameters.
struct ExpandResult {
  std::optional<std::string> text;
  std::vector<Fault> faults;
};
VINCULUM_EXPORT ExpandResult expand_model(std::string_view text, const std::string& path,
                                          const Overrides& overrides = {}, const IncludeFiles& files = {});

}  // namespace vinculum
