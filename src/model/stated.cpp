// The symbols of a model and their names.
#include "vinculum/model/stated.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

StatedModel::StatedModel() : shared_graph(GraphRef::create()) {
  rates.set(new_symbol("t", Role::time, 0), 1);
}

Expr StatedModel::new_symbol(std::string_view name, Role role, int index) {
  const Expr symbol = graph().symbol(name);
  give_role(symbol, role, index);
  return symbol;
}

Expr StatedModel::claim_name(std::string_view name, const char* what) {
  if (!is_name(name) || is_reserved_word(name)) {
    const std::string one = std::string("a ") + what;
    require_name(name, one);
    require_not_reserved(name, one);
  }
  const Expr symbol = graph().symbol(name);
  const auto [other, is_new] = claimed.emplace(symbol.id(), what);
  if (!is_new && *other != nullptr) refuse_taken_name(name, std::string("a ") + *other);
  *other = what;
  return symbol;
}

void StatedModel::release_name(std::string_view name) {
  claimed.insert_or_assign(graph().symbol(name).id(), nullptr);
}

SymbolRole StatedModel::role(const Expr& symbol) const {
  if (!symbol.is_symbol() || symbol.graph() != shared_graph.get())
    fail("a symbol of this model is asked for");
  const SymbolRole* found = roles.find(symbol.id());
  if (found == nullptr) fail("unknown name '" + symbol.name() + "'");
  return *found;
}

Expr StatedModel::at_start(const Expr& e) const {
  if (e.is_constant()) return e;
  if (e.is_symbol()) {
    const SymbolRole which = role(e);
    if (which.role == Role::coordinate) return coordinates[which.index].start_from;
    if (which.role == Role::velocity) return velocities[which.index].start_from;
  }
  SymbolMap starts;
  const Expr whole = written_out(e);
  for (const Expr& s : symbols_of({&whole, 1})) {
    const SymbolRole which = role(s);
    if (which.role == Role::coordinate) starts.set(s, coordinates[which.index].start_from);
    if (which.role == Role::velocity) starts.set(s, velocities[which.index].start_from);
  }
  return starts.empty() ? whole : substitute(whole, starts);
}

std::string StatedModel::name_of(const Part& part, const std::string& what) const {
  if (part.body() == nullptr) return "ground";
  // In a plane one of the two is a coordinate.
  for (const Expr& place :
       {static_cast<const Expr&>(part.body()->x), static_cast<const Expr&>(part.body()->y)})
    if (place.graph() == &graph())
      if (const int* found = body_at.find(place.id())) return bodies[*found].name;
  fail(what + " is given a body of another model");
}

int StatedModel::velocity_of(const Expr& coordinate, const char* what) const {
  if (coordinate.is_symbol() && coordinate.graph() == shared_graph.get()) {
    const SymbolRole which = role(coordinate);
    if (which.role == Role::velocity) return which.index;
    if (const int* found = own_velocities.find(coordinate.id())) return *found;
  }
  fail(std::string(what) + " acts on a coordinate of this model or on a speed; something else was given");
}

int StatedModel::velocity_of_coordinate(int coordinate) const {
  const int* found = own_velocities.find(coordinates[coordinate].symbol.id());
  return found == nullptr ? -1 : *found;
}

}  // namespace vinculum
