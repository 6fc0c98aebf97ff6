// The one place where M, Q, A, b, C are written in symbols: for pages and for closed forms.
#include "vinculum/lower/equations.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

/// Two beads on a rod, with a force that is not ideal.
struct Beads {
  Model m;
  Expr k = m.parameter("k", 3.0);
  Coordinate x = m.coordinate("x"), y = m.coordinate("y");

  Beads() {
    m.mass(x, 2);
    m.mass(y, 5);
    m.force(x, -k * x);
    m.constrain("rod", x - 4 * y);
  }
};

TEST(SymbolicEquations, ThoseOfTheStatementsAreThoseOfTheModelWithoutFrictionAndRates) {
  Beads beads;
  beads.m.nonideal(beads.y, -beads.y.rate());
  const SymbolicEquations whole = symbolic_equations(beads.m);
  const SymbolicEquations part = symbolic_equations(beads.m, statements_of(beads.m));
  ASSERT_EQ(whole.M.size(), part.M.size());
  for (std::size_t k = 0; k < whole.M.size(); ++k) EXPECT_TRUE(identical(whole.M[k].value, part.M[k].value));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(identical(whole.Q[i], part.Q[i]));
    EXPECT_TRUE(identical(whole.C[i], part.C[i]));
  }
  EXPECT_TRUE(identical(whole.Q[0], -beads.k * beads.x));
  EXPECT_TRUE(identical(whole.C[1], -beads.y.rate()));
}

TEST(SymbolicEquations, AnEntryThatIsNotListedIsZero) {
  const Beads beads;
  const SymbolicEquations e = symbolic_equations(beads.m);
  ASSERT_EQ(e.M.size(), 2u);
  EXPECT_TRUE(entry_at(e.M, 0, 0).is_constant(2));
  EXPECT_TRUE(entry_at(e.M, 1, 1).is_constant(5));
  EXPECT_TRUE(entry_at(e.M, 0, 1).is_constant(0));
  EXPECT_TRUE(entry_at(e.A, 0, 1).is_constant(-4));
  EXPECT_TRUE(entry_at(e.A, 1, 0).is_constant(0));
}

TEST(SymbolicEquations, WhatCancelsInASumIsNotListed) {
  Beads beads;
  beads.m.constrain("twice", beads.x - beads.x + beads.y * beads.y);
  const SymbolicEquations e = symbolic_equations(beads.m);
  EXPECT_EQ(e.rows, (std::vector<std::string>{"rod", "twice"}));
  for (const auto& entry : e.A) EXPECT_FALSE(entry.row == 1 && entry.column == 0);
  EXPECT_FALSE(entry_at(e.A, 1, 1).is_constant());
}

}  // namespace
}  // namespace vinculum
