// Bushings.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <tuple>

#include "io/model/reader_templates.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// The least principal value.
double least_of(const Model& model, const Symmetric& law) {
  double n[6];
  for (int k = 0; k < 6; ++k) n[k] = model.stated().value_now(law[k], "the damping");
  Eigen::Matrix3d matrix;
  matrix << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
  const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix).eigenvalues();
  constexpr double rounding = 1e-14;
  return values[0] < -rounding * values.cwiseAbs().maxCoeff() ? values[0] : 0.0;
}

}  // namespace

void Reader::read_bushings() {
  const Entry* table = top("bushings");
  if (table == nullptr || model_.mechanics() == Mechanics::none) return;
  for (const Entry& entry : table->entries)
    if (require_name(entry, "a bushing")) read_bushing(entry);
}

void Reader::read_bushing(const Entry& entry) {
  const std::string what = "bushing '" + entry.key + "'";
  const std::size_t before = faults.size();
  if (table_of(entry, table_format("bushings").keys, what) == nullptr) return;
  std::array<Part, 2> parts;
  const bool joined = read_parts(entry, what, parts);
  BushingOptions options;
  read_frame(entry.find("frame"), what, options.frame);
  read_frame(entry.find("frame2"), what, options.frame2);
  options.point = start_numbers(entry.find("point"), "'point' of " + what);
  read_orientation(entry.find("orientation"), what, options.orientation);
  if (const Entry* point = entry.find("point2")) options.point2 = start_numbers(point, "'point2' of " + what);
  if (const Entry* turn = entry.find("orientation2")) {
    Orientation second;
    read_orientation(turn, what, second);
    options.orientation2 = second;
  }
  const auto law = [&](const char* key, Symmetric& out) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return;
    const std::string of = fmt::format("'{}' of {}", key, what);
    if (given->kind == Entry::Kind::array) {
      read_symmetric(*given, of, out);
      return;
    }
    const Value same = value(*given, {.what = of, .reach = Reach::symbols});
    if (same.is(Value::Kind::scalar)) out = {same.scalar, same.scalar, same.scalar, 0.0, 0.0, 0.0};
    if (same.is(Value::Kind::vector)) out = {same.vector.x, same.vector.y, same.vector.z, 0.0, 0.0, 0.0};
  };
  law("stiffness", options.stiffness);
  law("damping", options.damping);
  law("rotational_stiffness", options.rotational_stiffness);
  law("rotational_damping", options.rotational_damping);
  if (!joined || faults.size() > before) return;
  noting_faults(entry.key_at, [&] {
    for (const auto& [key, word, of] : {std::tuple{"damping", "along", &options.damping},
                                        {"rotational_damping", "about", &options.rotational_damping}})
      if (const double least = has_open_ ? 0.0 : least_of(model_, *of); least < 0)
        warn_of_drive(least, fmt::format("'{}' of {}, {} one of its axes,", key, what, word));
    model_.bushing(entry.key, parts[0], parts[1], options);
    const BushingData& made = model_.bushings().back();
    file_.view.links.push_back({entry.key, made.points[0], made.points[1], View::LinkKind::spring});
  });
}

}  // namespace vinculum
