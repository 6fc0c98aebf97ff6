#include "equation/sparse/schur_blocks.hpp"

#include <algorithm>

#include "base/clones.hpp"
#include "equation/sparse/counts.hpp"

namespace vinculum {
namespace {

constexpr int largest_group = 8;  // a block tells its rows in four bits

/// A group of rows and its block of Y.
struct Group {
  int first = 0, rows = 0;
  int y = 0;  // where its block begins
  std::vector<int> columns;
  /// Where a column of the block begins; -1 where it has none.
  int place(int column) const {
    const auto found = std::lower_bound(columns.begin(), columns.end(), column);
    if (found == columns.end() || *found != column) return -1;
    return y + static_cast<int>(found - columns.begin()) * rows;
  }
};

std::vector<Group> groups_of(const std::vector<int>& y_start, const std::vector<int>& y_column,
                             const LowerPattern& schur) {
  std::vector<Group> groups;
  const std::vector<int> begin = alike_rows(schur);
  int size = 0;
  for (std::size_t k = 0; k + 1 < begin.size(); ++k)
    for (int first = begin[k]; first < begin[k + 1]; first += largest_group) {
      Group g{first, std::min(largest_group, begin[k + 1] - first), size, {}};
      g.columns.assign(y_column.begin() + y_start[first], y_column.begin() + y_start[first + g.rows]);
      std::sort(g.columns.begin(), g.columns.end());
      g.columns.erase(std::unique(g.columns.begin(), g.columns.end()), g.columns.end());
      size += g.rows * static_cast<int>(g.columns.size());
      groups.push_back(std::move(g));
    }
  return groups;
}

SchurBlocks::Fresh fresh_rows(const SparseMatrix& a, int first, int rows, int y) {
  SchurBlocks::Fresh fresh{first, first + rows};
  const int begin = a.start[first], end = a.start[first + 1];
  if (rows > 1 || begin == end || a.column[end - 1] - a.column[begin] != end - begin - 1) return fresh;
  fresh.entry = begin;
  fresh.entries = end - begin;
  fresh.column = a.column[begin];
  fresh.y = y;
  return fresh;
}

/// For each row of S all rows it meets, itself included.
std::vector<std::vector<int>> both_triangles(const LowerPattern& p) {
  std::vector<std::vector<int>> meets(p.size);
  for (int j = 0; j < p.size; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      meets[j].push_back(p.row[k]);
      if (p.row[k] != j) meets[p.row[k]].push_back(j);
    }
  return meets;
}

/// A block of one row whose terms follow each other needs no list of them.
void shorten_list(SchurBlocks::Block& block, std::vector<SchurBlocks::Term>& terms) {
  const auto list = terms.end() - block.terms;
  if (block.rows > 1 || block.terms == 0) return;
  for (int k = 0; list + k != terms.end(); ++k)
    if (list[k].a != list->a + k || list[k].y != list->y + k) return;
  block.rows = SchurBlocks::neighbours;
  terms.erase(list + 1, terms.end());
}

[[gnu::always_inline]] inline double sum_of_neighbours(int terms, const double* a, const double* y) {
  return with_count(terms, [=](auto count) __attribute__((always_inline)) {
    double sum = 0.0;
    for (int k = 0; k < count; ++k) sum += a[k] * y[k];
    return sum;
  });
}

/// Rows of a block as a constant: the loops over them become vector instructions.
template <int Rows>
[[gnu::always_inline]] inline const SchurBlocks::Term* sum_up(const SchurBlocks::Term* term, int terms,
                                                              const double* a, const double* y, double* to) {
  double sum[Rows] = {};
  for (const SchurBlocks::Term* const end = term + terms; term != end; ++term)
    for (int i = 0; i < Rows; ++i) sum[i] += a[term->a] * y[term->y + i];
  for (int i = 0; i < Rows; ++i) to[i] = sum[i];
  return term;
}

}  // namespace

SchurBlocks::SchurBlocks(const SparseMatrix& a, const std::vector<int>& y_start,
                         const std::vector<int>& y_column, const LowerPattern& schur, const SparseLdl& ldl) {
  const std::vector<Group> groups = groups_of(y_start, y_column, schur);
  std::vector<int> group_of(a.rows);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int r = groups[g].first; r < groups[g].first + groups[g].rows; ++r) {
      group_of[r] = static_cast<int>(g);
      for (int k = y_start[r]; k < y_start[r + 1]; ++k)
        y_place.push_back(groups[g].place(y_column[k]) + r - groups[g].first);
      y_size = groups[g].y + groups[g].rows * static_cast<int>(groups[g].columns.size());
    }
  const std::vector<std::vector<int>> meets = both_triangles(schur);
  std::vector<char> is_ready(groups.size(), 0);
  for (int i = 0; i < a.rows; ++i) diagonal.push_back(ldl.slot(i, i));
  for (int position = 0; position < a.rows; ++position) {
    const int i = ldl.row_at(position);
    if (ldl.front_of(i) == static_cast<int>(fronts.size()))
      fronts.push_back(
          {static_cast<int>(blocks.size()), static_cast<int>(terms.size()), static_cast<int>(fresh.size())});
    std::vector<int> others;
    for (const int r : meets[i])
      if (ldl.position(r) >= ldl.position(i)) others.push_back(group_of[r]);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const int g : others) {
      if (!is_ready[g]) fresh.push_back(fresh_rows(a, groups[g].first, groups[g].rows, groups[g].y));
      is_ready[g] = 1;
      const int first = g == group_of[i] ? i : groups[g].first;  // of its own group the rows from its own on
      const int offset = first - groups[g].first;
      const std::size_t before = terms.size();
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        if (const int y = groups[g].place(a.column[k]); y >= 0) terms.push_back({k, y + offset});
      blocks.push_back({ldl.slot(first, i), static_cast<unsigned>(groups[g].rows - offset),
                        static_cast<unsigned>(terms.size() - before)});
      shorten_list(blocks.back(), terms);
    }
  }
  fronts.push_back(
      {static_cast<int>(blocks.size()), static_cast<int>(terms.size()), static_cast<int>(fresh.size())});
}

VINCULUM_CLONES
void assemble(const SchurBlocks& s, int front, const double* a, const double* y, double* value) {
  const SchurBlocks::Term* term = s.terms.data() + s.fronts[front].term;
  const SchurBlocks::Block* const end = s.blocks.data() + s.fronts[front + 1].block;
  for (const SchurBlocks::Block* b = s.blocks.data() + s.fronts[front].block; b != end; ++b) {
    double* to = value + b->slot;
    switch (b->rows) {
      case SchurBlocks::neighbours:
        *to = sum_of_neighbours(b->terms, a + term->a, y + term->y);
        ++term;
        break;
      case 1:
        term = sum_up<1>(term, b->terms, a, y, to);
        break;
      case 2:
        term = sum_up<2>(term, b->terms, a, y, to);
        break;
      case 3:
        term = sum_up<3>(term, b->terms, a, y, to);
        break;
      case 4:
        term = sum_up<4>(term, b->terms, a, y, to);
        break;
      case 5:
        term = sum_up<5>(term, b->terms, a, y, to);
        break;
      case 6:
        term = sum_up<6>(term, b->terms, a, y, to);
        break;
      case 7:
        term = sum_up<7>(term, b->terms, a, y, to);
        break;
      default:
        term = sum_up<largest_group>(term, b->terms, a, y, to);
        break;
    }
  }
}

void assemble(const SchurBlocks& s, const double* a, const double* y, double* value) {
  for (std::size_t front = 0; front + 1 < s.fronts.size(); ++front)
    assemble(s, static_cast<int>(front), a, y, value);
}

}  // namespace vinculum
