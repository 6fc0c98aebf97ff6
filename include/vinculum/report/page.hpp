// The report: one self-contained page that opens from disk without a network.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/compare.hpp"
#include "vinculum/report/record.hpp"
#include "vinculum/report/view.hpp"

namespace vinculum {

/// Title and model, equations, replay, linked plots, residuals, certificate, settings; all data inside.
/// Long runs are thinned for drawing; the numbers in tables are those of the run itself. With a comparison
/// the curves of both principles stand in a plot of their own.
VINCULUM_EXPORT std::string page(const Model& model, const System& system, const View& view,
                                 const Trajectory& motion, const RunRecord& record,
                                 const Comparison* comparison = nullptr);

}  // namespace vinculum
