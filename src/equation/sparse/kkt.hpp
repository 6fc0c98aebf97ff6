// The KKT form of the fast road: for systems in which A M^-1 A^T would be nearly full.
#pragma once
#include "equation/sparse/fast.hpp"

namespace vinculum {

/// K = [M A^T; A -shift] = L D L^T; the diagonal of M is in `reference`. False when K is not quasi-definite.
bool factorize_kkt(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w);

/// Solves M q - A^T lambda = force, A q = b by the shifted factorisation, refining both residuals:
/// the shift is a proximal term that the refinement takes away again.
bool solve_kkt(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w,
               const std::vector<double>& force, const double* b, std::vector<double>& q,
               std::vector<double>& lambda);

/// As fast_road, but for what is the same in both forms.
bool kkt_road(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w, Solution& out);

}  // namespace vinculum
