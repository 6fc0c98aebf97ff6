// What varies from member to member: numbers by name, each member's made from its place alone.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// One name that takes each of some values.
struct Axis {
  std::string name;
  std::vector<double> values;
};
/// `count` values from one to the other, both among them; the first one where count is 1.
VINCULUM_EXPORT Axis evenly(std::string name, double from, double to, long count);

/// Names that vary together: each row has a value for each of them.
struct VINCULUM_EXPORT Table {
  std::vector<std::string> names;
  std::vector<double> values;  ///< row by row
  long rows() const;
};

enum class Distribution {
  uniform,      ///< between a and b
  normal,       ///< of mean a and deviation b
  log_uniform,  ///< its logarithm is uniform between those of a and b
};
/// One name that is drawn anew for every member.
struct Draw {
  std::string name;
  Distribution distribution = Distribution::uniform;
  double a = 0.0, b = 1.0;
  /// The value that a share of all draws lies below.
  double at(double share) const;
};

enum class Sampling {
  random,  ///< independent of each other
  sobol,   ///< Sobol's sequence, shifted by the seed: fills the space evenly
};

/// Every combination of the rows of the table, where there is one, and of the values of the axes, and at each
/// of them `draws_each` members with their draws. Members are counted from 0; the last axis runs faster than
/// those before it, the table slowest, draws fastest. A member's values follow from its number, the seed and
/// the names alone: by itself, and in whatever order, it is the same.
struct VINCULUM_EXPORT Study {
  Table table;
  std::vector<Axis> axes;
  std::vector<Draw> draws;
  long draws_each = 1;
  Sampling sampling = Sampling::random;
  std::uint64_t seed = 0;

  /// What cannot be meant is an error: a name twice, an axis without values, a deviation below 0, ...
  void require_sound() const;
  long count() const;
  std::vector<std::string> names() const;  ///< of the table, of axes, of draws
  /// The values of a member, in the order of names().
  void values_of(long member, std::span<double> out) const;
};

/// What is said of a study beside what its model states.
struct StudySaid {
  Table table = {};
  std::vector<Axis> axes = {};
  std::vector<Draw> draws = {};
  std::optional<long> draws_each = std::nullopt;
  std::optional<std::uint64_t> seed = std::nullopt;
  std::optional<Sampling> sampling = std::nullopt;
};
/// Both together: of a name that both vary, what is said holds.
VINCULUM_EXPORT Study with(Study stated, const StudySaid& said);

inline constexpr int most_sobol_dimensions = 64;

}  // namespace vinculum
