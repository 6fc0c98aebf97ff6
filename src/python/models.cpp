// Models for Python: read from text, with the faults of the text, and written out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "python/core.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/schema.hpp"
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
      .def_prop_ro("text", [](const ReadModel& r) { return r.file.text; })
      .def_prop_ro("overrides", [](const ReadModel& r) { return r.overrides; })
      .def_prop_ro("warnings", [](const ReadModel& r) { return r.file.warnings; })
      .def_prop_ro("settings", [](const ReadModel& r) { return settings_of(r.file.simulate); })
      .def_prop_ro("parameters", parameters_of)
      .def_prop_ro("parameter_names", [](const ReadModel& r) { return r.file.model.parameter_names(); })
      .def_prop_ro("equations", equations_of)
      .def("add_functions", add_functions)
      .def("derive", derived);
  m.def("read", read);
  m.def("expand", expanded);
  m.def("import_robot", imported);
  m.def("is_robot_file", is_robot_file);
  m.def("schema", [] { return model_schema(); });
  m.def("is_reserved_word", [](const std::string& word) { return is_reserved_word(word); });
}

}  // namespace vinculum::python
