// Functions written in Python. While the text of a model is read a parameter holds the place of each number
// that one returns, and outputs hold its arguments, so that both may be whatever the grammar has; then calls
// take the places of these parameters, and nothing is left of them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "python/core.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::python {
namespace {

/// A Python object that any thread may let go.
std::shared_ptr<nb::callable> kept(nb::callable object) {
  return {new nb::callable(std::move(object)), [](nb::callable* p) {
            const nb::gil_scoped_acquire gil;
            delete p;
          }};
}

/// Calls it with numbers, and takes `count` of them back. Ctrl-C in it ends a motion, of which what is done
/// is kept: no number comes back, and no step is made with it. Elsewhere it is raised as anything else is.
std::vector<double> call(const nb::callable& f, std::span<const double> at, std::size_t count) {
  nb::list numbers;
  for (const double x : at) numbers.append(x);
  try {
    const nb::object answer = f(*nb::tuple(numbers));
    if (count == 1) {
      const double value = PyFloat_AsDouble(answer.ptr());
      if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
      return {value};
    }
    return nb::cast<std::vector<double>>(answer);
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_KeyboardInterrupt) || !hearing_here().any) throw;
    hearing_here().interrupted = true;
    return std::vector<double>(count, std::nan(""));
  }
}

/// The three numbers of a vector are asked for one after the other, at the same place: it is called once.
class Called {
 public:
  Called(nb::callable f, std::size_t count) : f_(kept(std::move(f))), count_(count) {}
  double number(std::size_t place, std::span<const double> at) {
    const nb::gil_scoped_acquire gil;  // also guards what is remembered
    if (count_ == 1) return call(*f_, at, 1)[0];
    if (place == 0 || !std::ranges::equal(at, at_)) {
      std::vector<double> found = call(*f_, at, count_);  // others may come here meanwhile
      at_.assign(at.begin(), at.end());
      found_ = std::move(found);
    }
    return found_[place];
  }

 private:
  std::shared_ptr<nb::callable> f_;
  std::size_t count_;
  std::vector<double> at_, found_;
};

/// An output that holds an argument is an output no more.
Expr take_output(StatedModel& stated, const std::string& name) {
  const auto found =
      std::ranges::find_if(stated.outputs, [&](const Model::OutputData& o) { return o.name == name; });
  if (found == stated.outputs.end()) fail("there is no argument '" + name + "'");
  const Expr value = found->value;
  stated.outputs.erase(found);
  stated.observations.erase(name);
  return value;
}

/// The same with a parameter; those behind it move up.
Expr take_parameter(StatedModel& stated, const std::string& name) {
  const auto found =
      std::ranges::find_if(stated.parameters, [&](const Model::ParameterData& p) { return p.name == name; });
  if (found == stated.parameters.end()) fail("there is no function '" + name + "'");
  const Model::ParameterData taken = *found;
  const auto behind = stated.parameters.erase(found);
  for (auto p = behind; p != stated.parameters.end(); ++p)
    stated.roles.insert_or_assign(p->symbol.id(),
                                  {Role::parameter, static_cast<int>(p - stated.parameters.begin())});
  stated.release_name(name);
  if (!taken.used_in.empty())
    fail(taken.used_in + " is made of '" + name +
         "', a function written in Python; such functions may stand in forces, outputs and events only");
  return taken.symbol;
}

/// A force is asked for before accelerations and reactions are known.
void require_known(const StatedModel& stated, const Expr& argument, const std::string& function) {
  for (const Expr& s : symbols_of({&argument, 1})) switch (stated.role(s).role) {
      case Role::coordinate:
      case Role::velocity:
      case Role::parameter:
      case Role::made:
      case Role::time:
      case Role::abbreviation:
        break;
      default:
        fail("function '" + function + "', which is written in Python, is called with '" + to_text(argument) +
             "'; its arguments are made of positions, velocities, parameters and t");
    }
}

/// Where functions may stand.
template <class Visit>
void each_open_expression(StatedModel& stated, const Visit& visit) {
  for (auto* list : {&stated.forces, &stated.nonideal_forces})
    for (Model::ForceData& f : *list) visit(f.value);
  for (JointData& joint : stated.joints)
    for (JointEffort& effort : joint.efforts) visit(effort.value);
  for (Model::OutputData& o : stated.outputs) visit(o.value);
  for (Model::EventData& e : stated.events) visit(e.value);
}

void refuse_elsewhere(const Model& model, const std::vector<Expr>& places) {
  std::vector<Expr> all = all_expressions(model);
  for (const Model::ParameterData& p : model.parameters())
    if (p.meaning) all.push_back(*p.meaning);
  for (const Expr& s : symbols_of(all))
    for (const Expr& place : places)
      if (identical(s, place))
        fail("the function '" + place.name() +
             "' is written in Python; such functions may stand in forces, outputs and events only");
}

/// One function: its name, the outputs that are its arguments, the parameters that are what it returns.
struct Stated {
  std::string name;
  std::vector<std::string> arguments, values;
  nb::callable f;
};

void replace_places(Model& model, const std::vector<Stated>& functions) {
  StatedModel& stated = model.stated();
  SymbolMap calls;
  std::vector<Expr> places;
  std::vector<std::vector<Expr>> arguments;
  for (const Stated& one : functions) {  // all of them first: one may be an argument of another
    arguments.emplace_back();
    for (const std::string& name : one.arguments) arguments.back().push_back(take_output(stated, name));
  }
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const Stated& one = functions[k];
    for (Expr& argument : arguments[k]) {
      argument = substitute(argument, calls);
      require_known(stated, argument, one.name);
    }
    const auto called = std::make_shared<Called>(one.f, one.values.size());
    for (std::size_t place = 0; place < one.values.size(); ++place) {
      const Expr symbol = take_parameter(stated, one.values[place]);
      const Function function = model.function(
          {.name = one.values[place],
           .arguments = static_cast<int>(one.arguments.size()),
           .value = [called, place](std::span<const double> at) { return called->number(place, at); },
           .gradient = nullptr});
      places.push_back(symbol);
      calls.set(symbol, function.of(arguments[k]));
    }
  }
  each_open_expression(stated, [&](Expr& e) { e = substitute(e, calls); });
  refuse_elsewhere(model, places);
}

}  // namespace

void add_functions(ReadModel& read, const std::string& shown, const nb::list& list) {
  std::vector<Stated> functions;
  for (const nb::handle one : list) {
    const auto part = nb::cast<nb::tuple>(one);
    functions.push_back({nb::cast<std::string>(part[0]), nb::cast<std::vector<std::string>>(part[1]),
                         nb::cast<std::vector<std::string>>(part[2]), nb::cast<nb::callable>(part[3])});
  }
  read.file.text = shown;
  replace_places(read.file.model, functions);
}

}  // namespace vinculum::python
