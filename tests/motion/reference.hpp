// Motions computed without any code of this project (tests/data/reference), reproduced and compared.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "support/sanitized.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum::reference {

/// The sanitizers make a run ten to twenty times slower: the longest runs are then shortened.
#ifdef VINCULUM_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Named numbers at one time, as the reference lists them.
using Quantities = std::map<std::string, double>;

struct Row {
  double t = 0.0;
  double trusted = 0.0;  ///< 10^-digits: how far the reference itself is believed
  Quantities values;
  std::string branch{};  ///< of a case with several motions: which of them
};

/// One case: the data of its model and the rows to be reproduced.
class Case {
 public:
  explicit Case(const std::string& name);  ///< "c01-chaplygin-sleigh": the file without its ending
  const std::string& name() const { return name_; }
  const std::vector<Row>& rows() const { return rows_; }
  /// The number a parameter or an initial value begins with ("m[1]" of a list); an error where the file has a
  /// formula.
  double parameter(const std::string& name) const { return number("parameters", name); }
  double initial(const std::string& name) const { return number("initial", name); }
  /// For formulas, which a test writes down in code: fails the test when the file says something else.
  void expect_says(const std::string& name, const std::string& formula) const;

 private:
  double number(const char* part, const std::string& name) const;
  std::string name_;
  std::map<std::string, std::string> texts_;  // "parameters/m" -> "1.5"
  std::vector<Row> rows_;
};

/// A run that is asked for. Errors are |x - reference| / (1 + |reference|) and may be ten times the
/// tolerance; a test that allows more says why.
struct Demand {
  double tolerance = 1e-12;
  double allowed = 10 * tolerance;
  double absolute_tolerance = 0.0;
  double until = std::numeric_limits<double>::infinity();  ///< rows after this time are left out
  std::string integrator = "dop853";
  /// By how much the motion itself magnifies errors of its state in the quantity of that name.
  std::function<double(const std::string&)> magnified{};
  std::string branch{};  ///< rows of other branches are left out
};
/// The run at the default tolerance, and at one near the limit of double precision, there by series as well.
std::vector<Demand> standard_demands(const Demand& run = {});

/// Andrews' squeezer: in its last position the short links snap through. The crank being one radian ahead
/// makes a difference, in the norm of the comparison, of 24 in Phi' and 40 in beta'' (measured by a motion
/// that is longer by 1e-8 s). Angles themselves are right to ten times the tolerance.
double snap_through(const std::string& quantity);

/// Quantities a model does not state as coordinates or outputs.
using More = std::function<Quantities(const Sample&)>;

/// Integrates the model from its start to the time of every row, each time anew, and expects each quantity of
/// the row: the coordinate, speed or output of that name, or what `more` gives.
void expect_reproduced(const Case& reference, const Model& model,
                       const std::vector<Demand>& runs = standard_demands(), const More& more = {});

/// Appends a row of docs/accuracy.md to the file that the environment names in VINCULUM_ACCURACY, if it does.
struct Accuracy {
  std::string name;
  Demand run;
  double worst = 0.0;
  std::string quantity{};  ///< that is worst, and when
  long steps = 0, evaluations = 0;
};
void record(const Accuracy& accuracy);

/// A point mass in the plane.
struct Point {
  Coordinate x, y;
  Expr speed() const { return sqrt(pow(x.rate(), 2) + pow(y.rate(), 2)); }
};
Point point(Model& model, const std::array<const char*, 2>& names, const Expr& mass,
            const std::array<double, 2>& start, const std::array<double, 2>& velocity);

}  // namespace vinculum::reference
