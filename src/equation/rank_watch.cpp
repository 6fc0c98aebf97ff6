#include "vinculum/equation/rank_watch.hpp"

#include <algorithm>
#include <cmath>

#include "equation/schur.hpp"

namespace vinculum {
namespace {

/// A row is dependent where its part is below this: the square of the relative singular value 1e-6, which a
/// matrix A M^-1 A^T can still tell from rounding.
constexpr double dependent = row_tolerance;
/// The dense look takes the third power of this.
constexpr int most_rows = 1000;

SparseMatrix diagonal_pattern(int size) {
  const std::vector<double> ones(size, 1.0);
  return SparseMatrix::diagonal(ones);
}

}  // namespace

struct RankWatch::Impl {
  explicit Impl(const SparseMatrix& a) : structure(diagonal_pattern(a.columns), a, false) {
    if (structure.method == Method::kkt || a.rows == 0) return;
    factor = structure.ldl.make_factor();
    y.resize(structure.y_size);
    largest.assign(a.rows, 0.0);
    parts.assign(a.rows, 1.0);
  }
  Structure::Impl structure;
  SparseLdl::Factor factor;
  std::vector<double> y;        // A^T, each entry times the weight of its coordinate
  std::vector<double> largest;  // diagonal of S, over all looks: what a row's part is measured by
  std::vector<double> parts, u;
  std::vector<char> left_out;
  std::vector<double> reference;         // `largest`; infinite for rows that are left out
  std::vector<double> entries, product;  // S as it was before elimination, where rows are left out
  int rank = 0;

  /// S into memory laid out as that of its factor.
  void fill(const SparseMatrix& A, std::span<const double> weight, std::vector<double>& value) {
    fill_y(structure, weight.data(), A.value.data(), y.data());
    assemble(structure.blocks, A.value.data(), y.data(), value.data());
  }
  /// S x into `product`.
  void multiply(const std::vector<double>& x) {
    const auto& s = structure.schur;  // its lower triangle, by columns
    product.assign(x.size(), 0.0);
    for (int j = 0; j < static_cast<int>(x.size()); ++j)
      for (int k = s.start[j]; k < s.start[j + 1]; ++k) {
        product[s.row[k]] += entries[k] * x[j];
        if (s.row[k] != j) product[j] += entries[k] * x[s.row[k]];
      }
  }
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
  const Structure::Impl& s = w.structure;
  s.ldl.make_room(w.factor);
  w.fill(A, weight, w.factor.value);
  if (!w.left_out.empty()) {
    w.entries.clear();
    for (const int slot : s.ldl.slots()) w.entries.push_back(w.factor.value[slot]);
  }
  for (int j = 0; j < A.rows; ++j)
    w.largest[j] = std::max(w.largest[j], w.factor.value[s.blocks.diagonal[j]]);
  w.reference = w.largest;
  for (std::size_t r = 0; r < w.left_out.size(); ++r)
    if (w.left_out[r]) w.reference[r] = INFINITY;
  s.ldl.factorize(w.factor, w.reference, dependent);
  w.rank = A.rows - w.factor.dropped;
  for (int r = 0; r < A.rows; ++r)
    w.parts[r] = w.largest[r] > 0 ? std::max(0.0, s.ldl.pivot(w.factor, r)) / w.largest[r] : 0.0;
}

/// Cholesky's elimination of S, rows scaled to length 1, the largest pivot first: what is left where no pivot
/// is left depends on what was taken.
std::vector<char> RankWatch::dependent_rows(const SparseMatrix& A, std::span<const double> weight,
                                            double tolerance) {
  Impl& w = *impl_;
  const int m = A.rows;
  if (!possible() || m == 0 || m > most_rows) return {};
  std::vector<double> value(w.factor.value.size());
  w.fill(A, weight, value);
  std::vector<double> s(static_cast<std::size_t>(m) * m, 0.0), scale(m, 0.0);
  for (int j = 0; j < m; ++j)
    for (int k = w.structure.schur.start[j]; k < w.structure.schur.start[j + 1]; ++k)
      s[static_cast<std::size_t>(w.structure.schur.row[k]) * m + j] =
          s[static_cast<std::size_t>(j) * m + w.structure.schur.row[k]] = value[w.structure.ldl.slots()[k]];
  for (int j = 0; j < m; ++j) {
    const double d = s[static_cast<std::size_t>(j) * m + j];
    scale[j] = d > 0 ? 1 / std::sqrt(d) : 0.0;
  }
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) s[static_cast<std::size_t>(i) * m + j] *= scale[i] * scale[j];
  std::vector<char> left(m, 1);
  std::vector<int> beside;
  for (int taken = 0; taken < m; ++taken) {
    int best = -1;
    for (int r = 0; r < m; ++r)
      if (left[r] &&
          (best < 0 || s[static_cast<std::size_t>(r) * m + r] > s[static_cast<std::size_t>(best) * m + best]))
        best = r;
    const double* const row = s.data() + static_cast<std::size_t>(best) * m;
    if (!(row[best] > tolerance)) break;
    left[best] = 0;
    beside.clear();  // rows in one loop of a mechanism meet, others never do; loops stand side by side
    for (int i = 0; i < m; ++i)
      if (left[i] && row[i] != 0.0) beside.push_back(i);
    for (const int i : beside) {
      const double part = row[i] / row[best];
      double* const other = s.data() + static_cast<std::size_t>(i) * m;
      for (int j = beside.front(); j <= beside.back(); ++j) other[j] -= part * row[j];
    }
  }
  return std::find(left.begin(), left.end(), 1) == left.end() ? std::vector<char>() : left;
}

void RankWatch::leave_out(const std::vector<char>& rows) { impl_->left_out = rows; }

/// One combination of them all tells: its part beyond the others is zero only where all of theirs are, but
/// for a coincidence.
bool RankWatch::left_out_depend() {
  Impl& w = *impl_;
  std::vector<double> z(w.left_out.size(), 0.0);
  for (std::size_t r = 0; r < z.size(); ++r)
    if (w.left_out[r] && w.largest[r] > 0)
      z[r] = (0.5 + std::fmod(0.618034 * static_cast<double>(r + 1), 1.0)) / std::sqrt(w.largest[r]);
  w.multiply(z);
  double whole = 0, along = 0;
  for (std::size_t r = 0; r < z.size(); ++r) whole += z[r] * w.product[r];
  const std::vector<double> of_others = w.product;
  w.structure.ldl.solve(w.factor, w.product);  // dropped rows have no part in it
  for (std::size_t r = 0; r < z.size(); ++r)
    if (!w.left_out[r]) along += of_others[r] * w.product[r];
  return whole - along <= 1e-9 * whole;
}

void RankWatch::part_of(const SparseMatrix& A, std::span<const double> weight, int row,
                        std::vector<double>& out) {
  impl_->structure.ldl.null_vector(impl_->factor, row, impl_->u);
  out.assign(A.columns, 0.0);
  for (int r = 0; r < A.rows; ++r) {
    const double u = impl_->u[r];
    if (u == 0.0) continue;  // most have no part in it
    for (int k = A.start[r]; k < A.start[r + 1]; ++k) out[A.column[k]] += A.value[k] * u;
  }
  for (int i = 0; i < A.columns; ++i)
    if (out[i] != 0.0) out[i] *= std::sqrt(weight[i]);
}

std::vector<double> RankWatch::null_vector(int row) {
  Impl& w = *impl_;
  if (w.left_out.empty() || !w.left_out[row]) return w.structure.ldl.null_vector(w.factor, row);
  // The row less what the others make of it.
  std::vector<double> u(w.left_out.size(), 0.0);
  u[row] = 1.0;
  w.multiply(u);
  w.structure.ldl.solve(w.factor, w.product);
  for (std::size_t r = 0; r < u.size(); ++r)
    if (!w.left_out[r]) u[r] = -w.product[r];
  return u;
}

std::vector<int> RankWatch::involved(int row) {
  const std::vector<double> u = null_vector(row);
  std::vector<double> size(u.size());
  for (std::size_t r = 0; r < u.size(); ++r) size[r] = std::fabs(u[r]) * std::sqrt(impl_->largest[r]);
  const double most = *std::max_element(size.begin(), size.end());
  std::vector<int> rows;
  for (std::size_t r = 0; r < u.size(); ++r)
    if (size[r] > 1e-6 * most) rows.push_back(static_cast<int>(r));
  return rows;
}

}  // namespace vinculum
