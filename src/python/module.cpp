// The module vinculum._core: what Python needs of the engine, as plain as it can be. What users see is
// written in Python, in python/vinculum.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "cli/commands.hpp"
#include "python/core.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/version.hpp"

namespace vinculum::python {

nb::object table_of(std::vector<double> numbers, std::size_t rows, std::size_t columns) {
  auto* owner = new std::vector<double>(std::move(numbers));
  nb::capsule keeper(owner, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double, nb::ndim<2>>(owner->data(), {rows, columns}, keeper).cast();
}

nb::object array_of(std::vector<double> numbers) {
  const std::size_t size = numbers.size();
  auto* owner = new std::vector<double>(std::move(numbers));
  nb::capsule keeper(owner, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double, nb::ndim<1>>(owner->data(), {size}, keeper).cast();
}

namespace {

std::atomic<int> away{0};
std::atomic<bool> closing{false};

}  // namespace

Away::Away() {
  if (closing) fail("the interpreter is about to end");
  ++away;
  released_.emplace();
}
Away::~Away() {
  released_.reset();
  --away;
}
bool Away::is_closing() { return closing; }
void Away::close() {
  closing = true;
  const nb::gil_scoped_release free;
  while (away > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Hearing& hearing_here() {
  thread_local Hearing hearing;
  return hearing;
}

namespace {

/// Exceptions have their classes in Python: vinculum._errors knows which belongs to what.
void set_error(const char* maker, nb::tuple arguments) {
  const nb::object error = nb::module_::import_("vinculum._errors").attr(maker)(*arguments);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

}  // namespace
}  // namespace vinculum::python

NB_MODULE(_core, m) {
  using namespace vinculum::python;
  nb::set_leak_warnings(false);  // what the interpreter does not let go at its end is not lost by us
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Unsolved& u) {
      set_error("unsolved", nb::make_tuple(u.status, u.reason, u.names, u.time));
    } catch (const vinculum::Error& e) {
      set_error("refused", nb::make_tuple(e.text(), e.place().file, e.place().line, e.place().column));
    }
  });
  m.def("execute", [](const std::vector<std::string>& arguments) {
    std::vector<const char*> argv;
    for (const std::string& one : arguments) argv.push_back(one.c_str());
    return vinculum::cli::execute(static_cast<int>(argv.size()), argv.data());
  });
  m.def("close", &Away::close);
  m.attr("version") = std::string(vinculum::version());
  bind_models(m);
  bind_systems(m);
  bind_motions(m);
  bind_studies(m);
}
