// What the source is compiled by: CUDA or C++.
#pragma once

namespace vinculum::device {

/// The head of every source: the few words in which the two languages differ.
extern const char* const both_languages;

}  // namespace vinculum::device
