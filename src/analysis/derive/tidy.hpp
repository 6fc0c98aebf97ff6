// Expressions rewritten for reading: factored, like terms together, numbers and parameters first.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::derive {

/// k * product of base^power. A base is a symbol, a function or a sum; a sum of several terms is one base and
/// is never multiplied out. Factors are in the order of their bases' ids, so that equal products compare
/// equal.
struct Product {
  struct Factor {
    Expr base;
    int power = 1;
  };
  double k = 0.0;
  std::vector<Factor> factors;
  bool is_zero() const { return k == 0; }
};

/// k as whole / whole where that is the very same number and shorter to read: 2/3 for 0.6666666666666666.
/// Else k / 1.
std::pair<double, double> fraction(double k);

/// Reads expressions of a model and writes them anew in a graph of its own. Values stay the same to rounding
/// wherever the original is finite: x - x and 0*x become 0, m*g/m becomes g.
class Tidy {
 public:
  /// `rename` says how a symbol of the model is written.
  Tidy(const Model& model, std::function<std::string(const Expr& symbol)> rename);

  Product read(const Expr& e);
  Product sum(std::vector<Product> terms);
  Product function(Op op, const std::vector<Product>& arguments);
  Expr write(const Product& p) const;

  /// The terms of a base that is a sum, else nothing; the arguments of one that is a function, else nothing.
  const std::vector<Product>* terms_of(const Expr& base) const;
  const std::vector<Product>* arguments_of(const Expr& base) const;
  /// Like terms together, in the order they were met. What is left of terms that cancel but for rounding is
  /// 0.
  static void merge(std::vector<Product>& terms);

  static Product number(double k) { return {k, {}}; }
  static Product times(const Product& a, const Product& b);
  static Product over(const Product& a, const Product& b);
  static Product negative(const Product& a) { return {-a.k, a.factors}; }
  /// The largest whole number, or the size they share, that can be taken out of all of them, with their sign
  /// where they have one. 1 where there is none.
  static double common_number(const std::vector<Product>& terms);
  using Key = std::vector<std::pair<NodeId, int>>;  ///< bases and powers
  static Key key_of(const Product& p);
  Graph& graph() const { return *graph_; }

 private:
  Product read_node(const Expr& e);
  Product read_sum(const Expr& e);
  Product read_product(const Expr& e);
  Product read_function(const Expr& e);
  Product read_symbol(const Expr& e);
  Product known(const Expr& e) const;
  Product known_or_read(const Expr& e);
  std::vector<Expr> parts(const Expr& e) const;  // what must be read before e
  bool continues_sum(const Expr& e) const;
  void measure(const std::vector<NodeId>& nodes);
  static void gather(Product& p);
  static void keep_common(Product& common, const Product& term);
  static Product take_common(std::vector<Product>& terms);
  bool splice(std::vector<Product>& terms) const;
  Product base_of_sum(std::vector<Product>& terms);
  Expr power_of(const Product::Factor& f) const;

  const Model& model_;
  std::function<std::string(const Expr&)> rename_;
  GraphRef graph_ = GraphRef::create();
  std::unordered_map<NodeId, Product> known_;                   // node of the model -> what it is here
  std::unordered_map<NodeId, std::vector<Product>> sums_;       // sum of this graph -> its terms
  std::unordered_map<NodeId, std::vector<Product>> arguments_;  // function of this graph -> what it is of
  std::map<std::vector<std::pair<Key, double>>, Expr> sum_of_;
  std::unordered_map<NodeId, std::pair<int, int>> rank_;  // symbol of this graph -> its place in a product
  std::unordered_map<NodeId, int> uses_, size_;           // of the model's nodes below what is being read
};

}  // namespace vinculum::derive
