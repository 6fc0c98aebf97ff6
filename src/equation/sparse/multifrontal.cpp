#include "equation/sparse/multifrontal.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace vinculum {
namespace {

constexpr int longest_path = 8;  // longer ones leave a processor less to do at a time

/// Fill-reducing order: for each row its place in the elimination.
std::vector<int> minimum_degree(const LowerPattern& p) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < p.size; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      entries.emplace_back(p.row[k], j, 1.0);
      if (p.row[k] != j) entries.emplace_back(j, p.row[k], 1.0);
    }
  Eigen::SparseMatrix<double> full(p.size, p.size);
  full.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(full, permutation);
  std::vector<int> position(p.size);
  for (int i = 0; i < p.size; ++i)
    position[permutation.indices()[i]] = i;  // Eigen gives the inverse permutation
  return position;
}

/// For each row all it meets, itself included, rising.
std::vector<std::vector<int>> neighbours(const LowerPattern& p) {
  std::vector<std::vector<int>> meets(p.size);
  for (int j = 0; j < p.size; ++j)  // rising columns: what comes before a row comes first
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      if (p.row[k] != j) meets[p.row[k]].push_back(j);
  for (int j = 0; j < p.size; ++j)
    meets[j].insert(meets[j].end(), p.row.begin() + p.start[j], p.row.begin() + p.start[j + 1]);
  return meets;
}

/// Rows that are alike cost the same in any order among themselves: they are eliminated in their own.
void gather_alike(const LowerPattern& p, std::vector<int>& position) {
  const std::vector<int> begin = alike_rows(p);
  const int runs = static_cast<int>(begin.size()) - 1;
  std::vector<int> earliest(runs), order(runs);
  for (int g = 0; g < runs; ++g)
    earliest[g] = *std::min_element(position.begin() + begin[g], position.begin() + begin[g + 1]);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int g, int h) { return earliest[g] < earliest[h]; });
  int next = 0;
  for (const int g : order)
    for (int r = begin[g]; r < begin[g + 1]; ++r) position[r] = next++;
}

/// For each column in elimination order, the rows below it in the permuted matrix.
std::vector<std::vector<int>> below_diagonal(const LowerPattern& p, const std::vector<int>& position) {
  std::vector<std::vector<int>> below(p.size);
  for (int j = 0; j < p.size; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      const auto [first, second] = std::minmax(position[p.row[k]], position[j]);
      if (first != second) below[first].push_back(second);
    }
  for (auto& rows : below) std::sort(rows.begin(), rows.end());
  return below;
}

/// Elimination tree: the parent of a column is the first row its column of L updates.
std::vector<int> elimination_tree(const std::vector<std::vector<int>>& below) {
  const int n = static_cast<int>(below.size());
  std::vector<std::vector<int>> left(n);  // for each row, the columns that hold an entry in it
  for (int j = 0; j < n; ++j)
    for (const int i : below[j]) left[i].push_back(j);
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int i = 0; i < n; ++i)
    for (int j : left[i])
      while (j != -1 && j < i) {  // climb to the root of what is known, compressing the path
        const int next = ancestor[j];
        ancestor[j] = i;
        if (next == -1) parent[j] = i;
        j = next;
      }
  return parent;
}

/// Children before parents, subtrees contiguous; returns the new position of each column.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> head(n, -1), next(n, -1), position(n), path;
  for (int j = n - 1; j >= 0; --j)
    if (parent[j] >= 0) {
      next[j] = head[parent[j]];
      head[parent[j]] = j;
    }
  int count = 0;
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int j = path.back();
      if (head[j] >= 0) {
        path.push_back(head[j]);
        head[j] = next[head[j]];
      } else {
        position[j] = count++;
        path.pop_back();
      }
    }
  }
  return position;
}

/// The rows of each column of L below the diagonal: its own entries joined with those its children pass on.
std::vector<std::vector<int>> factor_structure(const std::vector<std::vector<int>>& below,
                                               const std::vector<int>& parent) {
  const int n = static_cast<int>(below.size());
  std::vector<std::vector<int>> structure(below);
  std::vector<int> merged;
  for (int j = 0; j < n; ++j) {
    if (parent[j] < 0) continue;
    auto& target = structure[parent[j]];
    merged.clear();
    std::set_union(target.begin(), target.end(), structure[j].begin() + 1, structure[j].end(),
                   std::back_inserter(merged));
    target = merged;
  }
  return structure;
}

}  // namespace

std::vector<int> alike_rows(const LowerPattern& pattern) {
  const std::vector<std::vector<int>> meets = neighbours(pattern);
  std::vector<int> begin;
  for (int r = 0; r < pattern.size; ++r)
    if (r == 0 || meets[r] != meets[r - 1]) begin.push_back(r);
  begin.push_back(pattern.size);
  return begin;
}

SparseLdl::SparseLdl(const LowerPattern& pattern) : size_(pattern.size) {
  order_ = minimum_degree(pattern);
  gather_alike(pattern, order_);
  const std::vector<int> post = postorder(elimination_tree(below_diagonal(pattern, order_)));
  for (int& position : order_) position = post[position];
  inverse_.resize(size_);
  for (int i = 0; i < size_; ++i) inverse_[order_[i]] = i;
  const auto below = below_diagonal(pattern, order_);
  const auto parent = elimination_tree(below);
  const auto structure = factor_structure(below, parent);
  join_columns(parent, structure);
  join_paths(structure);
  shape_fronts(structure);
  find_relative();
  find_slots(pattern);
  find_filled();
  plan_updates();
}

/// A column joins the one before it when it is its parent and the zeros this brings into the dense front are
/// few: wide fronts pay by vector arithmetic and fewer index lists, zeros cost arithmetic.
void SparseLdl::join_columns(const std::vector<int>& parent, const std::vector<std::vector<int>>& structure) {
  supernode_of_.assign(size_, 0);
  std::int64_t true_entries = 0;
  for (int j = 0; j < size_; ++j) {
    bool join = false;
    if (j > 0 && parent[j - 1] == j) {
      const Supernode& s = supernodes_.back();
      const std::int64_t columns = s.shape.columns + 1, tail = static_cast<std::int64_t>(structure[j].size());
      const std::int64_t stored = columns * (columns + 1) / 2 + columns * tail;
      const std::int64_t entries = true_entries + tail + 1;
      const double allowed = columns <= 4 ? 0.5 : columns <= 16 ? 0.2 : 0.05;
      join = static_cast<double>(stored - entries) <= allowed * static_cast<double>(stored);
      if (join) true_entries = entries;
    }
    if (!join) {
      supernodes_.push_back({});
      supernodes_.back().first = j;
      true_entries = static_cast<std::int64_t>(structure[j].size()) + 1;
    }
    ++supernodes_.back().shape.columns;
    supernode_of_[j] = static_cast<int>(supernodes_.size()) - 1;
  }
}

/// Columns of L that have no more than the next row.
bool SparseLdl::is_path(const Supernode& s, const std::vector<std::vector<int>>& structure) {
  const auto first = structure.begin() + s.first;
  return std::all_of(first, first + s.shape.columns, [](const auto& below) { return below.size() <= 1; });
}

/// Paths that go on in each other become one, as long as elimination and assembly of the next front still
/// overlap.
void SparseLdl::join_paths(const std::vector<std::vector<int>>& structure) {
  std::vector<Supernode> joined;
  for (Supernode& node : supernodes_) {
    node.shape.is_path = is_path(node, structure);
    if (!joined.empty()) {
      Supernode& before = joined.back();
      const auto& tail = structure[node.first - 1];
      if (before.shape.is_path && node.shape.is_path && !tail.empty() && tail.front() == node.first &&
          before.shape.columns + node.shape.columns <= longest_path) {
        before.shape.columns += node.shape.columns;
        continue;
      }
    }
    joined.push_back(node);
  }
  supernodes_ = std::move(joined);
  for (std::size_t s = 0; s < supernodes_.size(); ++s)
    std::fill_n(supernode_of_.begin() + supernodes_[s].first, supernodes_[s].shape.columns,
                static_cast<int>(s));
}

void SparseLdl::shape_fronts(const std::vector<std::vector<int>>& structure) {
  std::vector<std::vector<int>> children(supernodes_.size());
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    Supernode& node = supernodes_[s];
    const auto& tail = structure[node.first + node.shape.columns - 1];
    node.shape.rows = node.shape.columns + static_cast<int>(tail.size());
    node.row_start = static_cast<int>(row_.size());
    row_.insert(row_.end(), tail.begin(), tail.end());
    node.panel = factor_size_;
    factor_size_ += node.shape.stride() * node.shape.columns;
    tallest_ = std::max(tallest_, node.shape.rows);
    node.child_start = static_cast<int>(child_.size());
    node.child_count = static_cast<int>(children[s].size());
    child_.insert(child_.end(), children[s].begin(), children[s].end());
    node.subtree = children[s].empty() ? static_cast<int>(s) : supernodes_[children[s].front()].subtree;
    if (!tail.empty()) children[supernode_of_[tail.front()]].push_back(static_cast<int>(s));
  }
}

/// Where a row stands in a front.
int SparseLdl::local_row(const Supernode& s, int position) const {
  if (position < s.first + s.shape.columns) return position - s.first;
  const int* rows = row_.data() + s.row_start;
  return s.shape.columns + static_cast<int>(std::lower_bound(rows, rows + s.shape.rest(), position) - rows);
}

void SparseLdl::find_relative() {
  for (Supernode& node : supernodes_) {
    node.relative = static_cast<int>(relative_.size());
    const int* rows = row_.data() + node.row_start;
    if (node.shape.rest() == 0) continue;
    Supernode& up = supernodes_[supernode_of_[rows[0]]];
    for (int k = 0; k < node.shape.rest(); ++k) relative_.push_back(local_row(up, rows[k]));
    up.passes_on = up.passes_on || relative_.back() >= up.shape.columns;
    relative_.push_back(up.shape.rows);
  }
}

int SparseLdl::slot(int row, int column) const {
  const auto [first, second] = std::minmax(order_[row], order_[column]);
  const Supernode& s = supernodes_[supernode_of_[first]];
  return s.panel + s.shape.place(local_row(s, second), first - s.first);
}

void SparseLdl::find_slots(const LowerPattern& p) {
  slot_.resize(p.row.size());
  for (int j = 0; j < p.size; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) slot_[k] = slot(p.row[k], j);
}

void SparseLdl::find_filled() {
  std::vector<int> given(supernodes_.size(), 0);
  for (const int slot : slot_) {
    const auto after = std::upper_bound(supernodes_.begin(), supernodes_.end(), slot,
                                        [](int at, const Supernode& s) { return at < s.panel; });
    ++given[after - supernodes_.begin() - 1];
  }
  for (std::size_t k = 0; k < supernodes_.size(); ++k) {
    Supernode& s = supernodes_[k];
    int entries = 0;
    for (int c = 0; c < s.shape.columns; ++c) entries += s.shape.end_of_column(c) - c;
    s.fills_in = given[k] != entries;
  }
}

/// Updates wait one above the other; a front finds those of its children on top, and makes its own below them
/// where there is room, else above.
void SparseLdl::plan_updates() {
  struct Waiting {
    int begin, end;
  };
  std::vector<Waiting> waiting;
  for (Supernode& node : supernodes_) {
    const int size = node.shape.update_size(), others = static_cast<int>(waiting.size()) - node.child_count;
    const int top = waiting.empty() ? 0 : waiting.back().end;
    const int room = others == 0 ? 0 : waiting[others - 1].end;
    const bool below = node.child_count == 0 || room + size <= waiting[others].begin;
    node.update = below ? room : top;
    updates_size_ = std::max(updates_size_, node.update + size);
    waiting.resize(others);
    if (size > 0) waiting.push_back({node.update, node.update + size});
  }
}

SparseLdl::Factor SparseLdl::make_factor() const {
  Factor f;
  f.value.assign(factor_size_, 0.0);
  f.pivot.assign(size_, 0.0);
  f.inverse.assign(size_, 0.0);
  f.updates.assign(updates_size_, 0.0);
  f.permuted.assign(size_, 0.0);
  f.u.assign(size_, 0.0);
  f.gathered.assign(tallest_, 0.0);
  return f;
}

void SparseLdl::clear(Factor& f) const { std::fill(f.value.begin(), f.value.end(), 0.0); }

void SparseLdl::make_room(Factor& f, int front) const {
  const Supernode& s = supernodes_[front];
  if (s.fills_in) std::fill_n(f.value.begin() + s.panel, s.shape.stride() * s.shape.columns, 0.0);
}

void SparseLdl::make_room(Factor& f) const {
  for (int front = 0; front < fronts(); ++front) make_room(f, front);
}

void SparseLdl::factorize(Factor& f, std::span<const double> reference, double tolerance,
                          std::span<const double> right) const {
  for (int front = 0; front < fronts(); ++front) eliminate(f, front, reference, tolerance, right);
}

void SparseLdl::eliminate(Factor& f, int front, std::span<const double> reference, double tolerance,
                          std::span<const double> right) const {
  const Supernode& s = supernodes_[front];
  const int columns = s.shape.columns, stride = s.shape.stride();
  double *panel = f.value.data() + s.panel, *update = f.updates.data() + s.update;
  const int* original = inverse_.data() + s.first;
  double* right_row = panel + s.shape.place(s.shape.rows, 0);
  for (int c = 0; c < columns; ++c) right_row[c * stride] = right.empty() ? 0.0 : right[original[c]];
  if (s.passes_on) std::fill_n(update, s.shape.update_size(), 0.0);
  for (int c = 0; c < s.child_count; ++c) {
    const Supernode& child = supernodes_[child_[s.child_start + c]];
    extend_add(child.shape, f.updates.data() + child.update, relative_.data() + child.relative, s.shape,
               panel, update);
  }
  if (front != f.front) f.dropped_before = f.dropped;
  if (front == 0) f.dropped_before = 0;
  f.front = front;
  const PivotRule rule{original, reference.data(), tolerance};
  f.dropped = f.dropped_before + eliminate_front(s.shape, panel, update, !s.passes_on,
                                                 f.pivot.data() + s.first, f.inverse.data() + s.first, rule);
  f.doubtful = rule.doubtful;
  for (int c = 0; c < columns; ++c) f.permuted[s.first + c] = right_row[c * stride];
}

void SparseLdl::finish(Factor& f, std::span<double> x) const {
  double* y = f.permuted.data();
  for (auto s = supernodes_.rbegin(); s != supernodes_.rend(); ++s)
    backward_front(s->shape, f.value.data() + s->panel, row_.data() + s->row_start, y, s->first,
                   f.gathered.data());
  for (int i = 0; i < size_; ++i) x[inverse_[i]] = y[i];
}

void SparseLdl::solve(Factor& f, std::span<double> x) const {
  double* y = f.permuted.data();
  for (int i = 0; i < size_; ++i) y[i] = x[inverse_[i]];
  for (const Supernode& s : supernodes_)
    forward_front(s.shape, f.value.data() + s.panel, row_.data() + s.row_start, y, s.first,
                  f.gathered.data());
  for (int i = 0; i < size_; ++i) y[i] *= f.inverse[i];
  finish(f, x);
}

std::vector<int> SparseLdl::dropped_rows(const Factor& f) const {
  std::vector<int> rows;
  for (int i = 0; i < size_; ++i)
    if (f.inverse[i] == 0.0) rows.push_back(inverse_[i]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

int SparseLdl::first_below(int front) const { return supernodes_[supernodes_[front].subtree].first; }

/// S = L D L^T gives S u = D_k L e_k for L^T u = e_k. Only what passes on to the row has a part in it, and of
/// that nothing below a front whose rows have none.
template <class Each>
void SparseLdl::find_null_vector(Factor& f, int position, const Each& each) const {
  const int from = supernode_of_[position], to = supernodes_[from].subtree;
  const Supernode& last = supernodes_[from];
  std::fill(f.u.begin() + first_below(from), f.u.begin() + last.first + last.shape.columns, 0.0);
  for (int k = 0; k < last.shape.rest(); ++k) f.u[row_[last.row_start + k]] = 0.0;
  f.u[position] = 1.0;
  for (int k = from; k >= to; --k) {
    const Supernode& s = supernodes_[k];
    const int* rows = row_.data() + s.row_start;
    if (k != from && std::all_of(rows, rows + s.shape.rest(), [&](int row) { return f.u[row] == 0.0; })) {
      k = s.subtree;
      continue;
    }
    backward_front(s.shape, f.value.data() + s.panel, rows, f.u.data(), s.first, f.gathered.data());
    if (!each(s)) return;
  }
}

/// The noise only grows as more of the combination is known: mostly its first rows tell.
int SparseLdl::noise_in_front(Factor& f, std::span<const double> diagonal) const {
  if (!f.doubtful) return -1;
  const Supernode& s = supernodes_[f.front];
  for (int i = s.first; i < s.first + s.shape.columns; ++i) {
    const int row = inverse_[i];
    if (f.inverse[i] == 0.0 || std::fabs(f.pivot[i]) >= doubtful_pivot * diagonal[row]) continue;
    double noise = 0.0;
    const auto is_noise = [&] { return std::fabs(f.pivot[i]) <= noise; };
    find_null_vector(f, i, [&](const Supernode& below) {
      const int first = below.first, count = std::min(below.shape.columns, i + 1 - first);
      noise += noise_of_pivot(std::span<const double>(f.u).subspan(first, count),
                              [&](int k) { return diagonal[inverse_[first + k]]; });
      return !is_noise();
    });
    if (is_noise()) return row;
  }
  return -1;
}

void SparseLdl::null_vector(Factor& f, int row, std::vector<double>& u) const {
  std::fill(f.u.begin(), f.u.end(), 0.0);
  find_null_vector(f, order_[row], [](const Supernode&) { return true; });
  u.resize(size_);
  for (int i = 0; i < size_; ++i) u[inverse_[i]] = f.u[i];
}

SparseLdl::Products SparseLdl::make_products(const LowerPattern& pattern) const {
  Products room;
  const auto front_of = [&](int k, int j) {
    return supernode_of_[std::min(order_[pattern.row[k]], order_[j])];
  };
  room.column.resize(pattern.row.size());
  room.start.assign(supernodes_.size() + 1, 0);
  for (int j = 0; j < pattern.size; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      room.column[k] = j;
      ++room.start[front_of(k, j) + 1];
    }
  std::partial_sum(room.start.begin(), room.start.end(), room.start.begin());
  room.row = pattern.row;
  room.entry.resize(pattern.row.size());
  std::vector<int> next(room.start.begin(), room.start.end() - 1);
  for (int k = 0; k < static_cast<int>(room.column.size()); ++k)
    room.entry[next[front_of(k, room.column[k])]++] = k;
  std::size_t largest = 0;
  for (const Supernode& s : supernodes_) {
    const auto rows = static_cast<std::size_t>(s.shape.rows), rest = static_cast<std::size_t>(s.shape.rest());
    largest = std::max(largest, rows * rows);
    room.update.emplace_back(rest * rest);
  }
  room.C.resize(largest);
  room.product.resize(size_);
  return room;
}

double SparseLdl::work_of_products() const {
  double work = 0.0;
  for (const Supernode& s : supernodes_) work += 3.0 * s.shape.columns * s.shape.rows * s.shape.rows;
  return work;
}

/// From C to L_u^-1 C L_w^-T, the columns of one front; its pivots are not divided by, for L is known.
void SparseLdl::eliminate_product(const Supernode& s, const Factor& u, const Factor& w,
                                  std::vector<double>& C, std::vector<double>& product) const {
  const int rows = s.shape.rows;
  for (int p = 0; p < s.shape.columns; ++p) {
    const int end = s.shape.end_of_column(p), column = s.panel + s.shape.place(p, p) - p;
    const double *left = u.value.data() + column, *right = w.value.data() + column;
    const double* pivot_row = C.data() + static_cast<std::size_t>(p) * rows;
    const double pivot = pivot_row[p];
    product[inverse_[s.first + p]] = pivot;
    for (int i = p + 1; i < end; ++i) {
      double* row = C.data() + static_cast<std::size_t>(i) * rows;
      for (int j = p + 1; j < end; ++j)
        row[j] -= left[i] * (pivot_row[j] - pivot * right[j]) + row[p] * right[j];
    }
  }
}

const std::vector<double>& SparseLdl::null_products(const Factor& u, const Factor& w,
                                                    std::span<const double> lower,
                                                    std::span<const double> upper, Products& room) const {
  std::vector<double>& C = room.C;
  for (std::size_t front = 0; front < supernodes_.size(); ++front) {
    const Supernode& s = supernodes_[front];
    const int rows = s.shape.rows, rest = s.shape.rest();
    std::fill_n(C.begin(), static_cast<std::size_t>(rows) * rows, 0.0);
    for (int e = room.start[front]; e < room.start[front + 1]; ++e) {
      const int k = room.entry[e];
      const int i = local_row(s, order_[room.row[k]]), j = local_row(s, order_[room.column[k]]);
      C[static_cast<std::size_t>(i) * rows + j] = lower[k];
      C[static_cast<std::size_t>(j) * rows + i] = upper[k];
    }
    for (int c = 0; c < s.child_count; ++c) {
      const std::vector<double>& update = room.update[child_[s.child_start + c]];
      const Supernode& child = supernodes_[child_[s.child_start + c]];
      const int* place = relative_.data() + child.relative;
      const int count = child.shape.rest();
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          C[static_cast<std::size_t>(place[i]) * rows + place[j]] += update[i * count + j];
    }
    eliminate_product(s, u, w, C, room.product);
    for (int i = 0; i < rest; ++i)
      std::copy_n(C.begin() + static_cast<std::size_t>(s.shape.columns + i + 1) * rows - rest, rest,
                  room.update[front].begin() + static_cast<std::size_t>(i) * rest);
  }
  return room.product;
}

std::vector<double> SparseLdl::null_vector(Factor& f, int row) const {
  std::vector<double> u;
  null_vector(f, row, u);
  return u;
}

}  // namespace vinculum
