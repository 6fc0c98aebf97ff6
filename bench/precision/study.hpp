// A study of work against precision: solvers, the points measured for them, and what they cost at a given
// error.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vinculum::precision {

/// What one solver made of one problem at one tolerance.
struct Run {
  bool finished = false;
  std::vector<double> q;  // where it ended
  long evaluations = 0;   // of the right side or, for IDA, of the residual
};

/// `reduced`: odeint on equations of fewer freedoms than were stated, found by hand for this one mechanism.
enum class Family { vinculum, odeint, reduced, sundials };

struct Solver {
  Family family = Family::vinculum;
  std::string name;
  std::function<Run(double tolerance)> run;
};

struct Problem {
  std::string name;   // on the command line
  std::string title;  // in the tables
  std::vector<double> end;
  std::function<double(const std::vector<double>& q)> violation;  // of the worst constraint [m]
  std::vector<Solver> solvers;
};

struct Point {
  double tolerance = 0;
  double seconds = 0;  // processor time, the smallest seen
  double error = 0;    // of the worst coordinate at the end [m] or [rad]
  double violation = 0;
  long evaluations = 0;
};

struct Curve {
  Family family = Family::vinculum;
  std::string solver;
  std::vector<Point> points;
};

/// Every solver of the problem over its sweep of tolerances.
std::vector<Curve> measure(const Problem& problem);

/// The time at an error, on straight lines in logarithms between the points that no cheaper one beats;
/// nothing where no point is as good.
std::optional<double> time_at(const Curve& curve, double error);
/// The cheapest point as good as this error; the best one where none is.
Point point_at(const Curve& curve, double error);

/// Processor time of one call, the smallest of several.
double seconds_of(const std::function<void()>& call);

Problem pendulum();
Problem loop();
Problem squeezer();
/// The 40 four-bars: time, energy and place against the exact motion.
void four_bar();
void four_bar_of_bodies();
/// Memory asked for by a step.
void allocations();

}  // namespace vinculum::precision
