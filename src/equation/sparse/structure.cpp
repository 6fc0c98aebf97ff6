#include "equation/sparse/structure.hpp"

#include <algorithm>
#include <numeric>

#include "vinculum/base/error.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr int largest_block =
    32;                       // of M: up to here an explicit inverse per block is cheap and sparse enough
constexpr int least_run = 8;  // rows alike: fewer are not worth a loop of their own
constexpr int largest_dense = 24;  // rows: up to here a dense A M^-1 A^T beats all index work
constexpr double schur_work_limit =
    64;  // multiplications per entry of A before the KKT form is the better one

int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

struct ColumnList {  // the entries of a matrix by columns: (row, index)
  std::vector<int> start, row, index;
};

ColumnList by_columns(int columns, const std::vector<int>& start, const std::vector<int>& column) {
  ColumnList list;
  list.start.assign(columns + 1, 0);
  for (const int c : column) ++list.start[c + 1];
  std::partial_sum(list.start.begin(), list.start.end(), list.start.begin());
  list.row.resize(column.size());
  list.index.resize(column.size());
  std::vector<int> next(list.start.begin(), list.start.end() - 1);
  for (int r = 0; r + 1 < static_cast<int>(start.size()); ++r)
    for (int k = start[r]; k < start[r + 1]; ++k) {
      const int at = next[column[k]]++;
      list.row[at] = r;
      list.index[at] = k;
    }
  return list;
}

}  // namespace

Structure::Impl::Impl(const SparseMatrix& mass, const SparseMatrix& rows_pattern, bool small_is_dense)
    : coordinates(mass.rows), rows(rows_pattern.rows) {
  if (mass.rows != mass.columns) fail("the mass matrix must be square");
  if (rows_pattern.columns != mass.rows)
    fail("A has " + std::to_string(rows_pattern.columns) + " columns where M has " +
         std::to_string(mass.rows));
  find_row_runs(rows_pattern);
  find_blocks(mass);
  int widest = 0;
  for (std::size_t k = 0; k + 1 < block_start.size(); ++k)
    widest = std::max(widest, block_start[k + 1] - block_start[k]);
  const bool small = coordinates <= 4 * largest_dense && rows <= largest_dense;
  if (!small && widest > largest_block) {
    method = Method::kkt;
  } else {
    fill_y(rows_pattern);
    if (rows == 0)
      method = Method::free;
    else if (small && small_is_dense)
      method = Method::dense;
    else
      method = schur_work(rows_pattern) > schur_work_limit * (rows_pattern.entries() + 100.0) ? Method::kkt
                                                                                              : Method::schur;
  }
  if (method == Method::kkt) {
    build_kkt(mass, rows_pattern);
    ldl = SparseLdl(kkt);
  } else if (method != Method::free) {
    build_schur(rows_pattern);
    if (method == Method::schur) {
      ldl = SparseLdl(schur);
      blocks = SchurBlocks(rows_pattern, y_start, y_column, schur, ldl);
    }
    place_y();
  }
}

void Structure::Impl::place_y() {
  y_size = method == Method::schur ? blocks.y_size : static_cast<int>(y_column.size());
  y_place.resize(y_column.size());
  std::iota(y_place.begin(), y_place.end(), 0);
  if (method == Method::schur) y_place = blocks.y_place;
  for (YTerm& term : y_terms) term.y = y_place[term.y];
}

void Structure::Impl::find_row_runs(const SparseMatrix& a) {
  const auto neighbours = [&](int i) {
    const int begin = a.start[i], end = a.start[i + 1];
    return begin < end && a.column[end - 1] - a.column[begin] == end - begin - 1 ? end - begin : 0;
  };
  for (int i = 0; i < rows;) {
    const int begin = i, count = neighbours(i);
    while (i < rows && neighbours(i) == count) ++i;
    const bool alike = count > 0 && i - begin >= least_run;
    if (!alike && !row_runs.empty() && row_runs.back().neighbours == 0)
      row_runs.back().end = i;
    else
      row_runs.push_back({begin, i, alike ? count : 0});
  }
}

void Structure::Impl::find_blocks(const SparseMatrix& mass) {
  std::vector<int> parent(coordinates);
  std::iota(parent.begin(), parent.end(), 0);
  for (int i = 0; i < coordinates; ++i)
    for (const int column : row_of(mass, i).columns) {
      const int a = root_of(parent, i), b = root_of(parent, column);
      if (a != b) parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::vector<int>> members(coordinates);
  for (int i = 0; i < coordinates; ++i) members[root_of(parent, i)].push_back(i);
  int offset = 0;
  for (const auto& block : members) {
    if (block.empty()) continue;
    const int size = static_cast<int>(block.size());
    diagonal = diagonal && size == 1;
    block_coordinate.insert(block_coordinate.end(), block.begin(), block.end());
    block_start.push_back(static_cast<int>(block_coordinate.size()));
    inverse_start.push_back(offset);
    offset += size * size;
    for (const int i : block)
      for (const int j : block) {
        const auto first = mass.column.begin() + mass.start[i],
                   last = mass.column.begin() + mass.start[i + 1];
        const auto found = std::lower_bound(first, last, j);
        mass_entry.push_back(found != last && *found == j ? static_cast<int>(found - mass.column.begin())
                                                          : -1);
      }
    if (size > 4 * largest_dense) break;  // a block this wide goes through the KKT form and needs no inverse
  }
  inverse_start.push_back(offset);
}

void Structure::Impl::fill_y(const SparseMatrix& a) {
  if (diagonal) {  // the pattern of A
    y_start = a.start;
    y_column = a.column;
    return;
  }
  std::vector<int> block_of(coordinates), local(coordinates);
  for (std::size_t k = 0; k + 1 < block_start.size(); ++k)
    for (int i = block_start[k]; i < block_start[k + 1]; ++i) {
      block_of[block_coordinate[i]] = static_cast<int>(k);
      local[block_coordinate[i]] = i - block_start[k];
    }
  std::vector<int> touched;
  for (int r = 0; r < rows; ++r) {
    touched.clear();
    for (const int column : row_of(a, r).columns) touched.push_back(block_of[column]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int block : touched) {
      const int size = block_start[block + 1] - block_start[block];
      for (int i = 0; i < size; ++i) {
        const int y = static_cast<int>(y_column.size());
        y_column.push_back(block_coordinate[block_start[block] + i]);
        for (int k = a.start[r]; k < a.start[r + 1]; ++k)
          if (block_of[a.column[k]] == block)
            y_terms.push_back({y, inverse_start[block] + i * size + local[a.column[k]], k});
      }
    }
    y_start.push_back(static_cast<int>(y_column.size()));
  }
}

double Structure::Impl::schur_work(const SparseMatrix& a) const {
  std::vector<double> in_a(coordinates, 0.0), in_y(coordinates, 0.0);
  for (const int c : a.column) ++in_a[c];
  for (const int c : y_column) ++in_y[c];
  return std::inner_product(in_a.begin(), in_a.end(), in_y.begin(), 0.0);
}

void Structure::Impl::build_schur(const SparseMatrix& a) {
  const ColumnList in_a = by_columns(coordinates, a.start, a.column);
  struct Pair {
    int row, a, y;
  };
  std::vector<Pair> pairs;
  schur.size = rows;
  schur.start.push_back(0);
  schur_start.push_back(0);
  for (int j = 0; j < rows; ++j) {  // column j of the lower triangle: rows i >= j that meet Y_j
    pairs.clear();
    pairs.push_back({j, -1, -1});  // the diagonal is always there, also for a row of zeros
    for (int y = y_start[j]; y < y_start[j + 1]; ++y) {
      const int c = y_column[y];
      const auto first = in_a.row.begin() + in_a.start[c], last = in_a.row.begin() + in_a.start[c + 1];
      for (auto it = std::lower_bound(first, last, j); it != last; ++it)
        pairs.push_back({*it, in_a.index[it - in_a.row.begin()], y});
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) { return p.row < q.row; });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (k > 0 && pairs[k].row != pairs[k - 1].row)
        schur_start.push_back(static_cast<int>(schur_terms.size()));
      if (k == 0 || pairs[k].row != pairs[k - 1].row) schur.row.push_back(pairs[k].row);
      if (pairs[k].a >= 0) schur_terms.push_back({pairs[k].a, pairs[k].y});
    }
    schur_start.push_back(static_cast<int>(schur_terms.size()));
    schur.start.push_back(static_cast<int>(schur.row.size()));
  }
  profile.resize(rows);
  for (int j = rows - 1; j >= 0; --j)
    for (int k = schur.start[j]; k < schur.start[j + 1]; ++k) profile[schur.row[k]] = j;
}

void Structure::Impl::build_kkt(const SparseMatrix& mass, const SparseMatrix& a) {
  LowerPattern lower;
  lower.size = coordinates;
  lower.start.push_back(0);
  mass_lower.assign(mass.entries(), -1);
  kkt.size = coordinates + rows;
  kkt.start.push_back(0);
  kkt_mass.assign(mass.entries(), -1);
  kkt_rows.assign(a.entries(), -1);
  const ColumnList in_a = by_columns(coordinates, a.start, a.column);
  for (int j = 0; j < coordinates; ++j) {
    bool has_diagonal = false;
    for (int k = mass.start[j]; k < mass.start[j + 1]; ++k) {
      if (mass.column[k] < j) continue;  // symmetric: row j of the upper triangle is column j of the lower
      if (!has_diagonal && mass.column[k] != j) {
        kkt.row.push_back(j);
        lower.row.push_back(j);
      }
      has_diagonal = true;
      kkt_mass[k] = static_cast<int>(kkt.row.size());
      kkt.row.push_back(mass.column[k]);
      mass_lower[k] = static_cast<int>(lower.row.size());
      lower.row.push_back(mass.column[k]);
    }
    if (!has_diagonal) {
      kkt.row.push_back(j);
      lower.row.push_back(j);
    }
    lower.start.push_back(static_cast<int>(lower.row.size()));
    for (int k = in_a.start[j]; k < in_a.start[j + 1]; ++k) {
      kkt_rows[in_a.index[k]] = static_cast<int>(kkt.row.size());
      kkt.row.push_back(coordinates + in_a.row[k]);
    }
    kkt.start.push_back(static_cast<int>(kkt.row.size()));
  }
  for (int r = 0; r < rows; ++r) {
    kkt_shift.push_back(static_cast<int>(kkt.row.size()));
    kkt.row.push_back(coordinates + r);
    kkt.start.push_back(static_cast<int>(kkt.row.size()));
  }
  mass_ldl = SparseLdl(lower);
}

Structure::Structure(const SparseMatrix& mass_pattern, const SparseMatrix& rows_pattern, std::vector<int> kin)
    : impl_(std::make_unique<Impl>(mass_pattern, rows_pattern)) {
  impl_->kin = std::move(kin);
}
Structure::~Structure() = default;
Structure::Structure(Structure&&) noexcept = default;
Structure& Structure::operator=(Structure&&) noexcept = default;

}  // namespace vinculum
