// A model from a file, a force of one's own, the motion, a report.
#include <cmath>
#include <cstdio>
#include <vinculum/tool.hpp>
#include <vinculum/vinculum.hpp>

using namespace vinculum;

/// The drag of still air on a sphere, as any C++ code may compute it; and its derivative.
double drag(std::span<const double> v) { return -0.1 * v[0] * std::sqrt(v[0] * v[0] + v[1] * v[1]); }
void drag_gradient(std::span<const double> v, std::span<double> d) {
  const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1]);
  d[0] = speed > 0 ? -0.1 * (speed + v[0] * v[0] / speed) : 0;
  d[1] = speed > 0 ? -0.1 * v[0] * v[1] / speed : 0;
}

int main(int, char** arguments) try {
  std::vector<Fault> faults;
  const std::optional<std::string> text = read_text(arguments[1], faults);
  ReadResult read = read_model(text.value_or(""), arguments[1]);
  if (!read.file) {
    for (const Fault& fault : read.faults) std::printf("%s\n", fault.text.c_str());
    return 1;
  }
  Model& model = read.file->model;
  const Function air = model.function(
      {.name = "air", .arguments = 2, .value = drag, .gradient = arguments[2] ? drag_gradient : nullptr});
  const Coordinate x = model.find_coordinate("x"), y = model.find_coordinate("y");
  model.force(x, air(x.rate(), y.rate()));
  model.force(y, air(y.rate(), x.rate()));

  const System system(model);
  MotionOptions options = motion_options(read.file->simulate);
  options.integrator = Integrator::radau5;
  const Trajectory motion = simulate(system, options);
  const Sample end = motion.back();
  std::printf("%s: t = %g, x = %.6f, y = %.6f\n", stop_name(motion.stop).data(), end.t, end.q[0], end.q[1]);
  for (const std::string& note : motion.notes) std::printf("note: %s\n", note.c_str());

  const RunRecord record = record_of(*read.file);
  write_csv("wind.csv", system, motion, record);
  write_file("wind.json", run_json(system, motion, read.file->path));
  write_file("wind.html", page(model, system, complete_view(model, read.file->view), motion, record));
  return motion.stop == Stop::end ? 0 : 1;
} catch (const Error& error) {
  std::printf("error: %s\n", error.what());
  return 2;
}
