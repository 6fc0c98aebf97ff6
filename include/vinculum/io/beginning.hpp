// From a model that was read to where its motion begins.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/analysis/principles.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/run_study.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {

/// What is asked of a start beside what the model says.
struct BeginOptions {
  bool assemble = false;  ///< it is moved onto its constraints
  Named starts = {};      ///< coordinates and velocities, of joints as well, that are to have these values
  /// Parameters that the system keeps as such, and does not make numbers of.
  std::vector<std::string> living = {};
};

struct Beginning {
  ModelFile file;
  System system;
  State start;
  std::vector<std::string> notes = {};  ///< what was done to the start
};
/// What cannot be compiled, or cannot start so, is an Error.
VINCULUM_EXPORT Beginning begin(ModelFile file, const BeginOptions& options = {});

/// Parameters of the model among those names: others are no names of parameters.
VINCULUM_EXPORT std::vector<std::string> parameters_among(const Model& model,
                                                          std::span<const std::string> names);

/// A model whose parameters and starts vary: one member for each set of values, the same as if its file were
/// read with these values. One compiled system serves all where it can; a member it cannot serve (a parameter
/// that counts elements, or that makes another structure) is read and compiled by itself.
class VINCULUM_EXPORT Family {
 public:
  /// Reads the model where parameters have other values, and starts are as BeginOptions has them; what is
  /// wrong with it is an Error. Called from several threads at once.
  using Reading = std::function<ModelFile(const Overrides& values)>;
  /// What the program was told beside the file, for settings that were made from other parameters.
  using Adjust = std::function<void(SimulateSettings& settings)>;

  /// `varied` are parameters, or names of starts. One that is neither is an Error.
  Family(const ModelFile& file, BeginOptions options, std::vector<std::string> varied, Reading read,
         Adjust adjust);
  ~Family();
  Family(Family&&) noexcept;
  Family& operator=(Family&&) noexcept;

  Member member(std::span<const double> values) const;
  /// The same, read and compiled by itself: with the model as it is there, which pictures need.
  Beginning apart(std::span<const double> values) const;
  /// Whether this one of `varied` is a start, and not a parameter.
  bool is_start(std::size_t varied) const;
  /// The system of the model as it stands, for names.
  const System& system() const;
  /// Why members are read and compiled one by one; "" where they are not.
  const std::string& why_alone() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What is kept of each member of a study: these names, each once, or what there is to keep where there are
/// none (kept_unless_said). A name that neither the model as it stands has nor the first or the last member,
/// which may have elements of their own, is an Error; so is a number of samples that is said for nothing.
VINCULUM_EXPORT std::vector<std::string> kept_of_study(const Family& family, const Study& study,
                                                       const std::vector<std::string>& said,
                                                       std::optional<int> samples = std::nullopt);

}  // namespace vinculum
