#include "equation/multifrontal.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "equation/front.hpp"

namespace vinculum {
namespace {

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

SparseLdl::SparseLdl(const LowerPattern& pattern) : size_(pattern.size) {
  order_ = minimum_degree(pattern);
  const std::vector<int> post = postorder(elimination_tree(below_diagonal(pattern, order_)));
  for (int& position : order_) position = post[position];
  inverse_.resize(size_);
  for (int i = 0; i < size_; ++i) inverse_[order_[i]] = i;
  const auto below = below_diagonal(pattern, order_);
  const auto parent = elimination_tree(below);
  build_supernodes(parent, factor_structure(below, parent));
  find_slots(pattern);
  plan_stack();
}

void SparseLdl::build_supernodes(const std::vector<int>& parent,
                                 const std::vector<std::vector<int>>& structure) {
  // A column joins the one before it when it is its parent and the zeros this brings into the dense front are
  // few: wide fronts pay by vector arithmetic and fewer index lists, zeros cost arithmetic.
  supernode_of_.assign(size_, 0);
  std::int64_t true_entries = 0;
  for (int j = 0; j < size_; ++j) {
    bool join = false;
    if (j > 0 && parent[j - 1] == j) {
      const Supernode& s = supernodes_.back();
      const std::int64_t columns = s.columns + 1, tail = static_cast<std::int64_t>(structure[j].size());
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
    ++supernodes_.back().columns;
    supernode_of_[j] = static_cast<int>(supernodes_.size()) - 1;
  }
  std::vector<std::vector<int>> children(supernodes_.size());
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    Supernode& node = supernodes_[s];
    const auto& tail = structure[node.first + node.columns - 1];
    node.rows = node.columns + static_cast<int>(tail.size());
    node.row_start = static_cast<int>(row_.size());
    row_.insert(row_.end(), tail.begin(), tail.end());
    node.panel = factor_size_;
    factor_size_ += node.rows * node.columns;
    tallest_ = std::max(tallest_, node.rows);
    node.child_start = static_cast<int>(child_.size());
    node.child_count = static_cast<int>(children[s].size());
    child_.insert(child_.end(), children[s].begin(), children[s].end());
    if (!tail.empty()) children[supernode_of_[tail.front()]].push_back(static_cast<int>(s));
  }
  // Where the rows a supernode updates stand in its parent's front.
  for (Supernode& node : supernodes_) {
    node.relative = static_cast<int>(relative_.size());
    const int updates = node.rows - node.columns;
    if (updates == 0) continue;
    const Supernode& up = supernodes_[supernode_of_[row_[node.row_start]]];
    const int* up_rows = row_.data() + up.row_start;
    for (int k = 0; k < updates; ++k) {
      const int i = row_[node.row_start + k];
      relative_.push_back(
          i < up.first + up.columns
              ? i - up.first
              : up.columns +
                    static_cast<int>(std::lower_bound(up_rows, up_rows + up.rows - up.columns, i) - up_rows));
    }
  }
}

void SparseLdl::find_slots(const LowerPattern& p) {
  slot_.resize(p.row.size());
  for (int j = 0; j < p.size; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      const auto [column, i] = std::minmax(order_[p.row[k]], order_[j]);
      const Supernode& s = supernodes_[supernode_of_[column]];
      const int* rows = row_.data() + s.row_start;
      const int local =
          i < s.first + s.columns
              ? i - s.first
              : s.columns + static_cast<int>(std::lower_bound(rows, rows + s.rows - s.columns, i) - rows);
      slot_[k] = s.panel + (column - s.first) * s.rows + local;
    }
}

void SparseLdl::plan_stack() {
  // A front's update is made above its children's and then moved down over them.
  std::vector<int> update(supernodes_.size());
  int top = 0;
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    const Supernode& node = supernodes_[s];
    const int rest = node.rows - node.columns;
    update[s] = rest * rest;
    stack_size_ = std::max(stack_size_, top + update[s]);
    for (int c = 0; c < node.child_count; ++c) top -= update[child_[node.child_start + c]];
    top += update[s];
  }
}

SparseLdl::Factor SparseLdl::make_factor() const {
  Factor f;
  f.value.assign(factor_size_, 0.0);
  f.pivot.assign(size_, 0.0);
  f.inverse.assign(size_, 0.0);
  f.stack.assign(stack_size_, 0.0);
  f.permuted.assign(size_, 0.0);
  f.gathered.assign(tallest_, 0.0);
  return f;
}

void SparseLdl::clear(Factor& f) const { std::fill(f.value.begin(), f.value.end(), 0.0); }

void SparseLdl::factorize(Factor& f, std::span<const double> reference, double tolerance) const {
  double* top = f.stack.data();
  f.dropped = 0;
  for (const Supernode& s : supernodes_) {
    const int rest = s.rows - s.columns;
    double* panel = f.value.data() + s.panel;
    double* update = top;
    std::fill_n(update, static_cast<std::ptrdiff_t>(rest) * rest, 0.0);
    for (int c = s.child_count - 1; c >= 0; --c) {  // the last child's update lies on top of the stack
      const Supernode& child = supernodes_[child_[s.child_start + c]];
      const int k = child.rows - child.columns;
      top -= k * k;
      extend_add(top, k, relative_.data() + child.relative, panel, s.rows, s.columns, update);
    }
    f.dropped +=
        eliminate_front(panel, s.rows, s.columns, update, f.pivot.data() + s.first,
                        f.inverse.data() + s.first, inverse_.data() + s.first, reference.data(), tolerance);
    if (update != top)
      std::copy_n(update, static_cast<std::ptrdiff_t>(rest) * rest, top);  // downwards: may overlap
    top += rest * rest;
  }
}

void SparseLdl::solve(Factor& f, std::span<double> x) const {
  double* y = f.permuted.data();
  for (int i = 0; i < size_; ++i) y[i] = x[inverse_[i]];
  for (const Supernode& s : supernodes_)
    forward_front(f.value.data() + s.panel, s.rows, s.columns, row_.data() + s.row_start, y, s.first,
                  f.gathered.data());
  for (int i = 0; i < size_; ++i) y[i] *= f.inverse[i];
  for (auto s = supernodes_.rbegin(); s != supernodes_.rend(); ++s)
    backward_front(f.value.data() + s->panel, s->rows, s->columns, row_.data() + s->row_start, y, s->first,
                   f.gathered.data());
  for (int i = 0; i < size_; ++i) x[inverse_[i]] = y[i];
}

std::vector<int> SparseLdl::dropped_rows(const Factor& f) const {
  std::vector<int> rows;
  for (int i = 0; i < size_; ++i)
    if (f.inverse[i] == 0.0) rows.push_back(inverse_[i]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void SparseLdl::null_vector(Factor& f, int row, std::vector<double>& u) const {
  // S = L D L^T gives S u = D_k L e_k for L^T u = e_k.
  std::fill(f.permuted.begin(), f.permuted.end(), 0.0);
  f.permuted[order_[row]] = 1.0;
  for (auto s = supernodes_.rbegin(); s != supernodes_.rend(); ++s)
    backward_front(f.value.data() + s->panel, s->rows, s->columns, row_.data() + s->row_start,
                   f.permuted.data(), s->first, f.gathered.data());
  u.resize(size_);
  for (int i = 0; i < size_; ++i) u[inverse_[i]] = f.permuted[i];
}

std::vector<double> SparseLdl::null_vector(Factor& f, int row) const {
  std::vector<double> u;
  null_vector(f, row, u);
  return u;
}

}  // namespace vinculum
