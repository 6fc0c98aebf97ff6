// Functions written in C++ in derived equations: called by their names, and named as opaque.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "vinculum/analysis/derive.hpp"

namespace vinculum {
namespace {

Model blown() {
  Model m;
  const Coordinate x = m.coordinate("x", {.rate = 2}), y = m.coordinate("y");
  const Function wind =
      m.function({"wind", 2, [](std::span<const double> at) { return at[0] - 3 * at[1]; }, nullptr});
  const Expr k = m.parameter("k", 2);
  for (const Coordinate& q : {x, y}) m.mass(q, 2);
  m.force(x, -k * wind(x.rate(), y + 1));
  m.force(y, wind(x, x.rate() + y));
  return m;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DeriveFunction, TextCallsItAndNamesItAsOpaque) {
  const std::string page = derive_text(blown(), "blown");
  EXPECT_TRUE(has(page, "opaque, written in C++: wind\n")) << page;
  EXPECT_TRUE(has(page, "wind(x', y + 1)")) << page;
}

TEST(DeriveFunction, LatexCallsItAndNamesItAsOpaque) {
  const std::string page = derive_latex(blown(), "blown");
  EXPECT_TRUE(has(page, "Opaque, written in C++: $\\mathrm{wind}$.")) << page;
  EXPECT_TRUE(has(page, "\\mathrm{wind}\\left(\\dot{x}, y + 1\\right)")) << page;
}

/// The C file declares it, and runs with what is given beside it.
TEST(DeriveFunction, CDeclaresItAndLinksWithADefinition) {
  namespace fs = std::filesystem;
  char pattern[] = "/tmp/vinculum_function_XXXXXX";
  const fs::path folder = mkdtemp(pattern);
  const std::string text = derive_c(blown(), "blown");
  EXPECT_TRUE(has(text, "double opaque_wind(double, double);\n")) << text;
  std::ofstream(folder / "model.c") << text;
  std::ofstream(folder / "main.c")
      << "#include <math.h>\n"
         "double opaque_wind(double a, double b) { return a - 3 * b; }\n"
         "int blown_acceleration(double, const double*, const double*, const double*, double*, double*);\n"
         "int main(void) {\n"
         "  const double q[] = {1, 2}, v[] = {3, 4}, p[] = {2};\n"
         "  double a[2], force[2];\n"
         "  if (blown_acceleration(0, q, v, p, a, force) != 0) return 1;\n"
         "  /* 2 x'' = -2 (3 - 9), 2 y'' = 1 - 15 */\n"
         "  return fabs(a[0] - 6) < 1e-14 && fabs(a[1] + 7) < 1e-14 ? 0 : 2;\n}\n";
  const std::string at = "cd " + folder.string() + " && ";
  EXPECT_EQ(
      std::system((at + "cc -std=c99 -Wall -Wextra -Werror model.c main.c -lm -o run && ./run").c_str()), 0)
      << text;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vinculum
