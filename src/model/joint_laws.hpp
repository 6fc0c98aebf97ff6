// What acts in a joint beside its equations.
#pragma once
#include "vinculum/model/model.hpp"

namespace vinculum {

/// The spring, damper, dry friction and rotor its options tell of.
void add_joint_laws(Model& model, const JointData& joint);
/// Rotors turn at the start as the joints do, wherever these start.
void start_rotors(Model& model);

}  // namespace vinculum
