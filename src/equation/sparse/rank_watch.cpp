#include "vinculum/equation/rank_watch.hpp"

#include <algorithm>
#include <cmath>

#include "equation/sparse/few_rows.hpp"
#include "equation/sparse/row_choice.hpp"
#include "equation/sparse/schur.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// A row is dependent where its part is below this: the square of the relative singular value 1e-6, which a
/// matrix A M^-1 A^T can still tell from rounding.
constexpr double dependent = row_tolerance;
/// Up to so many rows the choice of rows is made densely, which takes the third power of their number.
constexpr int few_rows = 300;
/// Where dropped rows leave others better apart, so often.
constexpr int most_rounds = 8;
/// Where all parts are above this the plainest elimination leaves them twelve digits.
constexpr double far = 1e-4;
/// Weights smaller than this beside the largest of their combination are rounding.
constexpr double nothing = 1e-12;

SparseMatrix diagonal_pattern(int size) {
  const std::vector<double> ones(size, 1.0);
  return SparseMatrix::diagonal(ones);
}

}  // namespace

/// Index work on a pattern, for all who watch it.
struct RankWatch::Pattern {
  explicit Pattern(const SparseMatrix& a) : structure(diagonal_pattern(a.columns), a, false) {
    if (structure.method == Method::schur) few = FewRows(a, structure.ldl);
  }
  Structure::Impl structure;
  FewRows few;
};

struct RankWatch::Impl {
  explicit Impl(std::shared_ptr<const Pattern> shared)
      : pattern(std::move(shared)), structure(pattern->structure), few(pattern->few) {
    const int rows = structure.rows;
    if (structure.method == Method::kkt || rows == 0) return;
    largest.assign(rows, 0.0);
    parts.assign(rows, 1.0);
    squares.assign(rows, 0.0);
    u.reserve(rows);
    if (few.are_few()) {
      glance = few.make_look();
      glance_weight.reserve(structure.coordinates);
    } else {
      make_factor();
    }
  }
  /// Few rows that stay far from depending on each other never need it.
  void make_factor() {
    if (!factor.value.empty()) return;
    factor = structure.ldl.make_factor();
    y.resize(structure.y_size);
  }
  std::shared_ptr<const Pattern> pattern;
  const Structure::Impl& structure;
  const FewRows& few;
  SparseLdl::Factor factor;
  std::vector<double> y;        // A^T, each entry times the weight of its coordinate
  std::vector<double> largest;  // diagonal of S, over all looks: what a row's part is measured by
  std::vector<double> parts, squares, u;
  std::vector<char> left_out;
  FewRows::Look glance;
  std::vector<double> glance_weight;
  bool glanced = false;                  // that was the last look: there is no factor of it
  std::vector<double> reference;         // `largest`; infinite for rows that are left out
  std::vector<double> entries, product;  // S as it was before elimination, where rows are left out
  SparseLdl::Factor whole;               // S with no row left out, and its factor

  SparseLdl::Products products;
  std::vector<double> lower, upper, mine, its;
  void make_room_for_products(const SparseMatrix& A);
  void multiply_rows(const SparseMatrix& A, const SparseMatrix& B, std::span<const double> weight);

  /// Of the rows in `whole`, which is factorised without those marked.
  std::vector<Combination> combinations(const std::vector<char>& marked, double tolerance);
  std::vector<char> many_dependent_rows(const SparseMatrix& A, std::span<const double> weight,
                                        double tolerance);
  int rank = 0;

  void look(const double* a, std::span<const double> weight);
  /// Who asks for more than parts needs the factor.
  void complete() {
    if (glanced) look(glance.a.data(), glance_weight);
  }

  /// S into memory laid out as that of its factor.
  void fill(const double* a, std::span<const double> weight, std::vector<double>& value) {
    make_factor();
    fill_y(structure, weight.data(), a, y.data());
    assemble(structure.blocks, a, y.data(), value.data());
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

RankWatch::RankWatch(const SparseMatrix& a)
    : impl_(std::make_unique<Impl>(std::make_shared<const Pattern>(a))) {}
RankWatch::RankWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RankWatch RankWatch::another() const { return RankWatch(std::make_unique<Impl>(impl_->pattern)); }
RankWatch::~RankWatch() = default;
RankWatch::RankWatch(RankWatch&&) noexcept = default;
RankWatch& RankWatch::operator=(RankWatch&&) noexcept = default;

bool RankWatch::possible() const { return impl_->structure.method != Method::kkt; }
std::vector<int> RankWatch::order() const {
  const SparseLdl& ldl = impl_->structure.ldl;
  std::vector<int> rows(ldl.size());
  for (int position = 0; position < ldl.size(); ++position) rows[position] = ldl.row_at(position);
  return rows;
}
int RankWatch::rank() const { return possible() ? impl_->rank : -1; }
std::span<const double> RankWatch::parts() const { return impl_->parts; }

std::span<const double> RankWatch::squares() const { return impl_->squares; }
bool RankWatch::is_glance() const { return impl_->glanced; }

void RankWatch::glance(const SparseMatrix& A, std::span<const double> weight) {
  Impl& w = *impl_;
  if (!w.few.are_few() || !w.left_out.empty()) return look(A, weight);
  w.few.look(A, weight, w.glance);
  w.glanced = w.few.are_parts_above(far, w.glance, w.largest, w.parts);
  if (!w.glanced) return look(A, weight);
  w.glance_weight.assign(weight.begin(), weight.end());
  w.rank = A.rows;
  std::copy_n(w.glance.square.begin(), A.rows, w.squares.begin());
  for (int r = 0; r < A.rows; ++r) w.largest[r] = std::max(w.largest[r], w.squares[r]);
}

void RankWatch::look(const SparseMatrix& A, std::span<const double> weight) {
  if (possible() && A.rows > 0) impl_->look(A.value.data(), weight);
}

void RankWatch::look_closely() { impl_->complete(); }

void RankWatch::Impl::look(const double* a, std::span<const double> weight) {
  const SparseLdl& ldl = structure.ldl;
  glanced = false;
  make_factor();
  ldl.make_room(factor);
  fill(a, weight, factor.value);
  if (!left_out.empty()) {
    entries.clear();
    for (const int slot : ldl.slots()) entries.push_back(factor.value[slot]);
  }
  for (int j = 0; j < structure.rows; ++j) {
    squares[j] = factor.value[structure.blocks.diagonal[j]];
    largest[j] = std::max(largest[j], squares[j]);
  }
  reference = largest;
  for (std::size_t r = 0; r < left_out.size(); ++r)
    if (left_out[r]) reference[r] = INFINITY;
  for (int front = 0; front < ldl.fronts(); ++front)
    ldl.eliminate_without_noise(factor, front, reference, dependent, {}, [&] {
      ldl.make_room(factor, front);
      assemble(structure.blocks, front, a, y.data(), factor.value.data());
    });
  rank = structure.rows - factor.dropped;
  for (int r = 0; r < structure.rows; ++r)
    parts[r] = largest[r] > 0 ? std::max(0.0, ldl.pivot(factor, r)) / largest[r] : 0.0;
}

/// Where elimination in its own order meets rows that depend on those before them, each is one combination of
/// rows that vanishes. Which rows go instead is chosen among all that have a part in these.
std::vector<Combination> RankWatch::Impl::combinations(const std::vector<char>& marked, double tolerance) {
  const SparseLdl& ldl = structure.ldl;
  const int m = static_cast<int>(marked.size());
  std::vector<double> square(m), judged(m), part;
  for (int j = 0; j < m; ++j) {
    square[j] = whole.value[structure.blocks.diagonal[j]];
    judged[j] = marked[j] ? INFINITY : square[j];
  }
  ldl.factorize(whole, judged, tolerance);
  std::vector<Combination> all;
  for (const int dropped : ldl.dropped_rows(whole)) {
    if (marked[dropped]) continue;
    ldl.null_vector(whole, dropped, part);
    double most = 0.0;
    for (int r = 0; r < m; ++r) {
      if (square[r] > 0.0) part[r] *= std::sqrt(square[r]);
      most = std::max(most, std::fabs(part[r]));
    }
    Combination& found = all.emplace_back();
    for (int r = 0; r < m; ++r)
      if (std::fabs(part[r]) > nothing * most) {
        found.row.push_back(r);
        found.weight.push_back(part[r] / most);
      }
  }
  return all;
}

/// What is left out well leaves the others better apart, and rows come to light whose pivots were rounding
/// grown large before: again, until none does.
std::vector<char> RankWatch::Impl::many_dependent_rows(const SparseMatrix& A, std::span<const double> weight,
                                                       double tolerance) {
  std::vector<char> marked(A.rows, 0);
  bool any = false;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<Combination> found = combinations(marked, tolerance);
    if (found.empty()) break;
    const std::vector<char> more = rows_with_largest_parts(found, A.rows);
    if (more.empty()) return {};
    for (int r = 0; r < A.rows; ++r) marked[r] = marked[r] || more[r];
    any = true;
    structure.ldl.make_room(whole);
    fill(A.value.data(), weight, whole.value);
  }
  return any ? marked : std::vector<char>();
}

std::vector<char> RankWatch::dependent_rows(const SparseMatrix& A, std::span<const double> weight,
                                            double tolerance) {
  Impl& w = *impl_;
  const int m = A.rows;
  if (!possible() || m == 0) return {};
  const SparseLdl& ldl = w.structure.ldl;
  if (w.whole.value.empty()) w.whole = ldl.make_factor();
  ldl.make_room(w.whole);
  w.fill(A.value.data(), weight, w.whole.value);
  if (m > few_rows) return w.many_dependent_rows(A, weight, tolerance);
  std::vector<double> s(static_cast<std::size_t>(m) * m, 0.0);
  const LowerPattern& pattern = w.structure.schur;
  for (int j = 0; j < m; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      s[static_cast<std::size_t>(pattern.row[k]) * m + j] =
          s[static_cast<std::size_t>(j) * m + pattern.row[k]] = w.whole.value[ldl.slots()[k]];
  return rows_without_pivot(s, m, tolerance);
}

void RankWatch::leave_out(const std::vector<char>& rows) { impl_->left_out = rows; }

/// One combination of them all tells: its part beyond the others is zero only where all of theirs are, but
/// for a coincidence.
bool RankWatch::left_out_depend() {
  Impl& w = *impl_;
  w.complete();
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
  impl_->complete();
  impl_->structure.ldl.null_vector(impl_->factor, row, impl_->u);
  out.assign(A.columns, 0.0);
  for (int r = 0; r < A.rows; ++r) {
    const double u = impl_->u[r];
    if (u == 0.0) continue;  // most have no part in it
    row_of(A, r).add_to(out, u);
  }
  for (int i = 0; i < A.columns; ++i)
    if (out[i] != 0.0) out[i] *= std::sqrt(weight[i]);
}

void RankWatch::keep_turning(const RankWatch& other, std::span<const double> change,
                             std::vector<int>& rows) const {
  if (impl_->glanced && other.impl_->glanced)
    impl_->few.keep_turning(impl_->glance, other.impl_->glance, change, rows);
}

/// The part of a row is  W^1/2 A^T u  with u its null vector, so that the product of two is  u^T (A W B^T) w.
/// A few rows are looked at one by one, many all at once: that is linear in the size of the system.
void RankWatch::products(const SparseMatrix& A, RankWatch& other, const SparseMatrix& A_of_other,
                         std::span<const double> weight, std::span<const int> rows,
                         std::vector<double>& out) {
  Impl& w = *impl_;
  out.clear();
  if (rows.empty()) return;
  if (w.glanced && other.impl_->glanced) return w.few.products(w.glance, other.impl_->glance, rows, out);
  w.make_room_for_products(A);
  w.complete();
  other.impl_->complete();
  // Two parts for a row, and mostly half of the rows below have a part in them.
  const double work_of_row = w.structure.ldl.work_of_null_vector() + static_cast<double>(A.value.size());
  if (static_cast<double>(rows.size()) * work_of_row > w.structure.ldl.work_of_products()) {
    w.multiply_rows(A, A_of_other, weight);
    const std::vector<double>& all =
        w.structure.ldl.null_products(w.factor, other.impl_->factor, w.lower, w.upper, w.products);
    for (const int r : rows) out.push_back(all[r]);
    return;
  }
  for (const int r : rows) {
    part_of(A, weight, r, w.mine);
    other.part_of(A_of_other, weight, r, w.its);
    double sum = 0.0;
    for (std::size_t i = 0; i < w.mine.size(); ++i) sum += w.mine[i] * w.its[i];
    out.push_back(sum);
  }
}

void RankWatch::Impl::make_room_for_products(const SparseMatrix& A) {
  if (!products.C.empty()) return;
  products = structure.ldl.make_products(structure.schur);
  lower.resize(structure.schur.row.size());
  upper.resize(structure.schur.row.size());
  mine.resize(A.columns);
  its.resize(A.columns);
}

/// A W B^T on the pattern of S: `lower` at its entries, `upper` at their mirror images.
void RankWatch::Impl::multiply_rows(const SparseMatrix& A, const SparseMatrix& B,
                                    std::span<const double> weight) {
  const LowerPattern& s = structure.schur;
  const auto spread = [&](const SparseMatrix& from, int row, std::vector<double>& to) {
    for (const auto [column, value] : row_of(from, row)) to[column] += value * weight[column];
  };
  const auto clear = [](const SparseMatrix& from, int row, std::vector<double>& to) {
    for (const int column : row_of(from, row).columns) to[column] = 0.0;
  };
  mine.assign(A.columns, 0.0);
  its.assign(A.columns, 0.0);
  for (int j = 0; j < A.rows; ++j) {
    spread(A, j, mine);
    spread(B, j, its);
    for (int k = s.start[j]; k < s.start[j + 1]; ++k) {
      lower[k] = row_of(A, s.row[k]).dot(its);
      upper[k] = row_of(B, s.row[k]).dot(mine);
    }
    clear(A, j, mine);
    clear(B, j, its);
  }
}

void RankWatch::solve(std::span<double> x) {
  impl_->complete();
  impl_->structure.ldl.solve(impl_->factor, x);
}

std::vector<double> RankWatch::null_vector(int row) {
  Impl& w = *impl_;
  w.complete();
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
  if (most == 0) return {row};  // it has never been anything
  std::vector<int> rows;
  for (std::size_t r = 0; r < u.size(); ++r)
    if (size[r] > 1e-6 * most) rows.push_back(static_cast<int>(r));
  return rows;
}

}  // namespace vinculum
