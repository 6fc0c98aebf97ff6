// The rules of a whole model, by what they are about. Each adds the breaches it finds.
#pragma once
#include <vector>

#include "vinculum/lower/validate.hpp"

namespace vinculum {

void judge_vakonomic(const Model& model, std::vector<Breach>& out);
void judge_masses(const Model& model, std::vector<Breach>& out);
void judge_programmes(const Model& model, std::vector<Breach>& out);

}  // namespace vinculum
