// What makes big models short: parts, repetition and included files are written out before a model is read.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "io/model/document.hpp"
#include "vinculum/io/expand_model.hpp"

namespace vinculum {

/// A document in which everything is stated in full. Every entry knows where it is stated and in which use.
struct Expansion {
  Entry root;
  bool complete = true;    ///< false: something could not be written out, and names may be missing for that
  bool too_large = false;  ///< a fault says so, and nothing else is worth reading
  /// Parameters that count elements, and which: other values make another model.
  std::vector<std::pair<std::string, std::string>> counting;
};

/// Whether a document states everything in full already.
bool is_expanded(const Entry& root);

Expansion expand(Source& source, const Entry& root, const Overrides& overrides, const IncludeFiles& files,
                 std::vector<Fault>& faults);

/// The document as a text.
std::string toml_text(const Entry& root);

}  // namespace vinculum
