// Models for Python: read from text, with the faults of the text, and written out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <tuple>

#include "python/core.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/schema.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/lower/equations.hpp"

namespace vinculum::python {

nb::dict settings_of(const SimulateSettings& s) {
  nb::dict settings;
  settings["from"] = s.from;
  settings["until"] = s.until ? nb::cast(*s.until) : nb::none();
  settings["tolerance"] = s.tolerance;
  settings["absolute_tolerance"] = s.absolute_tolerance;
  settings["step"] = s.step;
  settings["closure"] = s.closure;
  settings["samples"] = s.samples;
  settings["integrator"] = std::string(integrator_name(s.integrator));
  return settings;
}

namespace {

/// file, line, column, text
using Told = std::tuple<std::string, int, int, std::string>;

Told told(const Place& place, const std::string& text) {
  return {place.file, place.line, place.column, text};
}
template <class List>
std::vector<Told> told_of(const List& list) {
  std::vector<Told> all;
  for (const auto& one : list) all.push_back(told(one.place, one.text));
  return all;
}

/// The model, or nothing; the faults; what was not carried over of a robot.
std::tuple<std::shared_ptr<ReadModel>, std::vector<Told>, std::vector<Told>> read(const std::string& text,
                                                                                  const std::string& path,
                                                                                  const Overrides& overrides,
                                                                                  bool includes, bool open) {
  const OpenNames names = open ? OpenNames::allowed : OpenNames::refused;
  std::vector<Remark> remarks;
  ReadResult found = is_robot_file(path) ? read_robot(text, path, overrides, names, remarks)
                                         : read_model(text, path, overrides, names,
                                                      includes ? files_beside(path) : IncludeFiles());
  std::shared_ptr<ReadModel> model;
  if (found.file) model = std::make_shared<ReadModel>(ReadModel{std::move(*found.file), overrides});
  return {std::move(model), told_of(found.faults), told_of(remarks)};
}

nb::dict parameters_of(const ReadModel& model) {
  nb::dict values;
  for (const Model::ParameterData& p : model.file.model.parameters())
    if (p.kind == Model::ParameterData::Kind::number) values[p.name.c_str()] = p.value;
  return values;
}

/// A Python object that any thread may let go.
std::shared_ptr<nb::callable> kept(nb::callable object) {
  return {new nb::callable(std::move(object)), [](nb::callable* p) {
            const nb::gil_scoped_acquire gil;
            delete p;
          }};
}

/// Ctrl-C in it ends the motion, and what is done is kept: no number comes back, and no step is made with it.
double call(const nb::callable& f, const nb::tuple& numbers) {
  try {
    const double value = PyFloat_AsDouble(nb::object(f(*numbers)).ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return value;
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_KeyboardInterrupt)) throw;
    interrupted_here() = true;
    return std::nan("");
  }
}

/// What a name in an argument of a Python function stands for.
Expr symbol_named(const Model& model, std::string_view name, const Place& place) {
  for (const Model::CoordinateData& q : model.coordinates())
    if (q.name == name) return q.symbol;
  for (const Model::VelocityData& v : model.velocities())
    if (v.name == name) return v.symbol;
  for (const Model::ParameterData& p : model.parameters())
    if (p.name == name) return p.symbol;
  fail("a function takes coordinates, velocities, parameters and t: '" + std::string(name) +
           "' is none of them",
       place);
}

/// The value of a Python function of these expressions is a force on a coordinate.
void add_function_force(ReadModel& read, const std::string& coordinate, const std::string& name,
                        const std::vector<std::string>& arguments, nb::callable f, bool nonideal) {
  Model& model = read.file.model;
  const auto value = [called = kept(std::move(f))](std::span<const double> at) {
    const nb::gil_scoped_acquire gil;
    nb::list numbers;
    for (const double x : at) numbers.append(x);
    return call(*called, nb::tuple(numbers));
  };
  const int count = static_cast<int>(arguments.size());
  const Function function =
      model.function({.name = name, .arguments = count, .value = value, .gradient = nullptr});
  const NameResolver resolve = [&model](std::string_view word, const Place& place) {
    return word == "t" ? model.time() : symbol_named(model, word, place);
  };
  std::vector<Expr> of;
  for (const std::string& text : arguments) of.push_back(parse(*model.time().graph(), text, resolve));
  const Coordinate on = model.find_coordinate(coordinate);
  if (nonideal)
    model.nonideal(on, function.of(of));
  else
    model.force(on, function.of(of));
}

/// M, Q, A, b, C as texts: entries (row, column, text) of the matrices.
nb::dict equations_of(const ReadModel& read) {
  const SymbolicEquations e = symbolic_equations(read.file.model);
  const auto entries = [](const std::vector<SymbolicEquations::Entry>& list) {
    nb::list all;
    for (const auto& entry : list) all.append(nb::make_tuple(entry.row, entry.column, to_text(entry.value)));
    return all;
  };
  const auto texts = [](const std::vector<Expr>& list) {
    std::vector<std::string> all;
    for (const Expr& one : list) all.push_back(to_text(one));
    return all;
  };
  nb::dict all;
  all["velocities"] = e.velocities;
  all["rows"] = e.rows;
  all["M"] = entries(e.M);
  all["Q"] = texts(e.Q);
  all["A"] = entries(e.A);
  all["b"] = texts(e.b);
  all["C"] = texts(e.C);
  return all;
}

std::string derived(const ReadModel& read, const std::string& word, const std::string& title,
                    bool standalone) {
  const std::optional<DeriveFormat> format = format_named(word);
  if (!format) fail("format '" + word + "': formats are text, latex and c");
  if (*format == DeriveFormat::latex && !standalone) return derive_latex(read.file.model, title, false);
  return derivation(*format, read.file.model, title).text;
}

std::pair<std::optional<std::string>, std::vector<Told>> expanded(const std::string& text,
                                                                  const std::string& path,
                                                                  const Overrides& overrides, bool includes) {
  ExpandResult found = expand_model(text, path, overrides, includes ? files_beside(path) : IncludeFiles());
  return {std::move(found.text), told_of(found.faults)};
}

std::tuple<std::optional<std::string>, std::vector<Told>, std::vector<Told>> imported(const std::string& text,
                                                                                      const std::string& path,
                                                                                      bool floating) {
  ImportResult found = import_robot(text, path, {.floating = floating});
  if (!found.robot) return {std::nullopt, told_of(found.faults), {}};
  return {found.robot->toml, {}, told_of(found.robot->remarks)};
}

}  // namespace

void bind_models(nb::module_& m) {
  nb::class_<ReadModel>(m, "ReadModel")
      .def_prop_ro("title", [](const ReadModel& r) { return r.file.title; })
      .def_prop_ro("description", [](const ReadModel& r) { return r.file.description; })
      .def_prop_ro("path", [](const ReadModel& r) { return r.file.path; })
      .def_prop_ro("warnings", [](const ReadModel& r) { return r.file.warnings; })
      .def_prop_ro("settings", [](const ReadModel& r) { return settings_of(r.file.simulate); })
      .def_prop_ro("parameters", parameters_of)
      .def_prop_ro("parameter_names", [](const ReadModel& r) { return r.file.model.parameter_names(); })
      .def_prop_ro("equations", equations_of)
      .def("add_function_force", add_function_force)
      .def("derive", derived);
  m.def("read", read);
  m.def("expand", expanded);
  m.def("import_robot", imported);
  m.def("is_robot_file", is_robot_file);
  m.def("schema", [] { return model_schema(); });
  m.def("is_reserved_word", [](const std::string& word) { return is_reserved_word(word); });
}

}  // namespace vinculum::python
