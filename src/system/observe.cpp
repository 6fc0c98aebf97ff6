#include "vinculum/system/observe.hpp"

#include <algorithm>

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

struct EnergyNumbers {
  double energy, power, power_explicit;
};

EnergyNumbers evaluate_energy(const System& system, double t, std::span<const double> q,
                              std::span<const double> v, Workspace& work) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, q, v);
  EnergyNumbers n{s.constant_energy, s.constant_power, s.constant_power_explicit};
  Numbers to{};
  to[static_cast<int>(Where::energy)] = &n.energy;
  to[static_cast<int>(Where::power)] = &n.power;
  to[static_cast<int>(Where::power_explicit)] = &n.power_explicit;
  s.energy.evaluate({{&t, q.data(), v.data()}}, to, w.energy_scratch);
  return n;
}

}  // namespace

double energy(const System& system, const State& state, Workspace& work) {
  return evaluate_energy(system, state.t, state.q, state.v, work).energy;
}

Powers powers(const System& system, double t, std::span<const double> q, std::span<const double> v,
              Workspace& work) {
  const EnergyNumbers n = evaluate_energy(system, t, q, v, work);
  return {n.power, n.power_explicit};
}

MayWork may_work(const System& system) {
  const System::Impl& s = system.impl();
  MayWork m;
  m.impressed = s.energy.touches(Where::power) || s.constant_power != 0;
  m.explicit_time = s.energy.touches(Where::power_explicit) || s.constant_power_explicit != 0;
  m.nonideal = s.has_nonideal;
  m.constraint = s.rows_may_work;
  m.control = s.programmes_may_work;
  return m;
}

void observe(const System& system, const State& state, std::span<const double> acceleration,
             std::span<const double> multipliers, Workspace& work, std::span<double> outputs,
             std::span<double> events) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, state.q, state.v);
  std::copy(s.constant_output.begin(), s.constant_output.end(), outputs.begin());
  std::copy(s.constant_event.begin(), s.constant_event.end(), events.begin());
  Numbers to{};
  to[static_cast<int>(Where::output)] = outputs.data();
  to[static_cast<int>(Where::event)] = events.data();
  s.observe.evaluate({{&state.t, state.q.data(), state.v.data(), acceleration.data(), multipliers.data()}},
                     to, w.observe_scratch);
}

bool needs_multipliers(const System& system) { return system.impl().watches_multipliers; }

const std::vector<std::string>& switches(const System& system) { return system.impl().switch_texts; }
bool switches_need_multipliers(const System& system) { return system.impl().switches_by_multipliers; }

void switch_values(const System& system, const State& state, std::span<const double> multipliers,
                   Workspace& work, std::span<double> values) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, state.q, state.v);
  Numbers to{};
  to[static_cast<int>(Where::switching)] = values.data();
  s.switches.evaluate({{&state.t, state.q.data(), state.v.data(), nullptr, multipliers.data()}}, to,
                      w.switch_scratch);
}

}  // namespace vinculum
