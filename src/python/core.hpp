// What the parts of the Python module share: a model that was read, and a system with memory for every
// thread.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/dense.hpp"
#include "vinculum/system/state_table.hpp"

namespace vinculum::python {

namespace nb = nanobind;

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NumbersOut = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using TableOut = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Lets other threads go on while it lives. At the end of the interpreter whoever is away is waited for: a
/// thread that came back to an interpreter that is gone would end the process.
class Away {
 public:
  Away();
  ~Away();
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;
  /// Nobody is to begin anything any more.
  static bool is_closing();
  static void close();

 private:
  std::optional<nb::gil_scoped_release> released_;
};

/// Of a thread that computes a motion: Ctrl-C in a function of Python's ends it, and what is done is kept.
struct Hearing {
  bool any = false;  ///< somebody looks at what follows
  bool interrupted = false;
};
Hearing& hearing_here();

/// A new NumPy array that owns these numbers.
nb::object array_of(std::vector<double> numbers);
nb::object table_of(std::vector<double> numbers, std::size_t rows, std::size_t columns);

/// An instant, or a motion, that has no answer: becomes an exception of its own kind in Python.
struct Unsolved {
  std::string status, reason;
  std::vector<std::string> names;
  double time = 0.0;
};

/// A model as it was read, with what the caller changed of its parameters.
struct ReadModel {
  ModelFile file;
  Overrides overrides;
};

/// Things of which each thread needs one while it computes: made when all are in use, kept for the next.
template <class Thing>
class Pool {
 public:
  class Loan {
   public:
    Loan(Pool& pool, std::unique_ptr<Thing> thing) : pool_(pool), thing_(std::move(thing)) {}
    ~Loan() { pool_.take_back(std::move(thing_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Thing& operator*() const { return *thing_; }

   private:
    Pool& pool_;
    std::unique_ptr<Thing> thing_;
  };

  Loan lend(const System& system) {
    std::unique_ptr<Thing> thing;
    {
      const std::lock_guard lock(door_);
      if (!idle_.empty()) {
        thing = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!thing) thing = std::make_unique<Thing>(system);
    return {*this, std::move(thing)};
  }

 private:
  void take_back(std::unique_ptr<Thing> thing) {
    const std::lock_guard lock(door_);
    idle_.push_back(std::move(thing));
  }
  std::mutex door_;
  std::vector<std::unique_ptr<Thing>> idle_;
};

/// A system for any number of threads.
class Compiled {
 public:
  Compiled(std::shared_ptr<const ReadModel> read, const std::vector<std::string>& living)
      : read_(std::move(read)), system_(read_->file.model, living) {}
  Compiled(std::shared_ptr<const ReadModel> read, System system)
      : read_(std::move(read)), system_(std::move(system)) {}

  const ReadModel& read() const { return *read_; }
  const std::shared_ptr<const ReadModel>& shared_read() const { return read_; }
  const Model& model() const { return read_->file.model; }
  const System& system() const { return system_; }
  Pool<Workspace>::Loan workspace() const { return workspaces_.lend(system_); }
  Pool<TableWorkspace>::Loan table_workspace() const { return tables_.lend(system_); }
  /// What `[simulate]` says, with the values its parameters have here.
  SimulateSettings settings() const;
  /// The start of the model at its first time.
  State start() const;
  /// Whether rows depend on others where the constraints hold.
  bool has_dependent_rows() const;
  /// `which`: what is said before the reason.
  [[noreturn]] void fail_at(const StateView& at, const std::string& which = "") const;

 private:
  std::shared_ptr<const ReadModel> read_;
  System system_;
  mutable Pool<Workspace> workspaces_;
  mutable Pool<TableWorkspace> tables_;
  mutable std::atomic<int> dependent_rows_ = 0;  // not known yet
};

/// Puts functions of Python in the places that parameters hold for them: (name, outputs that are its
/// arguments, parameters that are its numbers, function). `shown`: the text of the model as it is told.
void add_functions(ReadModel& read, const std::string& shown, const nb::list& functions);

nb::dict settings_of(const SimulateSettings& settings);

void bind_models(nb::module_& m);
void bind_systems(nb::module_& m);
void bind_motions(nb::module_& m);
void bind_studies(nb::module_& m);

}  // namespace vinculum::python
