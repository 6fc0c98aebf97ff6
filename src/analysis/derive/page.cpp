#include "analysis/derive/page.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "vinculum/base/text.hpp"
#include "vinculum/lower/symbols.hpp"

namespace vinculum::derive {

std::string label_of(std::string velocity) {
  if (velocity.back() == '\'') velocity.pop_back();
  return velocity;
}

std::vector<Definition> Page::needed(const std::vector<Expr>& used,
                                     std::unordered_set<NodeId>& written) const {
  std::unordered_set<NodeId> open;
  for (const Expr& s : symbols_of(used)) open.insert(s.id());
  std::vector<Definition> found;
  for (std::size_t k = shared.size(); k-- > 0;) {
    const NodeId id = shared[k].symbol.id();
    if (!open.contains(id) || !written.insert(id).second) continue;
    found.push_back(shared[k]);
    for (const Expr& s : symbols_of({&shared[k].value, 1})) open.insert(s.id());
  }
  std::reverse(found.begin(), found.end());
  return found;
}

namespace {

ReadEquations read_equations(Tidy& tidy, const SymbolicEquations& e, Shortening* shortening) {
  const auto one = [&](const Expr& x) {
    const Product p = tidy.read(x);
    return shortening ? shortening->shorter(p) : p;
  };
  const auto all = [&](const std::vector<Expr>& from) {
    std::vector<Product> to;
    for (const Expr& x : from) to.push_back(one(x));
    return to;
  };
  const auto entries = [&](const std::vector<SymbolicEquations::Entry>& from) {
    std::vector<ReadEquations::Entry> to;
    for (const auto& x : from)
      if (const Product value = one(x.value); !value.is_zero()) to.push_back({x.row, x.column, value});
    return to;
  };
  ReadEquations read{entries(e.M), entries(e.A), all(e.Q), all(e.b), all(e.C), {}};
  for (const auto& rate : e.rates) read.rates.push_back(one(rate.value));
  return read;
}

void write_equations(Page& page, const ReadEquations& e) {
  const Tidy& tidy = *page.tidy;
  const auto all = [&](const std::vector<Product>& from) {
    std::vector<Expr> to;
    for (const Product& x : from) to.push_back(tidy.write(x));
    return to;
  };
  const auto entries = [&](const std::vector<ReadEquations::Entry>& from) {
    std::vector<SymbolicEquations::Entry> to;
    for (const auto& x : from) to.push_back({x.row, x.column, tidy.write(x.value)});
    return to;
  };
  page.M = entries(e.M);
  page.Q = all(e.Q);
  page.A = entries(e.A);
  page.b = all(e.b);
  page.C = all(e.C);
  page.rates = all(e.rates);
  std::vector<char> massive(e.Q.size(), 0);
  for (const auto& m : page.M) {
    massive[m.row] = 1;
    if (m.row != m.column) page.diagonal = false;
  }
  page.massless = std::count(massive.begin(), massive.end(), 0) > 0;
}

/// Everything that is shown. An entry below the diagonal of M is shown as the one above.
void name_repeated(Page& page, FreshNames& names) {
  std::vector<Expr*> counted, others;
  const auto add = [&](std::vector<Expr>& list) {
    for (Expr& e : list) counted.push_back(&e);
  };
  add(page.rates);
  for (auto& m : page.M) (m.row <= m.column ? counted : others).push_back(&m.value);
  add(page.Q);
  if (!page.closed.exists) add(page.closed.free);
  for (auto& a : page.A) counted.push_back(&a.value);
  add(page.b);
  add(page.C);
  for (Definition& step : page.closed.steps) counted.push_back(&step.value);
  for (auto& row : page.closed.rows)
    for (Expr& e : row.direction) others.push_back(&e);
  add(page.closed.acceleration);
  add(page.closed.force);
  add(page.closed.nonideal);
  add(page.closed.multipliers);
  add(page.closed.gauss);
  add(page.closed.least_gauss);
  page.shared = name_shared(page.tidy->graph(), counted, others, names);
}

/// Everything there is to read on a page, its names written out.
int length_of(const Page& page) {
  Graph& graph = page.tidy->graph();
  Length length(graph);
  long sum = 0;
  const auto add = [&](const std::vector<Expr>& list) {
    for (const Expr& e : list) sum += length.of(e);
  };
  for (const auto& list : {page.rates, page.Q, page.b, page.C}) add(list);
  for (const auto& entries : {page.M, page.A})
    for (const auto& x : entries) sum += length.of(x.value);
  const ExplicitEquations& form = page.closed;
  for (const Definition& step : form.steps) length.define(step.symbol, step.value);
  add(form.exists ? form.acceleration : form.free);
  for (std::size_t i = 0; i < form.acceleration.size(); ++i)
    length.define(graph.symbol(page.acceleration[i]), form.acceleration[i]);
  for (const auto& list : {form.force, form.nonideal, form.multipliers, form.least_gauss}) add(list);
  return static_cast<int>(std::min<long>(sum, std::numeric_limits<int>::max()));
}

/// The same with the names as they stand.
int length_with_names(const Page& page) {
  Length length(page.tidy->graph());
  long sum = 0;
  const auto add = [&](const std::vector<Expr>& list) {
    for (const Expr& e : list) sum += length.of(e);
  };
  for (const auto& definitions : {page.shared, page.closed.steps})
    for (const Definition& d : definitions) sum += 2 + length.of(d.value);
  for (const auto& list : {page.rates, page.Q, page.b, page.C, page.closed.acceleration, page.closed.force,
                           page.closed.nonideal, page.closed.multipliers})
    add(list);
  for (const auto& entries : {page.M, page.A})
    for (const auto& x : entries) sum += length.of(x.value);
  return static_cast<int>(std::min<long>(sum, std::numeric_limits<int>::max()));
}

}  // namespace

std::string force_words(const Model& model, std::size_t rows) {
  std::vector<std::string> driven;
  for (const auto& s : model.servos()) driven.push_back("'" + model.constraints()[s.constraint].name + "'");
  const std::string plain = rows == 1 ? "force of the constraint" : "force of the constraints";
  if (driven.empty()) return plain;
  const std::string names = list_text(driven, driven.size());
  if (driven.size() == model.constraints().size()) return "control force of " + names;
  return plain + " (that of " + names + " is a control force)";
}

ParameterWords parameter_words(const Model& model) {
  using Kind = Model::ParameterData::Kind;
  ParameterWords words;
  for (const auto& p : model.parameters()) {
    if (p.kind == Kind::number) words.numbers.push_back(&p);
    if (p.kind == Kind::open) (p.stated.empty() ? words.open : words.made).push_back(&p);
    if (p.kind == Kind::function) words.functions.push_back(&p);
  }
  std::vector<Expr> forces;
  for (const Model::ForceData& f : model.forces()) forces.push_back(f.value);
  for (const auto& f : functions_of(forces)) words.opaque.push_back(f->name);
  return words;
}

std::string least_words(const Model& model, const Page& page) {
  return std::string(page.C.empty() ? "motion" : "ideal motion") +
         (model.lagrangians().empty() ? "" : " where M is positive definite");
}

std::string least_norm_words(const Page& page) {
  std::vector<std::string> names;
  for (const std::string& row : page.row) names.push_back("'" + row + "'");
  return "the rows " + list_text(names) +
         " depend on each other, or some are zero: of their multipliers these are the shortest";
}

std::string on_constraints_words(const Page& page) {
  std::vector<std::string> names;
  for (const std::string& name : page.on_constraints) names.push_back("'" + name + "'");
  const bool one = names.size() == 1;
  return "on the constraints: " + list_text(names, names.size()) + (one ? " is" : " are") +
         " used to shorten what follows, which holds only where " + (one ? "it is" : "they are") +
         " satisfied";
}

namespace {

/// How far a page is shortened.
enum class Shorter { not_at_all, by_identities, on_constraints };

/// Terms made in the search for shorter forms: about a tenth of a second.
constexpr long effort_of_a_page = 200'000;
/// Of a closed form, before those that follow from others are taken out.
constexpr std::size_t most_rows = 24;

class PageMaker {
 public:
  PageMaker(const Model& model, const std::function<std::string(const Expr&)>& name_of,
            const std::function<std::string(const std::string&)>& looks)
      : model_(model), name_of_(name_of), looks_(looks), e_(symbolic_equations(model)) {}

  /// The pages are made from the shortest on, and the next is only made where something was shortened: a form
  /// is only replaced by one with less to read.
  Page make(const DeriveOptions& options) {
    Page shortest = page_of(options.on_constraints ? Shorter::on_constraints : Shorter::by_identities);
    if (!changed_) {
      shortest.length_as_stated = shortest.length;
      return shortest;
    }
    Page page = page_of(Shorter::not_at_all);
    const int length_as_stated = page.length;
    if (!shortest.on_constraints.empty()) keep_shorter(page, page_of(Shorter::by_identities));
    keep_shorter(page, std::move(shortest));
    page.length_as_stated = length_as_stated;
    return page;
  }

 private:
  /// Shorter formulas may share less, so that the page with its names gets longer: they must be worth it.
  static void keep_shorter(Page& page, Page&& other) {
    const bool no_longer = other.length_with_names <= page.length_with_names;
    const bool far_shorter = other.length <= page.length - page.length / 3;
    const bool shorter = other.length < page.length && (no_longer || far_shorter);
    const bool solved =
        other.closed.exists && !page.closed.exists;  // what is known makes a closed form possible
    if (solved || (shorter && other.closed.exists == page.closed.exists)) page = std::move(other);
  }

  Page page_of(Shorter how) {
    Page page;
    page.tidy = std::make_shared<Tidy>(model_, name_of_);
    name_parts(page);
    Effort effort{effort_of_a_page};
    Shortening always(*page.tidy, {}, effort);
    const bool shorten = how != Shorter::not_at_all;
    const ReadEquations read = read_equations(*page.tidy, e_, shorten ? &always : nullptr);
    write_equations(page, read);
    FreshNames names(model_, looks_);
    const std::string gauss_name = names.take("G");
    if (how == Shorter::on_constraints && could_close(page)) {
      Shortening where_held(*page.tidy, relations_of_constraints(*page.tidy, model_, effort), effort);
      close(page, read, names, &always, &where_held);
      if (page.closed.exists)
        for (const int c : where_held.constraints_used())
          page.on_constraints.push_back(model_.constraints()[c].name);
      changed_ = changed_ || where_held.changed();
    } else {
      close(page, read, names, shorten ? &always : nullptr, shorten ? &always : nullptr);
    }
    changed_ = changed_ || always.changed();
    page.closed.gauss_name = gauss_name;
    page.length = length_of(page);
    name_repeated(page, names);
    page.length_with_names = length_with_names(page);
    return page;
  }

  void name_parts(Page& page) const {
    for (const auto& v : model_.velocities()) {
      page.velocity.push_back(label_of(v.name));
      page.acceleration.push_back(v.acceleration.name());
    }
    page.row = e_.rows;
    page.vakonomic = model_.mechanics() == Mechanics::vakonomic;
    page.without_mechanics = model_.mechanics() == Mechanics::none;
    for (const auto& rate : e_.rates)
      page.coordinate.push_back(name_of_(model_.coordinates()[rate.coordinate].symbol));
    for (const Expr& c : e_.C) page.nonideal_after = page.nonideal_after || depends_on_multipliers(model_, c);
  }

  static bool could_close(const Page& page) { return !page.row.empty() && page.row.size() <= most_rows; }

  void close(Page& page, const ReadEquations& read, FreshNames& names, Shortening* always,
             Shortening* where_held) {
    close_form(page, read, names, always, where_held);
    if (!page.closed.exists || page.closed.kept.empty()) return;
    const auto [known, is_new] = dependence_.emplace(page.closed.kept, "");
    if (is_new) known->second = dependence_on_constraints(model_, page.row, page.closed.kept);
    page.why_not_closed = known->second;
    if (page.why_not_closed.empty()) return;
    const std::vector<Expr> free = page.closed.free, gauss = page.closed.gauss;
    page.closed = {};
    page.closed.free = free;
    page.closed.gauss = gauss;
  }

  const Model& model_;
  const std::function<std::string(const Expr&)>& name_of_;
  const std::function<std::string(const std::string&)>& looks_;
  const SymbolicEquations e_;
  std::map<std::vector<int>, std::string> dependence_;  // of rows, asked for once
  bool changed_ = false;                                // some form was shortened on some page
};

}  // namespace

Page make_page(const Model& model, const std::function<std::string(const Expr&)>& name_of,
               const std::function<std::string(const std::string&)>& looks, const DeriveOptions& options) {
  return PageMaker(model, name_of, looks).make(options);
}

}  // namespace vinculum::derive
