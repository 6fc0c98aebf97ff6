// What the pictures show.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

void Reader::read_view() {
  const Entry* view = top("view");
  if (view == nullptr) return;
  const auto keys = table_format("view").keys;
  table_of(*view, keys, "[view]");
  file_.view.up = word(view->find("up"), keys[0], "'up' in [view]", "");
  file_.view.automatic = truth(view->find("automatic"), "'automatic' in [view]", true);
  using ReadPart = void (Reader::*)(const Entry&);
  for (const auto& [name, read] : {std::pair<const char*, ReadPart>{"points", &Reader::read_view_points},
                                   {"links", &Reader::read_view_links},
                                   {"curves", &Reader::read_view_curves},
                                   {"arrows", &Reader::read_view_arrows}}) {
    const Entry* part = view->find(name);
    if (part == nullptr) continue;
    if (part->kind == Entry::Kind::table)
      (this->*read)(*part);
    else
      note(part->at, fmt::format("[view.{}] is {}; a table is asked for", name, kind_name(part->kind)));
  }
}

/// Of what has a name of its own in results.
void Reader::read_units() {
  const Entry* table = top("units");
  if (table == nullptr || table->kind != Entry::Kind::table) return;
  std::unordered_set<std::string> known{"t"};
  if (model_.mechanics() != Mechanics::none) known.insert("energy");
  for (const auto& c : model_.coordinates()) known.insert(c.name);
  for (const auto& v : model_.velocities()) known.insert(v.name);
  for (const auto& o : model_.outputs()) known.insert(o.name);
  for (const std::string& part : std::vector<std::string>(known.begin(), known.end()))
    if (const std::string vector = Units::vector_of(part); !vector.empty()) known.insert(vector);
  for (const Entry& entry : table->entries) {
    const auto odd = [](unsigned char c) { return c < 32 || c == 127; };
    if (!known.contains(entry.key)) {
      note(entry.key_at,
           fmt::format("there is no '{}' to have a unit: t, energy, coordinates, velocities and "
                       "outputs have",
                       entry.key));
      suggest(entry.key, [known] { return std::vector<std::string>(known.begin(), known.end()); });
    } else if (entry.kind != Entry::Kind::text) {
      note(entry, fmt::format("the unit of '{}' is {}; a text is asked for, \"m/s\" for example", entry.key,
                              kind_name(entry.kind)));
    } else if (entry.text.empty() || entry.text.size() > 40 || std::ranges::any_of(entry.text, odd)) {
      note(entry,
           fmt::format("the unit of '{}' must have 1 to 40 characters, none of them a control character",
                       entry.key));
    } else {
      file_.units.told.emplace_back(entry.key, entry.text);
    }
  }
}

void Reader::read_view_points(const Entry& table) {
  for (const Entry& entry : table.entries) {
    const std::string what = "view point '" + entry.key + "'";
    const Entry* at = &entry;
    bool trail = true;
    if (entry.kind == Entry::Kind::table) {
      table_of(entry, table_format("points").keys, what);
      trail = truth(entry.find("trail"), "'trail' of " + what, true);
      at = entry.find("at");
      if (at == nullptr) continue;
    }
    const Value place = vector(*at, {.what = what, .reach = Reach::positions, .ground = true, .view = true});
    view_points_.insert_or_assign(entry.key, place);
    if (place.is(Value::Kind::vector)) file_.view.points.push_back({entry.key, place.vector, trail});
  }
}

void Reader::read_view_links(const Entry& table) {
  for (const Entry& entry : table.entries) {
    const std::string what = "view link '" + entry.key + "'";
    const Entry* between = &entry;
    std::string kind = "rod";
    if (entry.kind == Entry::Kind::table) {
      const auto keys = table_format("links").keys;
      table_of(entry, keys, what);
      kind = word(entry.find("kind"), keys[1], "the kind of " + what, kind);
      between = entry.find("between");
      if (between == nullptr) continue;
    }
    View::Link link{entry.key,
                    {},
                    {},
                    kind == "rod"      ? View::LinkKind::rod
                    : kind == "spring" ? View::LinkKind::spring
                                       : View::LinkKind::line};
    if (pair(*between, {.what = what, .reach = Reach::positions, .ground = true, .view = true}, link.from,
             link.to))
      file_.view.links.push_back(link);
  }
}

void Reader::read_view_curves(const Entry& table) {
  for (const Entry& entry : table.entries) read_view_curve(entry);
}

/// The curve's own `s` is put in place point by point.
void Reader::read_view_curve(const Entry& entry) {
  const std::string what = "view curve '" + entry.key + "'";
  if (table_of(entry, table_format("curves").keys, what) == nullptr) return;
  const Entry *at = entry.find("at"), *range = entry.find("s");
  const int pieces = count(entry.find("pieces"), "'pieces' of " + what, 1, 2000, 96);
  if (at == nullptr || range == nullptr) return;
  if (range->kind != Entry::Kind::array || range->entries.size() != 2) {
    note(range->at, fmt::format("'s' of {} is two numbers: s = [0, \"2*pi\"]", what));
    return;
  }
  const double from = number(&range->entries[0], "'s' of " + what, 0.0),
               to = number(&range->entries[1], "'s' of " + what, 1.0);
  View::Curve curve{entry.key, {}};
  const std::size_t before = faults.size();
  const auto outer = view_points_.find("s");
  const std::optional<Value> hidden =
      outer == view_points_.end() ? std::nullopt : std::optional(outer->second);
  for (int k = 0; k <= pieces && faults.size() == before; ++k) {
    view_points_.insert_or_assign("s", Value(Expr(from + (to - from) * k / pieces)));
    const Value place = vector(*at, {.what = what, .reach = Reach::positions, .ground = true, .view = true});
    if (place.is(Value::Kind::vector)) curve.points.push_back(place.vector);
  }
  if (hidden)
    view_points_.insert_or_assign("s", *hidden);
  else
    view_points_.erase("s");
  if (faults.size() == before) file_.view.curves.push_back(std::move(curve));
}

void Reader::read_view_arrows(const Entry& table) {
  for (const Entry& entry : table.entries) {
    const std::string what = "view arrow '" + entry.key + "'";
    if (table_of(entry, table_format("arrows").keys, what) == nullptr) continue;
    const Entry *at = entry.find("at"), *along = entry.find("along");
    if (at == nullptr || along == nullptr) continue;
    const Value place = vector(*at, {.what = what, .reach = Reach::positions, .ground = true, .view = true});
    const Value force =
        vector(*along, {.what = what, .reach = Reach::accelerations, .forces = true, .view = true});
    if (place.is(Value::Kind::vector) && force.is(Value::Kind::vector))
      file_.view.arrows.push_back({entry.key, place.vector, force.vector});
  }
}

}  // namespace vinculum
