// What a model states, in the form its series are made of.
#pragma once
#include <string>
#include <vector>

#include "vinculum/lower/statement.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

struct SeriesStatements {
  std::vector<Statement> rows;      // constraints as stated
  std::vector<Statement> balance;   // masses, forces, energies, and rows that push: for a programme with
                                    // actuators, in the places of its own rows, the power of each of these
  std::vector<Statement> nonideal;  // C, with friction as what slides feels it
  std::vector<Statement> sides;     // what stands in its signs and roots, and is watched by no one else
};
SeriesStatements series_statements(const System::Impl& system);

/// Why some statement has no such form; empty where all have.
std::string why_not_stated(const System::Impl& system);

}  // namespace vinculum
