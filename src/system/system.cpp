#include "vinculum/system/system.hpp"

#include <algorithm>
#include <cmath>

#include "equation/sparse/fast.hpp"
#include "system/modes/friction.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

System::System(const Model& model, std::span<const std::string> living) {
  if (has_joint_starts(model)) {
    *this = System(at_joint_starts(model), living);
    return;
  }
  impl_ = std::make_shared<Impl>(model, living);
  values_ = std::make_shared<Values>(*impl_, model.stated().numbers());
}
System::System(std::shared_ptr<const Impl> impl, std::shared_ptr<const Values> values)
    : impl_(std::move(impl)), values_(std::move(values)) {}
System::~System() = default;

const Parameters& System::parameters() const { return values_->parameters; }

System System::with(const Parameters& parameters) const {
  const std::span<const double> now = values_->parameters.values(), next = parameters.values();
  if (!parameters.is_like(impl_->living)) fail("the parameters are those of another system");
  std::vector<double> numbers = values_->numbers;
  for (std::size_t k = 0; k < next.size(); ++k) {
    const std::string& name = parameters.names()[k];
    if (!std::isfinite(next[k]))
      fail("parameter '" + name + "' is " + number_text(next[k]) + "; it must be a finite number");
    if (!impl_->fixed[k].empty() && next[k] != now[k])
      fail("parameter '" + name + "' " + impl_->fixed[k] + ": it was compiled as " + number_text(now[k]) +
           ", and another value asks for another system");
    numbers[impl_->place_of_living[k]] = next[k];
  }
  return {impl_, std::make_shared<Values>(*impl_, std::move(numbers))};
}

const std::vector<std::string>& System::coordinate_names() const { return impl_->coordinate_names; }
const std::vector<std::string>& System::velocity_names() const { return impl_->velocity_names; }
const std::vector<std::string>& System::row_names() const { return impl_->row_names; }
const std::vector<ConstraintInfo>& System::constraints() const { return impl_->constraints; }
const std::vector<FrictionPair>& System::frictions() const { return values_->frictions; }
Mechanics System::mechanics() const { return impl_->model.mechanics(); }
std::string System::why_interpreted() const { return vinculum::why_interpreted(); }
int System::constraint_of_row(int row) const { return impl_->constraint_of_row.at(row); }
int System::order_of_row(int row) const { return impl_->order_of_row.at(row); }
const std::vector<std::string>& System::output_names() const { return impl_->output_names; }
const std::vector<EventInfo>& System::events() const { return impl_->events; }
const std::vector<Rotation>& System::rotations() const { return impl_->rotations; }
const std::vector<int>& System::joint_angles() const { return impl_->angles; }
int System::velocity_of_coordinate(int coordinate) const { return impl_->plain_rate.at(coordinate); }
const State& System::start() const { return values_->start; }
const SparseMatrix& System::rows_pattern() const { return impl_->pattern.A; }
const Structure& System::structure() const { return *impl_->structure; }
bool System::mass_constant() const { return impl_->mass_constant; }
int System::group_count() const { return impl_->equations.group_count(); }
int System::instruction_count() const { return impl_->equations.instruction_count(); }

const RankWatch& System::Impl::rank_watch() const {
  std::call_once(rank_once_, [this] { rank_watch_ = std::make_unique<RankWatch>(pattern.A); });
  return *rank_watch_;
}

const Tangent& System::Impl::tangent() const {
  std::call_once(tangent_once_, [this] {
    std::vector<Statement> statements = statements_of(model);
    const bool written_out =
        std::any_of(frictions.begin(), frictions.end(), [](const FrictionPair& c) { return !c.law.empty(); });
    if (written_out) take_rubbing(model, statements);
    tangent_ = std::make_unique<Tangent>(model, pattern, statements);
  });
  return *tangent_;
}

const SeriesKernels& System::Impl::series_kernels() const {
  std::call_once(series_once_, [this] { series_kernels_ = std::make_unique<SeriesKernels>(*this); });
  return *series_kernels_;
}

std::shared_ptr<const SeriesPrograms> System::Impl::series(int order) const {
  const std::lock_guard<std::mutex> guard(series_lock_);
  std::shared_ptr<const SeriesPrograms>& programs = series_[order];
  if (!programs) programs = std::make_shared<const SeriesPrograms>(*this, order);
  return programs;
}

const std::optional<SeriesWork>& System::Impl::small_series_work() const {
  std::call_once(series_work_once_, [this] { series_work_ = SmallSeriesProgram::work(*this); });
  return series_work_;
}

std::shared_ptr<const SmallSeriesProgram> System::Impl::small_series(int order) const {
  const std::lock_guard<std::mutex> guard(series_lock_);
  std::shared_ptr<const SmallSeriesProgram>& program = small_series_[order];
  if (!program) program = std::make_shared<const SmallSeriesProgram>(*this, order);
  return program;
}

Workspace::Impl::Impl(const System& system)
    : owner(&system.impl()),
      serial(system.values().serial),
      equations(system.values().pattern),
      solve(system.structure(), system.mass_constant()),
      scratch(system.impl().equations, system.values().numbers),
      residual_scratch(system.impl().residuals, system.values().numbers),
      size_scratch(system.impl().sizes, system.values().numbers),
      rate_scratch(system.impl().rates, system.values().numbers),
      nonideal_scratch(system.impl().nonideal, system.values().numbers),
      energy_scratch(system.impl().energy, system.values().numbers),
      power_scratch(system.impl().powers, system.values().numbers),
      output_scratch(system.impl().outputs, system.values().numbers),
      event_scratch(system.impl().event_kernels, system.values().numbers, States::both),
      switch_scratch(system.impl().switches, system.values().numbers, States::both),
      closed_scratch(system.impl().closed, system.values().numbers),
      position_scratch(system.impl().closed_position.scratch(system.values().numbers)),
      velocity_scratch(system.impl().closed_velocity.scratch(system.values().numbers)),
      phi_scratch(system.impl().phi, system.values().numbers),
      angle_scratch(system.impl().angle_kernels, system.values().numbers),
      angle_parts(2 * system.impl().angles.size()),
      changed(system.values().pattern) {
  const System::Impl& s = system.impl();
  if (s.drive) drive = std::make_unique<DriveScratch>(*s.drive, s.mass_constant, system.values().numbers);
  right.resize(s.row_names.size());
  residual_row.resize(s.row_names.size());
  residual.position.reserve(s.row_names.size());
  residual.velocity.reserve(s.row_names.size());
  correction.resize(s.velocity_names.size());
  if (!s.frictions.empty()) friction = std::make_unique<Friction>(system, found.frictions);
  if (!s.sliding.empty()) sliding = std::make_unique<SwitchLaw>(system, found.switches);
}

void Workspace::Impl::bind(const System& system) {
  const System::Impl& s = system.impl();
  if (owner != &s) fail("the workspace was made for another system; make one for each");
  const std::vector<double>& numbers = system.values().numbers;
  serial = system.values().serial;
  equations = changed = system.values().pattern;
  solve.impl().forget_masses();
  leave_out_rows({}, *this);
  const std::pair<ElementKernels::Scratch*, const ElementKernels*> elements[] = {
      {&scratch, &s.equations},
      {&residual_scratch, &s.residuals},
      {&size_scratch, &s.sizes},
      {&rate_scratch, &s.rates},
      {&nonideal_scratch, &s.nonideal},
      {&energy_scratch, &s.energy},
      {&power_scratch, &s.powers},
      {&output_scratch, &s.outputs},
      {&event_scratch, &s.event_kernels},
      {&switch_scratch, &s.switches},
      {&phi_scratch, &s.phi},
      {&angle_scratch, &s.angle_kernels}};
  for (const auto& [registers, kernels] : elements) registers->bind(*kernels, numbers);
  closed_scratch.bind(numbers);
  position_scratch.bind(numbers);
  velocity_scratch.bind(numbers);
  if (drive) *drive = DriveScratch(*s.drive, s.mass_constant, numbers);
  if (friction) friction = std::make_unique<Friction>(system, found.frictions);
  if (sliding) sliding = std::make_unique<SwitchLaw>(system, found.switches);
}
Workspace::Impl::~Impl() = default;

Workspace take_workspace(const System& system) {
  const System::Impl& s = system.impl();
  std::unique_lock<std::mutex> guard(s.shelf_lock);
  if (s.shelf.empty()) {
    guard.unlock();
    return Workspace(system);
  }
  Workspace work = std::move(s.shelf.back());
  s.shelf.pop_back();
  guard.unlock();
  work.impl().bind(system);
  return work;
}

void leave_workspace(const System& system, Workspace&& work) {
  constexpr std::size_t most_kept = 16, small = 64;  // as many motions at a time; velocities and rows
  const System::Impl& s = system.impl();
  const Workspace::Impl& w = work.impl();
  if (s.velocity_names.size() + s.row_names.size() > small || w.friction || w.sliding || w.drive) return;
  const std::lock_guard<std::mutex> guard(s.shelf_lock);
  if (s.shelf.size() < most_kept) s.shelf.push_back(std::move(work));
}

Workspace::Workspace(const System& system) : impl_(std::make_unique<Impl>(system)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

}  // namespace vinculum
