// Expressions that are numbers, vectors or generalised forces: which operations they allow, and what comes
// out.
#include "vinculum/expr/value.hpp"

#include <gtest/gtest.h>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

using Kind = Value::Kind;

/// u and w are vectors, f and g generalised forces over velocities 0 and 2, lost is unknown; all else a
/// number.
class Sample : public Scope {
 public:
  explicit Sample(Graph& graph) : graph_(graph) {}
  Value name(std::string_view text, const Place&) override {
    const std::string n(text);
    if (n == "u" || n == "w") return Vector{symbol(n + "1"), symbol(n + "2"), symbol(n + "3")};
    if (n == "lost") return Value::unknown();
    return symbol(n);
  }
  Value force(const RowName& of, std::string_view on, const Place&) override {
    asked = std::string(of.constraint) + "," + std::to_string(of.row) + "," + std::string(on);
    Value force;
    force.kind = Kind::generalised;
    force.components.emplace(0, symbol(std::string(of.constraint) + "0"));
    if (of.constraint == "g") force.components.emplace(2, symbol("g2"));
    return force;
  }
  Value multiplier(const RowName& of) override { return symbol("lambda" + std::to_string(of.row)); }
  Value component(const Value& force, std::string_view name, const Place& place) override {
    named_at = place.column;
    const auto found = force.components.find(name == "x" ? 0 : 2);
    return found == force.components.end() ? Expr(0.0) : found->second;
  }
  Value rate(const Value& value, const Place&) override { return symbol("rate_of_" + to_text(value.scalar)); }

  std::string asked;
  int named_at = 0;

 private:
  Expr symbol(const std::string& name) { return graph_.symbol(name); }
  Graph& graph_;
};

struct Reading : testing::Test {
  Graph graph;
  Sample scope{graph};
  Value read(const std::string& text) { return parse_value(graph, text, scope); }
  std::string number(const std::string& text) {
    const Value value = read(text);
    EXPECT_EQ(value.kind, Kind::scalar) << text;
    return to_text(value.scalar);
  }
  std::string vector(const std::string& text) {
    const Value value = read(text);
    EXPECT_EQ(value.kind, Kind::vector) << text;
    return to_text(value.vector.x) + "; " + to_text(value.vector.y) + "; " + to_text(value.vector.z);
  }
  std::string message(const std::string& text) {
    try {
      read(text);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
};
using Values = Reading;

TEST_F(Values, VectorsAddSubtractAndTurn) {
  EXPECT_EQ(vector("u + w"), "u1 + w1; u2 + w2; u3 + w3");
  EXPECT_EQ(vector("u - w"), "u1 - w1; u2 - w2; u3 - w3");
  EXPECT_EQ(vector("-u"), "-u1; -u2; -u3");
  EXPECT_EQ(vector("+u"), "u1; u2; u3");
  EXPECT_EQ(vector("[a, 2, b] + [1, 0, 0]"), "a + 1; 2; b");
}

TEST_F(Values, ANumberScalesAVectorFromEitherSide) {
  EXPECT_EQ(read("2*u").vector.x.id(), read("u*2").vector.x.id());
  EXPECT_EQ(number("(a*u).y"), number("u2*a"));
  EXPECT_EQ(number("(u/a).z"), "u3/a");
  EXPECT_EQ(message("u*w"), "1:2: a product of vectors is written dot(a, b) or cross(a, b)");
  EXPECT_EQ(message("a/u"), "1:2: the divisor is a vector; divide by a number");
}

TEST_F(Values, ProductsOfVectors) {
  EXPECT_EQ(number("dot(u, w)"), "u1*w1 + u2*w2 + u3*w3");
  EXPECT_EQ(number("cross(u, w).x"), "u2*w3 - u3*w2");
  EXPECT_EQ(number("cross(u, w).y"), "u3*w1 - u1*w3");
  EXPECT_EQ(number("cross(u, w).z"), "u1*w2 - u2*w1");
  EXPECT_EQ(number("norm(u)"), "sqrt(u1^2 + u2^2 + u3^2)");
  EXPECT_EQ(read("distance(u, w)").scalar.id(), read("norm(u - w)").scalar.id());
}

TEST_F(Values, ComponentsFollowParenthesesAndBrackets) {
  EXPECT_EQ(number("(u + w).z"), "u3 + w3");
  EXPECT_EQ(number("[a, b, c].y"), "b");
  EXPECT_EQ(number("(u).x'"), "rate_of_u1");
  EXPECT_EQ(message("(a).x"), "1:4: '.x' follows a number, which has no components");
  EXPECT_EQ(message("(u).w"), "1:4: '.w' is no component; a vector has .x .y .z");
}

TEST_F(Values, GeneralisedForcesAddScaleAndHaveANorm) {
  EXPECT_EQ(number("force(g).x"), "g0");
  EXPECT_EQ(number("(force(f) + force(g)).x"), "f0 + g0");
  EXPECT_EQ(number("(force(f) + force(g)).z"), number("force(g).z"));
  EXPECT_EQ(number("(force(f) - force(g)).z"), "-g2");
  EXPECT_EQ(number("(2*force(f)).x"), number("f0*2"));
  EXPECT_EQ(number("(-force(f)/a).x"), "-f0/a");
  EXPECT_EQ(number("norm(force(g))"), "sqrt(g0^2 + g2^2)");
  EXPECT_EQ(number("norm(force(f))^2"), number("sqrt(f0^2)^2"));
  EXPECT_EQ(message("force(f) + u"), "1:10: a generalised force and a vector cannot be added");
  EXPECT_EQ(message("dot(force(f), u)"),
            "1:1: function 'dot' works on vectors, and a generalised force is given");
}

TEST_F(Values, ConstraintsAreAskedForByNameAndRow) {
  read("force(rod).x");
  EXPECT_EQ(scope.asked, "rod,-1,");
  EXPECT_EQ(scope.named_at, 12);  // behind the dot
  read("force(pin[2], p).x");
  EXPECT_EQ(scope.asked, "pin,2,p");
  EXPECT_EQ(number("multiplier(pin[1])"), "lambda1");
  EXPECT_EQ(message("force()"),
            "1:7: the name of a constraint is asked for here, as in force(rod) or multiplier(pin[0])");
  EXPECT_EQ(message("multiplier(pin[a])"), "1:16: a row is counted 0, 1, 2, as in pin[0]");
  EXPECT_EQ(message("multiplier(pin[1.5])"), "1:16: a row is counted 0, 1, 2, as in pin[0]");
  EXPECT_EQ(message("force(pin[0)"), "1:12: a ']' is missing after the row, as in pin[0]");
  EXPECT_EQ(message("force(pin, 3)"),
            "1:12: force(c, p) asks for the name of a particle or body after its ','");
}

TEST_F(Values, KindsThatDoNotFitAreRefusedByName) {
  EXPECT_EQ(message("u + 1"), "1:3: a vector and a number cannot be added");
  EXPECT_EQ(message("1 - u"), "1:3: a number and a vector cannot be subtracted");
  EXPECT_EQ(message("u - 0"),
            "1:3: a vector and a number cannot be subtracted; the zero vector is [0, 0, 0]");
  EXPECT_EQ(message("u^2"), "1:1: the base of a power must be a number, and this is a vector");
  EXPECT_EQ(message("2^u"), "1:3: an exponent must be a number, and this is a vector");
  EXPECT_EQ(message("sin(u)"), "1:1: an argument of 'sin' must be a number, and this is a vector");
  EXPECT_EQ(message("[u, 1, 2]"), "1:2: a component of a vector must be a number, and this is a vector");
  EXPECT_EQ(message("[1, 2]"), "1:1: a vector has three components: [a, b, c]");
  EXPECT_EQ(message("[1, 2, 3, 4]"), "1:1: a vector has three components: [a, b, c]");
  EXPECT_EQ(message("if(u < 1, 1, 2)"), "1:4: what is compared must be a number, and this is a vector");
  EXPECT_EQ(message("if(a < 1, u, 2)"), "1:11: what 'if' chooses must be a number, and this is a vector");
  EXPECT_EQ(message("norm(a)"),
            "1:1: function 'norm' works on vectors, and a number is given; write abs(...) for a number");
  EXPECT_EQ(message("u[0]"), "1:2: '[' after 'u': a name takes no index; write a component as p.x");
}

TEST_F(Values, WhatIsUnknownTakesPartInAnythingInSilence) {
  for (const char* text : {"lost + u", "2*lost", "u*lost", "lost/a", "a/lost", "-lost", "lost^2", "2^lost",
                           "sin(lost)", "max(a, lost)", "dot(u, lost)", "norm(lost)", "[a, lost, b]",
                           "(lost).x", "cross(lost, u).y", "if(lost < 1, 2, 3)", "if(a < 1, lost, 3)"})
    EXPECT_EQ(read(text).kind, Kind::unknown) << text;
}

TEST_F(Values, BothSidesOfAnEquationAreOfOneKind) {
  EXPECT_EQ(parse_value_equation(graph, "u = w", scope).left.kind, Kind::vector);
  EXPECT_EQ(parse_value_equation(graph, "a = 1", scope).right.kind, Kind::scalar);
  EXPECT_EQ(parse_value_equation(graph, "u = lost", scope).right.kind, Kind::unknown);
  try {
    parse_value_equation(graph, "u = 0", scope);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "1:5: the left side is a vector and the right side a number; the zero vector is [0, 0, 0]");
  }
}

}  // namespace
}  // namespace vinculum
