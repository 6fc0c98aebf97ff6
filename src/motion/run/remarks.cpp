#include "motion/run/remarks.hpp"

#include <algorithm>

#include "motion/run/course.hpp"
#include "vinculum/base/text.hpp"

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
