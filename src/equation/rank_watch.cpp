#include "vinculum/equation/rank_watch.hpp"

#include <algorithm>
#include <cmath>

#include "equation/schur.hpp"

namespace vinculum {
namespace {

/// A row is dependent where its part is below this: the square of the relative singular value 1e-6, which a
/// matrix A M^-1 A^T can still tell from rounding.
constexpr double dependent = row_tolerance;

SparseMatrix diagonal_pattern(int size) {
  const std::vector<double> ones(size, 1.0);
  return SparseMatrix::diagonal(ones);
}

}  // namespace

struct RankWatch::Impl {
  explicit Impl(const SparseMatrix& a) : structure(diagonal_pattern(a.columns), a) {
    if (structure.method == Method::kkt || a.rows == 0) return;
    ldl = SparseLdl(structure.schur);
    factor = ldl.make_factor();
    largest.assign(a.rows, 0.0);
    parts.assign(a.rows, 1.0);
  }
  Structure::Impl structure;
  SparseLdl ldl;
  SparseLdl::Factor factor;
  std::vector<double> largest;  // diagonal of S, over all looks: what a row's part is measured by
  std::vector<double> parts, u;
  int rank = 0;
};

RankWatch::RankWatch(const SparseMatrix& rows_pattern) : impl_(std::make_unique<Impl>(rows_pattern)) {}
RankWatch::~RankWatch() = default;
RankWatch::RankWatch(RankWatch&&) noexcept = default;
RankWatch& RankWatch::operator=(RankWatch&&) noexcept = default;

bool RankWatch::possible() const { return impl_->structure.method != Method::kkt; }
int RankWatch::rank() const { return possible() ? impl_->rank : -1; }
std::span<const double> RankWatch::parts() const { return impl_->parts; }

void RankWatch::look(const SparseMatrix& A, std::span<const double> weight) {
  Impl& w = *impl_;
  if (!possible() || A.rows == 0) return;
  const auto slot = w.ldl.slots();
  w.ldl.clear(w.factor);
  for (int j = 0; j < A.rows; ++j) {
    for (int k = w.structure.schur.start[j]; k < w.structure.schur.start[j + 1]; ++k)
      w.factor.value[slot[k]] = schur_entry<double>(w.structure, k, weight.data(), A.value.data(), nullptr);
    w.largest[j] = std::max(w.largest[j], w.factor.value[slot[w.structure.schur.start[j]]]);
  }
  w.ldl.factorize(w.factor, w.largest, dependent);
  w.rank = A.rows - w.factor.dropped;
  for (int r = 0; r < A.rows; ++r)
    w.parts[r] = w.largest[r] > 0 ? std::max(0.0, w.ldl.pivot(w.factor, r)) / w.largest[r] : 0.0;
}

void RankWatch::part_of(const SparseMatrix& A, std::span<const double> weight, int row,
                        std::vector<double>& out) {
  impl_->ldl.null_vector(impl_->factor, row, impl_->u);
  out.assign(A.columns, 0.0);
  add_transposed(A.rows, A.start.data(), A.column.data(), A.value.data(), impl_->u.data(), out.data());
  for (int i = 0; i < A.columns; ++i) out[i] *= std::sqrt(weight[i]);
}

std::vector<double> RankWatch::null_vector(int row) { return impl_->ldl.null_vector(impl_->factor, row); }

std::vector<int> RankWatch::involved(int row) {
  const std::vector<double> u = impl_->ldl.null_vector(impl_->factor, row);
  std::vector<double> size(u.size());
  for (std::size_t r = 0; r < u.size(); ++r) size[r] = std::fabs(u[r]) * std::sqrt(impl_->largest[r]);
  const double most = *std::max_element(size.begin(), size.end());
  std::vector<int> rows;
  for (std::size_t r = 0; r < u.size(); ++r)
    if (size[r] > 1e-6 * most) rows.push_back(static_cast<int>(r));
  return rows;
}

}  // namespace vinculum
