// Shorter forms of an expression: sums rewritten with what is known to be zero, where that leaves less to
// read.
#pragma once
#include <set>
#include <unordered_map>
#include <vector>

#include "analysis/derive/relations.hpp"

namespace vinculum::derive {

/// From the inside out every sum is tried as it stands, multiplied out and over one denominator, each of them
/// reduced by a bounded search with the identities of its functions and the relations given. What is not
/// strictly shorter than before is not taken. Sums too long or too deep for the search, and all of them once
/// the effort is spent, stay as they are.
class Shortening {
 public:
  Shortening(Tidy& tidy, std::vector<Relation> given, Effort& effort);

  Product shorter(const Product& p) { return shorter(p, 0); }
  int length(const Product& p) { return length_of(p); }  ///< a long function as long as a name
  bool changed() const { return changed_; }
  const std::set<int>& constraints_used() const { return used_; }

 private:
  struct Candidate {
    Terms terms;
    std::set<int> used;  ///< constraints
    int length = 0;
  };
  Product shorter(const Product& p, int depth);
  Product shorter_base(const Expr& base, int depth);
  Product shorter_sum(const Terms& terms);
  Product cancelled(const Product& p);
  Product standard_form(const Expr& base);
  bool worth_trying(const Terms& terms) const;
  Candidate reduced(const Terms& terms);
  std::vector<Candidate> moves(const Candidate& from);
  void add_replacements(const Candidate& from, const Relation& by, std::vector<Candidate>& to);
  void add_multiples(const Candidate& from, const Relation& by, std::vector<Candidate>& to);
  Candidate made(const Candidate& from, const Relation& by, Terms terms);
  int length_of(const Product& p) { return length_.of(tidy_.write(p)); }

  Tidy& tidy_;
  const std::vector<Relation> given_;
  Effort& effort_;
  Length length_;
  std::unordered_map<NodeId, Product> known_;  // base -> its shorter form
  std::set<int> used_;
  bool changed_ = false;
};

}  // namespace vinculum::derive
