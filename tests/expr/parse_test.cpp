#include "vinculum/expr/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "expr/sample.hpp"
#include "support/growth.hpp"

namespace vinculum {
namespace {

double value_of(const std::string& text) {
  Graph graph;
  return sample::evaluate(parse(graph, text), {{"a", 2}, {"b", 3}, {"x", 5}, {"t", 7}});
}

std::string error_of(std::string_view text) {
  Graph graph;
  try {
    parse(graph, text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// --- What is read --------------------------------------------------------------------------------

TEST(Parse, Numbers) {
  EXPECT_EQ(value_of("1"), 1);
  EXPECT_EQ(value_of("1."), 1);
  EXPECT_EQ(value_of(".5"), 0.5);
  EXPECT_EQ(value_of("1e-3"), 1e-3);
  EXPECT_EQ(value_of("1.5E+3"), 1500);
  EXPECT_EQ(value_of("1.e2"), 100);
  EXPECT_EQ(value_of("007"), 7);
  EXPECT_EQ(value_of("pi"), std::numbers::pi);
  EXPECT_EQ(value_of("0e999999999999999999999"), 0);
}

TEST(Parse, NumbersAreRoundedCorrectlyWhateverTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("2.2250738585072011e-308"), 2.2250738585072011e-308);  // the hardest known case
  EXPECT_EQ(value_of("9007199254740993"), 9007199254740992.0);              // a tie goes to even
  EXPECT_EQ(value_of("5e-324"), 5e-324);
  EXPECT_EQ(value_of("0." + std::string(100000, '3')), 1.0 / 3);
  std::locale::global(before);
}

TEST(Parse, OperatorsBindAsInABook) {
  EXPECT_EQ(value_of("1 + 2*3"), 7);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("8/4/2"), 1);
  EXPECT_EQ(value_of("8/4*2"), 4);
  EXPECT_EQ(value_of("(1 + 2)*3"), 9);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("-3^2"), -9);
  EXPECT_EQ(value_of("(-3)^2"), 9);
  EXPECT_EQ(value_of("2*x^2"), 50);
}

TEST(Parse, ASignMayFollowAnyOperator) {
  EXPECT_EQ(value_of("a*-b"), -6);
  EXPECT_EQ(value_of("a/-b*3"), -2);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("2^-a^2"), 1.0 / 16);
  EXPECT_EQ(value_of("a - -b"), 5);
  EXPECT_EQ(value_of("a + +b"), 5);
  EXPECT_EQ(value_of("--a"), 2);
  EXPECT_EQ(value_of("+-+a"), -2);
  EXPECT_EQ(value_of("-a*b"), -6);
}

TEST(Parse, Functions) {
  EXPECT_EQ(value_of("sin(a)"), std::sin(2.0));
  EXPECT_EQ(value_of("atan2(a, b)"), std::atan2(2.0, 3.0));
  EXPECT_EQ(value_of("hypot ( 3 , 4 )"), 5);
  EXPECT_EQ(value_of("log(exp(a))"), std::log(std::exp(2.0)));
  EXPECT_EQ(value_of("min(x, a)"), 2);
  EXPECT_EQ(value_of("max(a, b, x, 1)"), 5);
  EXPECT_EQ(value_of("min(x, b, a, 4)"), 2);
  EXPECT_EQ(value_of("sign(-a) + sign(0) + abs(-b)"), 2);
}

TEST(Parse, EveryFunctionOfTheGraphHasItsName) {
  for (int i = static_cast<int>(Op::sin); i <= static_cast<int>(Op::hypot); ++i) {
    const Op op = static_cast<Op>(i);
    Graph graph;
    const std::string text = std::string(op_name(op)) + (arity(op) == 1 ? "(u)" : "(u, v)");
    EXPECT_EQ(parse(graph, text).op(), op) << text;
  }
}

TEST(Parse, Choices) {
  EXPECT_EQ(value_of("if(a < b, 10, 20)"), 10);
  EXPECT_EQ(value_of("if(a <= 2, 10, 20)"), 10);
  EXPECT_EQ(value_of("if(a > b, 10, 20)"), 20);
  EXPECT_EQ(value_of("if(a >= 2, 10, 20)"), 10);
  EXPECT_EQ(value_of("if(a < 2, 10, 20)"), 20);
  EXPECT_EQ(value_of("1 + 2*if(a + 1 > b - 1, if(x < 1, 1, 2), 3)"), 5);
}

TEST(Parse, NamesGoToTheResolverAsWritten) {
  Graph graph;
  std::vector<std::string> seen;
  const NameResolver resolve = [&](std::string_view name, const Place& place) {
    seen.push_back(std::string(name) + "@" + place.file + ":" + std::to_string(place.line) + ":" +
                   std::to_string(place.column));
    return graph.symbol("s");
  };
  parse(graph, "x + p.x'\n  * p'.x - x''/_a1.qw", resolve, {"m.toml", 4, 9});
  const std::vector<std::string> expected{"x@m.toml:4:9", "p.x'@m.toml:4:13", "p'.x@m.toml:5:5",
                                          "x''@m.toml:5:12", "_a1.qw@m.toml:5:16"};
  EXPECT_EQ(seen, expected);
}

TEST(Parse, WordsWithAValueAreNames) {
  Graph graph;
  EXPECT_EQ(parse(graph, "t").name(), "t");
  EXPECT_EQ(parse(graph, "energy").name(), "energy");
  EXPECT_EQ(parse(graph, "sinus").name(), "sinus");
  EXPECT_EQ(parse(graph, "p.sin").name(), "p.sin");
}

TEST(Parse, TheErrorOfTheResolverPassesThrough) {
  Graph graph;
  const NameResolver none = [](std::string_view name, const Place& place) -> Expr {
    fail("unknown name '" + std::string(name) + "'", place);
  };
  try {
    parse(graph, "1 +\n yy + 2 2", none, {"m.toml", 3, 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "m.toml:4:2: unknown name 'yy'") << "the first of two faults";
  }
}

TEST(Parse, Equations) {
  Graph graph;
  const NameResolver symbol = [&](std::string_view name, const Place&) { return graph.symbol(name); };
  const ParsedEquation equation = parse_equation(graph, "x^2 + y^2 = L^2", symbol);
  EXPECT_TRUE(identical(equation.left, parse(graph, "x^2 + y^2")));
  EXPECT_TRUE(identical(equation.right, parse(graph, "L^2")));
}

// --- What is refused, word for word --------------------------------------------------------------

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST(ParseError, MissingOperands) {
  const Cases cases{
      {"", "1:1: the expression is empty; write a number, a name or a formula"},
      {" \n ", "2:2: the expression is empty; write a number, a name or a formula"},
      {"x +", "1:4: a number, a name or '(' is missing after '+': the text ends"},
      {"x + * y", "1:5: a number, a name or '(' is missing after '+': '*' stands there"},
      {"* x", "1:1: a number, a name or '(' is missing at the beginning: '*' stands there"},
      {"()", "1:2: a number, a name or '(' is missing after '(': ')' stands there"},
      {"atan2(, x)", "1:7: a number, a name or '(' is missing after '(': ',' stands there"},
      {"atan2(x,)", "1:9: a number, a name or '(' is missing after ',': ')' stands there"},
      {"x ^\n  ^ 2", "2:3: a number, a name or '(' is missing after '^': '^' stands there"},
      {"-", "1:2: a number, a name or '(' is missing after '-': the text ends"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, MissingOperators) {
  const Cases cases{
      {"2x", "1:2: no operator between '2' and 'x'; write '*' for a product"},
      {"x y", "1:3: no operator between 'x' and 'y'; write '*' for a product"},
      {"2(x + 1)", "1:2: no operator between '2' and '('; write '*' for a product"},
      {"(a)(b)", "1:4: no operator between ')' and '('; write '*' for a product"},
      {"sin(x y)", "1:7: no operator between 'x' and 'y'; write '*' for a product"},
      {"0x10", "1:2: no operator between '0' and 'x10'; write '*' for a product"},
      {"x 2", "1:3: no operator between 'x' and '2'; write '*' for a product"},
      {"x**2", "1:2: '**' is no operator; write a power as a^b"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, ParenthesesAndCommas) {
  const Cases cases{
      {"(x", "1:1: '(' is never closed; a ')' is missing"},
      {"2*((x + 1)\n", "1:3: '(' is never closed; a ')' is missing"},
      {"sin(x", "1:4: '(' is never closed; a ')' is missing"},
      {"if(x < 1, 2", "1:3: '(' is never closed; a ')' is missing"},
      {"x)", "1:2: ')' closes nothing; a '(' is missing"},
      {"1,5", "1:2: ',' stands only between the arguments of a function; the point of a number is '.'"},
      {"(1, 5)", "1:3: ',' stands only between the arguments of a function; the point of a number is '.'"},
      {"min(a; b)", "1:6: unexpected character ';'; arguments are separated by ','"},
      {"{x}", "1:1: unexpected character '{'; the parentheses of an expression are ( and )"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Functions) {
  const Cases cases{
      {"sin", "1:1: function 'sin' needs its arguments: sin(...)"},
      {"1 + atan2*x", "1:5: function 'atan2' needs its arguments: atan2(...)"},
      {"sin'(x)", "1:1: function 'sin' needs its arguments: sin(...)"},
      {"cos.x", "1:1: function 'cos' needs its arguments: cos(...)"},
      {"if", "1:1: 'if' needs its arguments: if(a < b, then, else)"},
      {"sin()", "1:1: function 'sin' takes 1 argument, 0 are given"},
      {"sin(x, y)", "1:1: function 'sin' takes 1 argument, 2 are given"},
      {"2*atan2(x)", "1:3: function 'atan2' takes 2 arguments, 1 is given"},
      {"min(x)", "1:1: function 'min' takes 2 or more arguments, 1 is given"},
      {"sine(x)",
       "1:1: unknown function 'sine' (did you mean 'sin'?); if a product is meant, write '*' before the '('"},
      {"ln(x)",
       "1:1: unknown function 'ln' (did you mean 'log'?); if a product is meant, write '*' before the '('"},
      {"pow(x, 2)",
       "1:1: unknown function 'pow' (did you mean 'a^b'?); if a product is meant, write '*' before the '('"},
      {"m (x + 1)", "1:1: unknown function 'm'; if a product is meant, write '*' before the '('"},
      {"b.point(1, 2)", "1:1: function 'b.point' takes 3 arguments, 2 are given"},
      {"norm(p)",
       "1:1: function 'norm' works on vectors, and a number is given; write abs(...) for a number"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, HabitsOfPapers) {
  const std::string bars =
      "'|' is no operator; |a - b| is abs(a - b) of numbers, norm(a - b) or distance(a, b) of vectors";
  const Cases cases{
      {"|x - 1|", "1:1: " + bars},
      {"2*||p||", "1:3: " + bars},
      {"x|", "1:2: " + bars},
      {"if(x < 1 || x > 2, 1, 2)",
       "1:10: unexpected character '|'; a condition is one comparison with < <= > or >=, and one if may "
       "stand "
       "inside another"},
      {"\u1e8b + 1", "1:1: character '\u1e8b' is not ASCII; write x'"},
      {"cos(\u03b8)", "1:5: character '\u03b8' is not ASCII; write theta"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Conditions) {
  const Cases cases{
      {"x < 1", "1:3: '<' compares; a comparison stands only as the condition of if(a < b, then, else)"},
      {"if(x < 1, y > 2, 0)",
       "1:13: '>' compares; a comparison stands only as the condition of if(a < b, then, else)"},
      {"if((x < 1), 1, 2)",
       "1:7: '<' compares; a comparison stands only as the condition of if(a < b, then, else)"},
      {"if(x, 1, 2)",
       "1:1: the condition of 'if' needs a comparison, one of < <= > >=: if(a < b, then, else)"},
      {"if(0 < x < 1, 1, 2)", "1:10: a condition holds one comparison; put one 'if' inside another"},
      {"if(x < 1, 2)", "1:1: 'if' takes a condition and two values: if(a < b, then, else)"},
      {"if(x < 1, 2, 3, 4)", "1:1: 'if' takes a condition and two values: if(a < b, then, else)"},
      {"if(x = 1, 2, 3)", "1:6: '=' is no comparison; the comparisons of 'if' are < <= > >="},
      {"if(x == 1, 2, 3)",
       "1:6: '==' is no comparison; the comparisons of if are < <= > >=, and an equation has one '='"},
      {"if(x => 1, 2, 3)", "1:6: '=>' is no comparison; write '>='"},
      {"if(x < 1 & y < 1, 2, 3)",
       "1:10: unexpected character '&'; a condition is one comparison with < <= > or >=, and one if may "
       "stand "
       "inside another"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Numbers) {
  const Cases cases{
      {"1e999", "1:1: number too large: '1e999' is above 1.7976931348623157e308"},
      {"x + 0.001e400", "1:5: number too large: '0.001e400' is above 1.7976931348623157e308"},
      {"1" + std::string(400, '0') + "e-50",
       "1:1: number too large: '1" + std::string(39, '0') + "...' is above 1.7976931348623157e308"},
      {"1e99999999999999999999",
       "1:1: number too large: '1e99999999999999999999' is above 1.7976931348623157e308"},
      {"1e-999", "1:1: number too small: '1e-999' is below 5e-324; write 0 for zero"},
      {"1e-99999999999999999999",
       "1:1: number too small: '1e-99999999999999999999' is below 5e-324; write 0 for zero"},
      {"0." + std::string(400, '0') + "1",
       "1:1: number too small: '0." + std::string(38, '0') + "...' is below 5e-324; write 0 for zero"},
      {"2e", "1:1: number '2e' lacks the digits of its exponent, as in 1e-3; a product is written with '*'"},
      {"2e+x",
       "1:1: number '2e+' lacks the digits of its exponent, as in 1e-3; a product is written with '*'"},
      {"1.2.3", "1:1: number '1.2.' has a second point; a number has one at most"},
      {"x + .", "1:5: '.' stands alone; write .5 or 0.5 for a number, p.x without spaces for a component"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Names) {
  const Cases cases{
      {"c[0]", "1:2: '[' after 'c': a name takes no index; write a component as p.x"},
      {"1 + [1, 2]", "1:5: a vector has three components: [a, b, c]"},
      {"x'''", "1:1: 'x'''' is a third derivative; x' (velocity) and x'' (acceleration) are the only ones"},
      {"p'.x''",
       "1:1: 'p'.x''' is a third derivative; x' (velocity) and x'' (acceleration) are the only ones"},
      {"x'y",
       "1:1: 'x'y' goes on after its prime; a prime ends a name or stands before a dot, as in x' or p'.x"},
      {"x.", "1:1: 'x.' lacks the name of a component after its dot, as in p.x"},
      {"x.5", "1:1: 'x.' lacks the name of a component after its dot, as in p.x"},
      {"x .y", "1:3: '.' stands alone; write .5 or 0.5 for a number, p.x without spaces for a component"},
      {"x '", "1:3: a prime (') stands alone; it follows its name without space, as in x'"},
      {"(x)'",
       "1:4: a prime (') follows a name or a component, as in x' or p.x'; name this expression in "
       "[definitions] to use its rate"},
      {"pi'", "1:1: 'pi' is a number; it has no rate and no components"},
      {"t'", "1:1: 't' is the time; it has no rate and no components"},
      {"2*ground", "1:3: 'ground' is a reserved word and has no value in this expression"},
      {"force(c)", "1:1: 'force' has no value in this expression"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Characters) {
  const Cases cases{
      {"a $ b", "1:3: unexpected character '$'; the operators are + - * / ^"},
      {"x\u00b2", "1:2: character '\u00b2' is not ASCII; write ^2"},
      {"2\u00b7x", "1:2: character '\u00b7' is not ASCII; write *"},
      {"\u03c0*r", "1:1: character '\u03c0' is not ASCII; write pi"},
      {"x + \u00e4", "1:5: character '\u00e4' is not ASCII; names are made of a-z A-Z 0-9 _"},
      {"1 +\n\xff", "2:1: byte 0xff cannot stand in an expression, which is plain ASCII text"},
      {"x\xc3", "1:2: byte 0xc3 cannot stand in an expression, which is plain ASCII text"},
      {std::string("x\0y", 3), "1:2: byte 0x00 cannot stand in an expression, which is plain ASCII text"},
      {"x\x07", "1:2: byte 0x07 cannot stand in an expression, which is plain ASCII text"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

TEST(ParseError, Equations) {
  const Cases cases{
      {"x + 1", "m.toml:7:3: the equation has no '='; write left = right"},
      {" ", "m.toml:7:3: the equation is empty; write left = right"},
      {"x = ", "m.toml:7:7: a number, a name or '(' is missing after '=': the text ends"},
      {"= x", "m.toml:7:3: a number, a name or '(' is missing at the beginning: '=' stands there"},
      {"x = y = z", "m.toml:7:9: the equation has a second '='; an equation has exactly one"},
      {"x = (y = z)", "m.toml:7:10: '=' stands inside parentheses; an equation has its '=' outside"},
      {"x == y",
       "m.toml:7:5: '==' is no comparison; the comparisons of if are < <= > >=, and an equation has one '='"},
      {"x <= y",
       "m.toml:7:5: '<=' compares, and a constraint is an equation, left = right; a stop or a contact is a "
       "force with if(a < b, then, else), and [events] tells when it is reached"},
  };
  Graph graph;
  const NameResolver symbol = [&](std::string_view name, const Place&) { return graph.symbol(name); };
  for (const auto& [text, message] : cases) {
    try {
      parse_equation(graph, text, symbol, {"m.toml", 7, 3});
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
  EXPECT_EQ(error_of("x = 1"), "1:3: '=' makes an equation, and an expression is asked for here");
}

TEST(ParseError, AnyTextEndsInAnExpressionOrInAnErrorWithAPlaceInsideIt) {
  const std::vector<std::string> words{"x",  "p.y'", "2", ".5", "+",    "-",        "*",    "/",  "^", "(",
                                       ")",  ",",    "<", ">=", "sin(", "min(",     "if(",  "pi", "=", " ",
                                       "\n", "1e",   "'", ".",  "[",    "\xc3\xa4", "\xff", "$"};
  std::mt19937 random(11);
  int read = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    const auto length = 1 + random() % 8;
    for (unsigned k = 0; k < length; ++k) text += words[random() % (i % 2 ? words.size() : 11)];
    Graph graph;
    try {
      parse(graph, text);
      ++read;
    } catch (const Error& error) {
      const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
      EXPECT_GE(error.place().line, 1);
      EXPECT_LE(error.place().line, lines) << text;
      EXPECT_GE(error.place().column, 1);
      EXPECT_LE(error.place().column, static_cast<int>(text.size()) + 1) << text;
    }
  }
  EXPECT_GT(read, 2000) << "texts that can be read must be among them";
}

// --- Size ----------------------------------------------------------------------------------------

TEST(ParseSize, NestingEndsAt200Levels) {
  const std::string message = "expression nested deeper than 200 levels; give its parts names of their own";
  EXPECT_EQ(error_of(std::string(200, '(') + "x" + std::string(200, ')')), "no error");
  EXPECT_EQ(error_of(std::string(201, '(') + "x" + std::string(201, ')')), "1:201: " + message);
  EXPECT_EQ(error_of(std::string(200, '-') + "x"), "no error");
  EXPECT_EQ(error_of(std::string(201, '-') + "x"), "1:201: " + message);
  EXPECT_EQ(error_of(repeated(200, "2^") + "x"), "no error");
  EXPECT_EQ(error_of(repeated(201, "2^") + "x"), "1:402: " + message);
  EXPECT_EQ(error_of(repeated(201, "sin(") + "x" + std::string(201, ')')), "1:801: " + message);
  EXPECT_EQ(error_of(repeated(201, "if(x<1,1,") + "x" + std::string(201, ')')), "1:1801: " + message);
  EXPECT_EQ(error_of(std::string(1000000, '(')), "1:201: " + message);
  EXPECT_EQ(error_of(std::string(1000000, '-')), "1:201: " + message);
}

TEST(ParseSize, WhatIsFlatHasNoLimit) {
  Graph graph;
  const sample::Inputs at{{"x", 1}};
  EXPECT_EQ(sample::evaluate(parse(graph, "0" + repeated(100000, " + x")), at), 100000);
  EXPECT_EQ(sample::evaluate(parse(graph, "x" + repeated(100000, "*x")), at), 1);
  EXPECT_EQ(sample::evaluate(parse(graph, "x" + repeated(100000, "/x")), at), 1);
  std::string list = "min(x";
  for (int i = 0; i < 100000; ++i) list += ", " + std::to_string(i);
  EXPECT_EQ(sample::evaluate(parse(graph, list + ")"), at), 0);
}

TEST(ParseSize, TimeIsLinear) {
  // Ten times the work; the rest is the price of leaving the caches. A quadratic parser would need 100.
  test::expect_growth_below(40, [](bool large) {
    std::string text = "0";
    for (int i = 0; i < (large ? 200000 : 20000); ++i) text += "\n + sin(x" + std::to_string(i) + ")^2";
    return test::seconds_of([&] {
      Graph graph;
      parse(graph, text);
    });
  });
}

}  // namespace
}  // namespace vinculum
