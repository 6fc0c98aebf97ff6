#include "vinculum/system/system.hpp"

#include <algorithm>

#include "system/friction.hpp"
#include "system/sliding.hpp"
#include "system/system_impl.hpp"

namespace vinculum {

System::System(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
System::~System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;

const std::vector<std::string>& System::coordinate_names() const { return impl_->coordinate_names; }
const std::vector<std::string>& System::velocity_names() const { return impl_->velocity_names; }
const std::vector<std::string>& System::row_names() const { return impl_->row_names; }
const std::vector<ConstraintInfo>& System::constraints() const { return impl_->constraints; }
const std::vector<ContactInfo>& System::contacts() const { return impl_->contacts; }
Mechanics System::mechanics() const { return impl_->model.mechanics(); }
int System::constraint_of_row(int row) const { return impl_->constraint_of_row.at(row); }
int System::order_of_row(int row) const { return impl_->order_of_row.at(row); }
const std::vector<std::string>& System::output_names() const { return impl_->output_names; }
const std::vector<EventInfo>& System::events() const { return impl_->events; }
const std::vector<Rotation>& System::rotations() const { return impl_->rotations; }
int System::velocity_of_coordinate(int coordinate) const { return impl_->plain_rate.at(coordinate); }
const State& System::start() const { return impl_->start; }
const SparseMatrix& System::rows_pattern() const { return impl_->pattern.A; }
const Structure& System::structure() const { return *impl_->structure; }
bool System::mass_constant() const { return impl_->mass_constant; }
int System::group_count() const { return impl_->equations.group_count(); }
int System::instruction_count() const { return impl_->equations.instruction_count(); }

std::mutex& compiling() {
  static std::mutex one;
  return one;
}

const Tangent& System::Impl::tangent() const {
  std::call_once(tangent_once_, [this] {
    const std::lock_guard lock(compiling());
    std::vector<Statement> statements = statements_of(model);
    const bool written_out =
        std::any_of(contacts.begin(), contacts.end(), [](const ContactInfo& c) { return !c.law.empty(); });
    if (written_out) take_rubbing(model, statements);
    tangent_ = std::make_unique<Tangent>(model, pattern, statements);
  });
  return *tangent_;
}

Workspace::Impl::Impl(const System& system)
    : owner(&system.impl()),
      equations(system.impl().pattern),
      solve(system.structure(), system.mass_constant()),
      scratch(system.impl().equations),
      residual_scratch(system.impl().residuals),
      size_scratch(system.impl().sizes),
      rate_scratch(system.impl().rates),
      nonideal_scratch(system.impl().nonideal),
      energy_scratch(system.impl().energy),
      output_scratch(system.impl().outputs),
      event_scratch(system.impl().event_kernels),
      switch_scratch(system.impl().switches),
      closed_scratch(system.impl().closed),
      position_scratch(system.impl().closed_position),
      velocity_scratch(system.impl().closed_velocity),
      phi_scratch(system.impl().phi),
      angle_scratch(system.impl().angle_kernels),
      angle_parts(2 * system.impl().angles.size()),
      changed(system.impl().pattern) {
  const System::Impl& s = system.impl();
  if (s.drive) drive = std::make_unique<DriveScratch>(*s.drive, s.mass_constant);
  at.q.resize(s.coordinate_names.size());
  at.v.resize(s.velocity_names.size());
  right.resize(s.row_names.size());
  residual_row.resize(s.row_names.size());
  correction.resize(s.velocity_names.size());
  if (!s.contacts.empty()) friction = std::make_unique<Friction>(system);
  if (!s.sliding.empty()) sliding = std::make_unique<Sliding>(system);
}
Workspace::Impl::~Impl() = default;

Workspace::Workspace(const System& system) : impl_(std::make_unique<Impl>(system)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
const Equations& Workspace::equations() const { return impl_->equations; }

}  // namespace vinculum
