#include "kernel/lower.hpp"

#include <gtest/gtest.h>

#include "kernel/evaluation.hpp"
#include "kernel/functions.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {
using test::evaluate;
using test::same_bits;

class LowerTest : public testing::Test {
 protected:
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  std::vector<Expr> inputs = {x, y, z};

  std::vector<Opcode> opcodes(const std::vector<Expr>& outputs) {
    const Kernel program(outputs, inputs);
    std::vector<Opcode> ops;
    for (const Instruction& i : program.code()) ops.push_back(i.op);
    return ops;
  }
  std::string error_of(const std::vector<Expr>& outputs, const std::vector<Expr>& of) {
    try {
      const Kernel program(outputs, of);
    } catch (const Error& e) {
      return e.text();
    }
    return "no error";
  }
};
using Ops = std::vector<Opcode>;

TEST_F(LowerTest, AProductOfOneReaderDisappearsIntoItsSum) {
  EXPECT_EQ(opcodes({x * y + z}), Ops{Opcode::multiply_add});
  EXPECT_EQ(opcodes({z + x * y}), Ops{Opcode::multiply_add});
  EXPECT_EQ(opcodes({x * y - z}), Ops{Opcode::multiply_subtract});
  EXPECT_EQ(opcodes({z - x * y}), Ops{Opcode::subtract_multiply});
  EXPECT_EQ(opcodes({pow(x, 2) + y}), Ops{Opcode::multiply_add});
  EXPECT_EQ(opcodes({x * y + y * z}), (Ops{Opcode::multiply, Opcode::multiply_add}));
}

TEST_F(LowerTest, AProductThatOthersReadStays) {
  const Expr product = x * y;
  EXPECT_EQ(opcodes({product + z, product - z}), (Ops{Opcode::multiply, Opcode::add, Opcode::subtract}));
  EXPECT_EQ(opcodes({product + product}), (Ops{Opcode::multiply, Opcode::add}));
  EXPECT_EQ(opcodes({product + z, product}),
            (Ops{Opcode::multiply, Opcode::add}));  // an output is read by the caller
}

TEST_F(LowerTest, SineAndCosineOfOneAngleShareAStep) {
  EXPECT_EQ(opcodes({sin(x), cos(x)}), Ops{Opcode::sin_cos});
  EXPECT_EQ(opcodes({cos(x), sin(x)}), Ops{Opcode::sin_cos});
  EXPECT_EQ(opcodes({sin(x) * cos(x)}), (Ops{Opcode::sin_cos, Opcode::multiply}));
  EXPECT_EQ(opcodes({sin(x), cos(y)}), (Ops{Opcode::sin, Opcode::cos}));
  const auto values =
      evaluate(Kernel(std::vector<Expr>{cos(x), sin(x)}, inputs), std::vector<double>{2, 0, 0});
  EXPECT_TRUE(same_bits(values[0], kernel::cosine(2.0)));
  EXPECT_TRUE(same_bits(values[1], kernel::sine(2.0)));
}

TEST_F(LowerTest, WholePowersAreMultipliedOthersAreNot) {
  EXPECT_EQ(opcodes({pow(x, 2)}), Ops{Opcode::square});
  EXPECT_EQ(opcodes({x * x}), Ops{Opcode::square});
  EXPECT_EQ(opcodes({pow(x, -1)}), Ops{Opcode::reciprocal});
  EXPECT_EQ(opcodes({pow(x, 3)}), Ops{Opcode::integer_power});
  EXPECT_EQ(opcodes({pow(x, -64)}), Ops{Opcode::integer_power});
  EXPECT_EQ(opcodes({pow(x, 65)}), Ops{Opcode::power});
  EXPECT_EQ(opcodes({pow(x, 0.5)}), Ops{Opcode::power});  // sqrt would differ for -0 and for -inf
  EXPECT_EQ(opcodes({pow(x, y)}), Ops{Opcode::power});
  const Expr two = sqrt(graph.make(Op::sqrt, 16));  // known only once it is evaluated
  EXPECT_EQ(opcodes({pow(x, two)}), Ops{Opcode::square});
}

TEST_F(LowerTest, QuotientsBecomeProductsOnlyWhereNoBitChanges) {
  EXPECT_EQ(opcodes({1 / x}), Ops{Opcode::reciprocal});
  EXPECT_EQ(opcodes({x / 8}), Ops{Opcode::multiply});
  EXPECT_EQ(opcodes({x / -0.25}), Ops{Opcode::multiply});
  EXPECT_EQ(opcodes({x / 2 + y}), Ops{Opcode::multiply_add});
  EXPECT_EQ(opcodes({x / 3}), Ops{Opcode::divide});
  EXPECT_EQ(opcodes({x / 0x1p1023}), Ops{Opcode::divide});   // its inverse is not a normal number
  EXPECT_EQ(opcodes({x / 0x1p-1074}), Ops{Opcode::divide});  // its inverse is infinite
  EXPECT_EQ(opcodes({x / graph.make(Op::divide, 1, 0)}), Ops{Opcode::divide});
}

TEST_F(LowerTest, WhatContainsNoInputIsAConstant) {
  const Expr angle = graph.make(Op::sin, 2) * 3 + graph.make(Op::exp, 1);
  const Kernel program(std::vector<Expr>{x * angle, angle, 7.0}, inputs);
  EXPECT_EQ(program.code().size(), 1u);
  EXPECT_EQ(program.constants().size(), 2u);
  const auto values = evaluate(program, std::vector<double>{2, 0, 0});
  const double want = kernel::sine(2.0) * 3 + kernel::exponential(1.0);
  EXPECT_TRUE(same_bits(values[0], 2 * want));
  EXPECT_TRUE(same_bits(values[1], want));
  EXPECT_EQ(values[2], 7.0);
}

TEST_F(LowerTest, EqualConstantsShareARegisterButZerosOfTwoSignsDoNot) {
  const Expr four = graph.make(Op::sqrt, 16);
  EXPECT_EQ(Kernel(std::vector<Expr>{min(x, four), max(y, 4)}, inputs).constants().size(), 1u);
  EXPECT_EQ(Kernel(std::vector<Expr>{min(x, 0.0), min(x, -0.0)}, inputs).constants().size(), 2u);
}

TEST_F(LowerTest, AnOutputMayBeAnInputOrComeTwice) {
  const Kernel program(std::vector<Expr>{y, x + y, x + y, y}, inputs);
  EXPECT_EQ(program.code().size(), 1u);
  EXPECT_EQ(evaluate(program, std::vector<double>{1, 2, 3}), (std::vector<double>{2, 3, 3, 2}));
}

TEST_F(LowerTest, ConstantsAloneNeedNoGraph) {
  const Kernel program(std::vector<Expr>{1.5, 2.5}, {});
  EXPECT_EQ(evaluate(program, {}), (std::vector<double>{1.5, 2.5}));
  EXPECT_TRUE(Kernel({}, {}).outputs().empty());
}

TEST_F(LowerTest, ASymbolThatIsNoInputIsNamed) {
  EXPECT_EQ(error_of({x + graph.symbol("w")}, inputs),
            "symbol 'w' is not among the inputs of the program that needs it: x, y and z");
  EXPECT_EQ(error_of({x}, {}), "symbol 'x' is not among the inputs of the program that needs it: nothing");
}

TEST_F(LowerTest, InputsThatCannotBeAreNamed) {
  Graph other;
  EXPECT_EQ(error_of({x}, {x, y, x}), "input 'x' of a program is given twice");
  EXPECT_EQ(error_of({x}, {x, x + y}), "input 1 of a program is no symbol; inputs are symbols");
  EXPECT_EQ(error_of({x}, {x, other.symbol("q")}),
            "input 'q' of a program belongs to another model than its outputs");
}

}  // namespace
}  // namespace vinculum
