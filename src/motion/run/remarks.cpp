#include "motion/run/remarks.hpp"

#include <algorithm>
#include <cmath>

#include "motion/assemble/closure.hpp"
#include "motion/run/course.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

std::string not_watched(const Course& course) {
  const int row = course.singularity.beyond_squares();
  return "the rank of A is not watched: " +
         (row < 0 ? "A M^-1 A^T is too full"
                  : "the coefficients of '" + course.system.row_names()[row] +
                        "' have squares that are no numbers; state it in other units");
}

std::string steps(long count, const std::string& where) {
  return std::to_string(count) + (count == 1 ? " step" : " steps") + where +
         (count == 1 ? " was " : " were ");
}

/// Where others than the first were taken: the first few of them.
void tell_of_methods(Trajectory& out) {
  constexpr std::size_t most = 6;
  if (out.methods.size() > most + 1)
    out.notes.push_back("the method was changed " + std::to_string(out.methods.size() - 1) +
                        " times, the last time at t = " + number_text(out.methods.back().from, 6));
  for (std::size_t k = 1; k < std::min(out.methods.size(), most + 1); ++k)
    out.notes.push_back("from t = " + number_text(out.methods[k].from, 6) + " on " +
                        std::string(integrator_name(out.methods[k].integrator)) +
                        " made the steps: " + out.methods[k].why);
}

/// Rows that follow from the others but for the noise of a drawing.
void tell_of_open_loops(const Course& course, Trajectory& out) {
  if (out.passed_over.empty()) return;
  std::vector<std::string> names;
  const PassedOver* widest = &out.passed_over.front();
  for (const PassedOver& p : out.passed_over) {
    names.push_back("'" + p.name + "'");
    if (p.gap * widest->allowed > widest->gap * p.allowed) widest = &p;
  }
  out.notes.push_back("rows that follow from the others but for the noise of a drawing were passed over: " +
                      list_text(names, 12) + "; '" + widest->name + "' was open by up to " +
                      number_text(widest->gap, 3) + ", the closure of " +
                      number_text(course.options.closure, 3) + " allows " + number_text(widest->allowed, 3));
}

/// Where constraints determine everything and stand still, so does the motion: a loop that is drawn a little
/// off its plane, say.
void tell_of_no_freedom(Course& course, Trajectory& out) {
  const int n = course.flow.velocities();
  if (n == 0 || !course.singularity.watching() || course.singularity.rank() < n || out.steps == 0) return;
  const auto moved = [](const std::vector<double>& from, const std::vector<double>& to) {
    double largest = 0, most = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      largest = std::max(largest, std::fabs(from[i]));
      most = std::max(most, std::fabs(to[i] - from[i]));
    }
    return most > 1e-9 * largest;
  };
  if (moved(out.first.q, out.last.q)) return;
  std::string text = "nothing moves: the constraints leave 0 degrees of freedom, " +
                     std::to_string(course.system.row_names().size()) + " rows of rank " + std::to_string(n) +
                     " determine all " + std::to_string(n) + " velocities";
  const WiderClosure wider = wider_closure(course.system, out.first, course.options.closure, course.work);
  std::vector<std::string> names;
  for (std::size_t r = 0; r < wider.rows.size(); ++r)
    if (wider.rows[r]) names.push_back("'" + course.system.row_names()[r] + "'");
  if (!names.empty())
    text += "; with a closure of " + number_text(wider.closure, 3) + " (--closure) " + list_text(names, 6) +
            " would be passed over";
  out.notes.push_back(text);
}

/// The names of what has no mass there.
std::string without_mass(Course& course, const State& at) {
  const SparseMatrix& mass = evaluate(course.system, at, course.work).M;
  std::vector<std::string> names;
  for (int i = 0; i < mass.rows; ++i) {
    double diagonal = 0;
    for (const auto [column, value] : row_of(mass, i))
      if (column == i) diagonal = value;
    if (diagonal == 0) names.push_back("'" + course.system.velocity_names()[i] + "'");
  }
  return list_text(names, 6);
}

/// Where the fast road had no answer: the numbers are right, but cost as much as a dense matrix does.
void tell_of_dense_road(Course& course, Trajectory& out) {
  const Flow::DenseUse& dense = course.flow.dense_use();
  if (dense.count == 0) return;
  std::string why;
  if (dense.doubt == Doubt::mass) {
    const std::string names = without_mass(course, dense.at);
    why = names.empty()
              ? "M is nearly singular"
              : "there is no mass in " + names + ", and only that road decides whether rows hold it";
  } else if (dense.doubt == Doubt::light) {
    why = "masses differ so much that the light ones would drown in rounding";
  } else {
    why = "rows nearly depend on each other, or disagree by more than rounding";
  }
  out.notes.push_back("the robust road, which works densely, solved " + std::to_string(dense.count) + " of " +
                      std::to_string(course.flow.evaluations) +
                      " evaluations, the first at t = " + number_text(dense.at.t, 6) + ": " + why);
}

}  // namespace

void tell_of_passed_steps(Course& course) {
  Remarks& remarks = course.remarks;
  if (remarks.passed_steps > 0)
    remarks.passed.push_back(steps(remarks.passed_steps, "") + "made by dop853 in the place of " +
                             std::string(integrator_name(course.method)) + ": " +
                             course.stepper->why_passed(remarks.passed_steps));
  remarks.passed_steps = 0;
}

void write_notes(Course& course) {
  const Remarks& remarks = course.remarks;
  std::vector<std::string>& notes = course.out.notes;
  const bool near = remarks.nearest_when_careful < near_below;
  tell_of_open_loops(course, course.out);
  tell_of_no_freedom(course, course.out);
  tell_of_dense_road(course, course.out);
  if (remarks.careful_steps > 0)
    notes.push_back(steps(remarks.careful_steps, near ? " near a singular position" : "") +
                    "made with every stage projected onto the constraints" +
                    (near ? ""
                          : ": a row had only " + number_text(remarks.nearest_when_careful, 2) +
                                " of its largest part beyond the others (in a singular position: 0)"));
  tell_of_passed_steps(course);
  for (const std::string& text : remarks.passed) notes.push_back(text);
  tell_of_methods(course.out);
  if (remarks.evasions > 0)
    notes.push_back(steps(remarks.evasions, "") + "shortened so as not to end in a singular position");
  if (remarks.noisy_steps > 0)
    notes.push_back(steps(remarks.noisy_steps, "") + "held to the rounding of the forces: up to " +
                    number_text(remarks.noisiest, 2) + " times what the tolerance asks for");
  if (course.observer.saw_saddle() && course.system.mechanics() == Mechanics::dalembert)
    notes.push_back(
        "the Lagrangian is not definite, M has a negative direction: Gauss's function is stationary along "
        "the "
        "motion, not least");
  if (course.observer.saw_free_multipliers())
    notes.push_back(course.system.mechanics() == Mechanics::vakonomic
                        ? "the multipliers are not unique: those of least norm are taken, also for the "
                          "rates of mu"
                        : "the multipliers are not unique: those of least norm are given");
  for (const NormDependence& d : remarks.dependences) notes.push_back(describe(d));
  course.out.norm_dependent = names_of(remarks.dependences);
  for (const std::string& text : remarks.pressing) notes.push_back("friction: " + text);
  if (remarks.end_not_projected)
    notes.push_back(
        "the end lies in a singular position: its state was read from the last step and not projected");
  for (const std::string& note : course.observer.complaints()) notes.push_back(note);
  if (!course.singularity.watching() && !course.system.row_names().empty())
    notes.push_back(not_watched(course));
  if (course.tolerance.relative > part_of_step * course.options.tolerance * 1.0001)
    notes.push_back("a tolerance of " + number_text(course.options.tolerance, 3) +
                    " is below rounding; steps were held to " + number_text(smallest_tolerance, 3));
  if (const std::string why = course.system.why_interpreted(); !why.empty())
    notes.push_back(
        "the motion was computed by the interpreter of kernels, with the same numbers but more slowly: " +
        why);
}

}  // namespace vinculum
