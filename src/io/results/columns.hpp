// The recorded instants as a table: the same columns in every format.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

/// One quantity of every sample.
struct Quantity {
  std::string name;                ///< "q", "constraint_force"
  std::string prefix;              ///< of its columns in a table: "force:"
  std::vector<std::string> names;  ///< of its columns: "x", "y"
  std::string axis;                ///< what the names are: "coordinate"
  /// Appends the numbers of one sample.
  std::function<void(const Sample&, std::vector<double>&)> append;
};

/// All of them but time and rank, in the order of the files.
std::vector<Quantity> quantities(const System& system);

/// The names of all columns of a table, time first and rank last.
std::vector<std::string> column_names(const std::vector<Quantity>& quantities);

/// The motion went as far as was asked: to its end, or to an event that stops it.
bool is_complete(const Trajectory& motion);

}  // namespace vinculum
