// XML as a plain tree, every element with its place.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/io/read_model.hpp"

namespace vinculum::robots {

// Far beyond any robot; they keep time and memory on any input within bounds. The XML reader itself goes no
// deeper than 100 elements.
inline constexpr std::size_t largest_file = std::size_t{32} << 20;
inline constexpr std::size_t most_elements = 200'000;
inline constexpr std::size_t most_attributes = 256;  // of one element

struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  ///< of an element without children
  Place place;       ///< of its '<'
  std::vector<Element> children;

  /// The value of an attribute, or none.
  const std::string* find(std::string_view attribute) const;
  std::string get(std::string_view attribute, std::string_view otherwise = "") const;
  /// The first child of a name, or none.
  const Element* child(std::string_view name) const;
};

/// The tree of a text, or a fault.
std::optional<Element> read_xml(std::string_view text, const std::string& path, std::vector<Fault>& faults);

/// The numbers of a text, parted by blanks; none where something else stands there.
std::optional<std::vector<double>> numbers_of(std::string_view text);

/// Numbers of attributes and texts. What is none is a fault, and `otherwise` is taken, so that the reading
/// goes on and all faults are told at once.
class Numbers {
 public:
  explicit Numbers(std::vector<Fault>& faults) : faults_(faults) {}
  double one(const Element& element, std::string_view attribute, double otherwise) const;
  /// Exactly as many numbers as `otherwise` has.
  std::vector<double> several(const Element& element, std::string_view attribute,
                              std::vector<double> otherwise) const;
  /// The same of the text of an element.
  std::vector<double> of_text(const Element& element, std::vector<double> otherwise) const;
  void refuse(const Element& element, std::string text) const {
    faults_.push_back({element.place, std::move(text)});
  }

 private:
  std::vector<double> read(const Element& element, const std::string& what, std::string_view text,
                           std::vector<double> otherwise) const;
  std::vector<Fault>& faults_;
};

}  // namespace vinculum::robots
