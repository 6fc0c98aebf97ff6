// What a format knows, as data: which attributes and elements may stand where, and the words that a value may
// be. What is not known is told with the name that is nearest; nothing is passed over that was not listed.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "io/import/robot.hpp"
#include "io/import/xml.hpp"

namespace vinculum::robots {

/// What may stand in an element; names are parted by blanks.
struct Known {
  std::string_view element;  ///< its name, or "around/name" where the same name is something else elsewhere
  std::string_view attributes;  ///< carried over, or told by the reader where they are not
  std::string_view idle;       ///< attributes that are passed over: looks, contacts, solvers, names of people
  std::string_view parts;      ///< elements in it, idle ones as well; those without an entry are not entered
  std::string_view lost = "";  ///< attributes and elements of the format that are not carried over
  bool reader_tells = false;   ///< of the elements in it that are not among its parts
};

/// The words that an attribute may be; "" is the text of the element, "*" each of its attributes.
struct Words {
  std::string_view element, attribute, words;
  bool any_case = false;
};

struct Format {
  std::span<const Known> known;
  std::span<const Words> words;
};

/// Tells what stands in the tree and is not known; a value that is none of its words is a fault.
void judge(const Element& root, const Format& format, Robot& robot, std::vector<Fault>& faults);

/// " (did you mean <mass>?)" of an element that is not known where it stands, or "".
std::string meant(const Element& part, const Element& around, const Format& format);
/// " (did you mean 'hinge'?)", or "".
std::string meant_word(std::string_view word, std::string_view words);

}  // namespace vinculum::robots
