// The insides of System and Workspace.
#pragma once
#include "system/closed_form.hpp"
#include "system/elements.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

struct System::Impl {
  explicit Impl(const Model& model);

  std::vector<std::string> coordinate_names, velocity_names, row_names;
  std::vector<ConstraintInfo> constraints;
  std::vector<int> constraint_of_row;
  State start;
  Equations pattern;  // patterns of M and A, and all numbers that do not depend on the state
  std::unique_ptr<Structure> structure;
  bool mass_constant = true, has_nonideal = false;
  ElementKernels equations, residuals, rates;
  ClosedForm closed;                                         // small systems only
  std::vector<double> constant_position, constant_velocity;  // residual rows that are numbers
  std::vector<int> plain_rate;  // for each coordinate the velocity that is its rate, or -1
  std::vector<double> constant_rate;

 private:
  void name_things(const Model& model);
  void check_masses(const Model& model, const std::vector<LoweredGroup>& lowered) const;
  void lay_out(const Model& model, const std::vector<LoweredGroup>& lowered);
};

struct Workspace::Impl {
  explicit Impl(const System& system);
  const System::Impl* owner;  // the system it was made for
  Equations equations;
  SolveWorkspace solve;
  ElementKernels::Scratch scratch, residual_scratch, rate_scratch;
  ClosedForm::Scratch closed_scratch;
};

}  // namespace vinculum
