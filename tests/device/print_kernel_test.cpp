// Printed kernels have the bits of the engine, operation by operation, but for sines and cosines: these are
// their own, and as exact.
#include "device/print_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device/host_device.hpp"
#include "device/languages.hpp"
#include "kernel/evaluation.hpp"
#include "kernel/functions.hpp"
#include "kernel/random_program.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using test::CompiledText;
using test::same_bits;

using Printed = bool (*)(const double* n, double* out);

/// In place of the text's own sines the engine's.
constexpr const char* engines_circle = R"text(
static double (*engines_sine)(double), (*engines_cosine)(double);
extern "C" void take_circle(double (*s)(double), double (*c)(double)) { engines_sine = s, engines_cosine = c; }
#define sine engines_sine
#define cosine engines_cosine
)text";

/// Functions of numbers alone, in one text.
class Text {
 public:
  /// The outputs of a kernel that has no places.
  void add(const Kernel& kernel) {
    const std::string name = "f" + std::to_string(count_++);
    text_ += device::print_kernel(name, kernel);
    text_ += "ENTRY_OF_TEST bool call_" + name + "(const double* n, double* out) {\n  return " + name +
             "(0, nullptr, nullptr, nullptr, nullptr, n, out);\n}\n";
  }
  std::vector<Printed> compile() {
    compiled_ = std::make_unique<CompiledText>(std::string(device::both_languages) + engines_circle +
                                               "#define ENTRY_OF_TEST extern \"C\"\n" + text_);
    using Sine = double (*)(double);
    reinterpret_cast<void (*)(Sine, Sine)>(compiled_->function("take_circle"))(
        [](double x) { return kernel::sine(x); }, [](double x) { return kernel::cosine(x); });
    std::vector<Printed> all;
    for (int k = 0; k < count_; ++k)
      all.push_back(reinterpret_cast<Printed>(compiled_->function(("call_f" + std::to_string(k)).c_str())));
    return all;
  }

 private:
  std::string text_;
  int count_ = 0;
  std::unique_ptr<CompiledText> compiled_;
};

Kernel all_written(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs) {
  return Kernel(outputs, inputs, {}, static_cast<int>(outputs.size()));
}

std::vector<double> interpreted(const Kernel& kernel, const std::vector<double>& inputs) {
  std::vector<double> out(kernel.outputs().size());
  evaluate(kernel, inputs, out);
  return out;
}

/// Whether the text says what the interpreter finds, where it says anything; how often it says nothing.
testing::AssertionResult agrees(Printed printed, const Kernel& kernel, const std::vector<double>& inputs,
                                int& silent) {
  std::vector<double> out(kernel.outputs().size(), 0.0);
  const bool ordinary = printed(inputs.data(), out.data());
  if (!ordinary) {
    ++silent;
    return testing::AssertionSuccess();
  }
  const std::vector<double> want = interpreted(kernel, inputs);
  for (std::size_t k = 0; k < out.size(); ++k)
    if (!same_bits(out[k], want[k]))
      return testing::AssertionFailure()
             << "output " << k << ": " << out[k] << " where the engine has " << want[k];
  return testing::AssertionSuccess();
}

TEST(PrintKernel, HasTheBitsOfTheEngineInEveryOperation) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  // Each operation by itself, and the pairs that the engine makes one instruction of.
  std::vector<std::pair<std::string, Expr>> all{{"add", x + y},
                                                {"subtract", x - y},
                                                {"multiply", x * y},
                                                {"divide", x / y},
                                                {"negate", -x},
                                                {"square", x * x},
                                                {"reciprocal", 1 / x},
                                                {"multiply_add", x * y + z},
                                                {"multiply_sub", x * y - z},
                                                {"sub_multiply", z - x * y},
                                                {"power 5", pow(x, 5)},
                                                {"power -3", pow(x, -3)},
                                                {"power", pow(abs(x), y)},
                                                {"sin", sin(x)},
                                                {"cos", cos(x)},
                                                {"sin_cos", sin(x) * cos(x)},
                                                {"tan", tan(x)},
                                                {"asin", asin(x)},
                                                {"acos", acos(x)},
                                                {"atan", atan(x)},
                                                {"sinh", sinh(x)},
                                                {"cosh", cosh(x)},
                                                {"tanh", tanh(x)},
                                                {"exp", exp(x)},
                                                {"log", log(abs(x))},
                                                {"sqrt", sqrt(abs(x))},
                                                {"abs", abs(x)},
                                                {"sign", sign(x)},
                                                {"atan2", atan2(x, y)},
                                                {"min", min(x, y)},
                                                {"max", max(x, y)},
                                                {"hypot", hypot(x, y)},
                                                {"less", if_less(x, y, x, z)},
                                                {"less_equal", if_less_equal(x, y, z, 0)}};
  Text text;
  std::vector<Kernel> kernels;
  for (const auto& [name, e] : all) {
    kernels.push_back(all_written({e}, {x, y, z}));
    text.add(kernels.back());
  }
  const std::vector<Printed> printed = text.compile();
  std::mt19937_64 random(5);
  for (std::size_t k = 0; k < all.size(); ++k) {
    int silent = 0, special = 0;
    for (int turn = 0; turn < 400; ++turn) {
      std::vector<double> at = test::random_inputs(3, random);
      if (turn % 3 == 0) at[0] = 0.7 * std::tanh(at[0]);  // where arcs are
      special +=
          std::ranges::any_of(at, [](double v) { return !(std::fabs(v) < 100 && std::fabs(v) > 0.01); });
      ASSERT_TRUE(agrees(printed[k], kernels[k], at, silent))
          << all[k].first << " of " << at[0] << ", " << at[1];
    }
    EXPECT_LE(silent, special + 140) << all[k].first << " is left for ordinary arguments";
  }
}

TEST(PrintKernel, HasTheBitsOfTheEngineInRandomPrograms) {
  std::mt19937_64 random(11);
  Text text;
  std::vector<std::unique_ptr<test::RandomProgram>> programs;
  std::vector<Kernel> kernels;
  for (int k = 0; k < 16; ++k) {
    programs.push_back(std::make_unique<test::RandomProgram>(random));
    kernels.push_back(all_written(programs.back()->outputs, programs.back()->inputs));
    text.add(kernels.back());
  }
  const std::vector<Printed> printed = text.compile();
  int silent = 0, turns = 0;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (int turn = 0; turn < 50; ++turn, ++turns)
      ASSERT_TRUE(agrees(printed[k], kernels[k], test::random_inputs(6, random), silent)) << "program " << k;
  EXPECT_LT(silent, turns);
}

/// Beside the engine's, which are within a unit in the last place: small angles, all quarters, next to their
/// ends.
TEST(PrintKernel, SinesAreAsExactAsTheEngines) {
  const CompiledText text(std::string(device::both_languages) +
                          "extern \"C\" double s(double x) { return sine(x); }\n"
                          "extern \"C\" double c(double x) { return cosine(x); }\n");
  const auto own_sine = reinterpret_cast<double (*)(double)>(text.function("s"));
  const auto own_cosine = reinterpret_cast<double (*)(double)>(text.function("c"));
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-30, 20), wide(-1, 1);
  double worst = 0;
  const auto look = [&](double x) {
    for (const auto& [own, engine] :
         {std::pair{own_sine(x), kernel::sine(x)}, {own_cosine(x), kernel::cosine(x)}}) {
      const double unit = std::ldexp(1.0, engine == 0 ? -1074 : std::max(-1074, std::ilogb(engine) - 52));
      const double off = own == engine ? 0.0 : std::fabs(own - engine) / unit;
      if (!(off <= worst)) worst = off;
      ASSERT_LE(off, 2) << own << " where the engine has " << engine << " at " << x;
    }
  };
  for (int turn = 0; turn < 200'000; ++turn) look(wide(random) * std::exp2(exponent(random)));
  for (long quarter = -4000; quarter <= 4000; ++quarter) {
    const double at = static_cast<double>(quarter * 160) * (std::numbers::pi / 2);
    for (const double x : {at, std::nextafter(at, 1e9), std::nextafter(at, -1e9)}) look(x);
  }
  EXPECT_EQ(own_sine(0.0), 0);
  EXPECT_EQ(own_cosine(0.0), 1);
  EXPECT_GT(worst, 0);  // or these are the engine's own
}

TEST(PrintKernel, HalfOfTwiceANumberIsThatNumber) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Kernel kernel = all_written({((x * y) * 2.0 + x) * 0.5 * 4.0, x * 2.0}, {x, y});
  Text text;
  text.add(kernel);
  int silent = 0;
  const std::vector<Printed> printed = text.compile();
  for (const double at : {0.3, -7.0, 1e100}) EXPECT_TRUE(agrees(printed[0], kernel, {at, 3.1}, silent));
  EXPECT_EQ(silent, 0);
}

TEST(PrintKernel, ReadsAStateWhereItLies) {
  Graph graph;
  const Expr t = graph.symbol("t"), q = graph.symbol("q"), l = graph.symbol("l"), n = graph.symbol("n");
  const std::vector<Expr> in{t, q, l, n}, out{t - q, l / n, q};
  const Kernel kernel(out, in, {{0, 0}, {1, 2}, {4, 1}}, 3);
  const CompiledText text(
      std::string(device::both_languages) + device::print_kernel("f", kernel) +
      "extern \"C\" bool g(const double* q, const double* l, const double* n, double* out) "
      "{ return f(7, q, nullptr, nullptr, l, n, out); }\n");
  const double places[] = {0, 0, 3}, multipliers[] = {0, 10}, numbers[] = {4};
  double found[3];
  ASSERT_TRUE(reinterpret_cast<bool (*)(const double*, const double*, const double*, double*)>(
      text.function("g"))(places, multipliers, numbers, found));
  EXPECT_EQ(found[0], 4);
  EXPECT_EQ(found[1], 2.5);
  EXPECT_EQ(found[2], 3);
}

TEST(PrintKernel, TellsOfArgumentsThatAreRare) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Text text;
  text.add(all_written({sin(x)}, {x}));
  const Printed f = text.compile().front();
  double out;
  for (const auto& [at, ordinary] :
       {std::pair{1.0, true}, {-1e6, true}, {1e6, true}, {1e7, false}, {INFINITY, false}}) {
    EXPECT_EQ(f(&at, &out), ordinary) << at;
  }
}

TEST(PrintKernel, LiteralsAreExact) {
  EXPECT_EQ(device::literal(0.1), "0x1.999999999999ap-4");
  EXPECT_EQ(device::literal(-2.0), "(-0x1p+1)");
  EXPECT_EQ(device::literal(-0.0), "(-0x0p+0)");
  EXPECT_EQ(device::literal(INFINITY), "value_of(0x7ff0000000000000ull)");
}

}  // namespace
}  // namespace vinculum
