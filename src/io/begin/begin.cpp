// Where a motion begins: on its constraints, as the model and its user say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/begin/mend.hpp"
#include "io/begin/starts.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/beginning.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

AssembleOptions repair_of(const SimulateSettings& s, std::vector<std::string> fixed) {
  AssembleOptions repair;
  repair.time = std::fabs(s.until.value_or(s.from) - s.from);
  repair.closure = s.closure;
  repair.fixed = std::move(fixed);
  return repair;
}

Assembly mended(const System& system, const State& start, const AssembleOptions& repair) {
  Assembly assembly = assemble(system, start, repair);
  require_held(assembly, repair);
  return assembly;
}

void require_held(const Assembly& assembly, const AssembleOptions& repair) {
  if (!assembly.repaired && !repair.fixed.empty())
    fail("no consistent start has " + list_text(repair.fixed) +
         " as said: " + assembly.text.substr(0, assembly.text.find(';')));
}

namespace {

/// The start moved onto its constraints by the smallest change, joints to where they say. What cannot be
/// mended is left for the motion to tell.
void mend(Beginning& made, const AssembleOptions& repair) {
  Assembly assembly;
  if (has_joint_starts(made.file.model)) {
    StartInJoints found = assemble_in_joints(made.file.model, made.system, made.start.t, repair);
    assembly = std::move(found.assembly);
    if (found.held) {
      made.file.model = std::move(found.held->model);
      made.system = std::move(found.held->system);
      made.start = assembly.state;
    }
    require_held(assembly, repair);
  } else {
    assembly = mended(made.system, made.start, repair);
  }
  if (!assembly.repaired) return;
  made.start = assembly.state;
  const bool by_detour = assembly.by_detour && has_joint_starts(made.file.model);
  if (assembly.consistent || (assembly.changes.empty() && !by_detour)) return;
  std::vector<std::string> changes;
  for (const Change& c : assembly.changes)
    changes.push_back(fmt::format("'{}' by {}", c.name, number_text(c.by, 3)));
  std::string note = "the start was moved onto its constraints: " + list_text(changes);
  if (by_detour)
    note += "; no way led there from where it is drawn, a part at a time: loops may be on another branch";
  made.notes.push_back(note);
}

}  // namespace

std::vector<std::string> parameters_among(const Model& model, std::span<const std::string> names) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (std::ranges::find(model.stated().parameters, name, &Model::ParameterData::name) !=
            model.stated().parameters.end() &&
        std::ranges::find(found, name) == found.end())
      found.push_back(name);
  return found;
}

Beginning begin(ModelFile file, const BeginOptions& options) {
  std::vector<std::string> fixed;
  if (!options.starts.empty()) fixed = take_starts(options.starts, file.model);
  const AssembleOptions repair = repair_of(file.simulate, std::move(fixed));
  System system(file.model, options.living);
  State start = system.start();
  start.t = file.simulate.from;
  Beginning made{std::move(file), std::move(system), std::move(start)};
  if (options.assemble || !options.starts.empty() || has_joint_starts(made.file.model)) mend(made, repair);
  return made;
}

}  // namespace vinculum
