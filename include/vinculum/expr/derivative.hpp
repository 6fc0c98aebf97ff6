// Derivatives of expressions: by a symbol, all at once, and along time.
#pragma once
#include <span>
#include <unordered_set>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/node_map.hpp"

namespace vinculum {

/// What stands for which symbol: the rate of each symbol in a time derivative (x -> x', x' -> x''), or what
/// replaces it.
class VINCULUM_EXPORT SymbolMap {
 public:
  void set(const Expr& symbol, const Expr& value);
  /// The symbol is replaced by nothing: a zero that takes along what it multiplies, whatever that is, as the
  /// zeros of vectors do.
  void set_nothing(const Expr& symbol);
  const Expr* find(NodeId symbol) const { return map_.find(symbol); }
  bool is_nothing(NodeId symbol) const { return nothing_.contains(symbol); }
  bool empty() const { return map_.empty(); }

 private:
  NodeMap<Expr> map_;
  std::unordered_set<NodeId> nothing_;
};

/// df/dsymbol. The derivative of abs is sign, of sign 0, of min, max and if that of the chosen branch.
VINCULUM_EXPORT Expr derivative(const Expr& f, const Expr& symbol);

/// df/ds for each symbol, in one backward sweep: its cost does not grow with the number of symbols.
VINCULUM_EXPORT std::vector<Expr> gradient(const Expr& f, std::span<const Expr> symbols);

/// One entry of a Jacobian that is not identically zero.
struct JacobianEntry {
  int row = 0;
  int column = 0;
  Expr value;
};
/// The entries of d f_i / d s_j that do not vanish identically, row by row, columns rising.
VINCULUM_EXPORT std::vector<JacobianEntry> jacobian(std::span<const Expr> f, std::span<const Expr> symbols);

/// df/dt when each symbol s changes at the rate given for it; symbols without a rate stand still.
VINCULUM_EXPORT Expr time_derivative(const Expr& f, const SymbolMap& rates);
/// The same where rates are in either of two maps.
VINCULUM_EXPORT Expr time_derivative(const Expr& f, const SymbolMap& rates, const SymbolMap& more);

/// f with each mapped symbol replaced, all at once.
VINCULUM_EXPORT Expr substitute(const Expr& f, const SymbolMap& replacement);

/// The symbols the expressions contain, in the order a reader meets them.
VINCULUM_EXPORT std::vector<Expr> symbols_of(std::span<const Expr> f);

}  // namespace vinculum
