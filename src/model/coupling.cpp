// Gears and racks: an equation between the coordinates of two joints.
#include "vinculum/base/error.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

void require_two_joints(std::string_view first, std::string_view second, const std::string& what,
                        std::string_view type) {
  if (first == second)
    fail(what + " couples '" + std::string(first) + "' with itself, which would hold it fast; a " +
         std::string(type) + " is between two joints");
}

void require_factor(double factor, const std::string& what) {
  if (factor == 0.0) fail(what + " is 0, which would hold one joint fast and leave the other free");
}

void require_rack(bool first_slides, bool second_slides, const std::string& what) {
  if (first_slides == second_slides) fail(what + " couples a prismatic joint and one that turns");
}

namespace {

/// How far a joint has gone since the start.
Expr coupled(Model& model, std::string_view joint, bool slides) {
  if (slides) return model.joint_distance(joint);
  const Expr angle = model.joint_angle(joint);
  return angle - model.stated().coordinates[model.stated().role(angle).index].start_from;
}

}  // namespace

void Model::gear(std::string_view name, std::string_view first, std::string_view second, const Expr& ratio) {
  const std::string what = "joint '" + std::string(name) + "'", of = "the ratio of " + what;
  require_two_joints(first, second, what, "gear");
  stated_->demand({ratio}, {of}, [of](std::span<const double> n) { require_factor(n[0], of); });
  const Expr driven = coupled(*this, first, false);
  constrain(name, driven, ratio * coupled(*this, second, false));
}

void Model::rack(std::string_view name, std::string_view first, std::string_view second, const Expr& radius) {
  const std::string what = "joint '" + std::string(name) + "'", of = "the radius of " + what;
  require_two_joints(first, second, what, "rack");
  stated_->demand({radius}, {of}, [of](std::span<const double> n) { require_factor(n[0], of); });
  const auto slides = [&](std::string_view joint) {
    return stated_->find_joint(joint).options.type == JointType::prismatic;
  };
  const bool is_first = slides(first);
  require_rack(is_first, slides(second), what);
  const Expr driven = coupled(*this, is_first ? first : second, true);
  constrain(name, driven, radius * coupled(*this, is_first ? second : first, false));
}

}  // namespace vinculum
