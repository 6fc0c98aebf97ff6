#include "vinculum/io/schema.hpp"

#include <nlohmann/json.hpp>

#include "io/model/format.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::ordered_json;

Json text(const char* pattern = nullptr) {
  Json schema{{"type", "string"}};
  if (pattern != nullptr) schema["pattern"] = pattern;
  return schema;
}

Json one_of(std::initializer_list<Json> list) { return Json{{"anyOf", Json(list)}}; }

Json expression() { return one_of({Json{{"type", "number"}}, text()}); }

Json array_of(const Json& item, int count) {
  return Json{{"type", "array"}, {"items", item}, {"minItems", count}, {"maxItems", count}};
}

Json object(std::span<const KeyFormat> keys);

Json schema_of(Form form, std::string_view words) {
  switch (form) {
    case Form::text:
    case Form::name:
      return text();
    case Form::expression:
    case Form::constant:
      return expression();
    case Form::vector:
    case Form::constants:
      return one_of({text(), array_of(expression(), 3)});
    case Form::equation:
      return text("=");
    case Form::pair:
      return array_of(one_of({Json{{"type", "number"}}, text(), array_of(expression(), 3)}), 2);
    case Form::count:
      return one_of({Json{{"type", "integer"}}, text()});
    case Form::truth:
      return Json{{"type", "boolean"}};
    case Form::names:
      return Json{{"type", "array"}, {"items", text()}, {"minItems", 1}};
    case Form::joints:
      return Json{{"type", "array"},
                  {"items", one_of({text(), Json{{"type", "object"}, {"required", {"name", "type"}}}})},
                  {"minItems", 2}};
    case Form::numbers:
      return one_of({expression(), Json{{"type", "array"}, {"items", expression()}}});
    case Form::truths:
      return one_of(
          {Json{{"type", "boolean"}}, Json{{"type", "array"}, {"items", Json{{"type", "boolean"}}}}});
    case Form::word: {
      Json choices = Json::array();
      for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        choices.push_back(words.substr(at, end - at));
        at = end + 1;
      }
      return Json{{"enum", choices}};
    }
    case Form::table:
      return Json{{"type", "object"}};
    case Form::any:
      return one_of({Json{{"type", "number"}}, text(), array_of(expression(), 3)});
    case Form::inertia:
      return one_of({expression(), array_of(one_of({expression(), array_of(expression(), 3)}), 3)});
    case Form::orientation:
      return one_of({array_of(expression(), 4), object(orientation_keys())});
    case Form::limits:
      return array_of(expression(), 2);
    case Form::numbers_list:
      return Json{{"type", "array"}, {"items", expression()}, {"minItems", 1}};
    case Form::solid:
      return object(solid_keys());
  }
  return {};
}

Json described(Json schema, std::string_view doc) {
  schema["description"] = doc;
  return schema;
}

Json object(std::span<const KeyFormat> keys) {
  Json schema{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  Json needed = Json::array();
  for (const KeyFormat& key : keys) {
    schema["properties"][std::string(key.name)] = described(schema_of(key.form, key.words), key.doc);
    if (key.needed) needed.push_back(key.name);
  }
  if (!needed.empty()) schema["required"] = needed;
  return schema;
}

Json repetition() {
  return described(text("="), "Repeats the entry, once for every value of its index: \"i = 1..n\".");
}

/// The long form of an entry: its keys, or the value of one that is repeated and has none.
Json long_form(const TableFormat& format) {
  Json entry = object(format.keys);
  if (format.keys.empty()) {
    entry["properties"]["value"] = described(schema_of(format.entry, {}), "What every element is.");
    entry["required"] = Json::array({"for", "value"});
  }
  entry["properties"]["for"] = repetition();
  return entry;
}

Json table(const TableFormat& format) {
  if (!format.user_keys) return object(format.keys);
  if (format.name == "ensemble") {  // settings, and names of what varies
    Json schema = object(ensemble_keys());
    schema["additionalProperties"] = object(format.keys);
    return schema;
  }
  const bool short_form = format.keys.empty() || format.short_form;
  Json entry = short_form ? one_of({schema_of(format.entry, {}), long_form(format)}) : long_form(format);
  if (const std::size_t space = format.either.find(' '); space != format.either.npos) {
    Json first = entry, second = entry;
    first["required"].push_back(format.either.substr(0, space));
    second["required"].push_back(format.either.substr(space + 1));
    entry = one_of({first, second});
  }
  // A dotted key (p.x = ..) is a table to TOML.
  if (format.name == "forces" || format.name == "nonideal")
    entry = one_of({entry, Json{{"type", "object"}, {"additionalProperties", expression()}}});
  return Json{{"type", "object"}, {"additionalProperties", entry}};
}

/// Of a model, or of a component, which is one but for what is said of the whole.
Json with_tables(Json schema, bool is_component) {
  for (const TableFormat& format : tables())
    if (!is_component || (format.name != "simulate" && format.name != "ensemble"))
      schema["properties"][std::string(format.name)] = described(table(format), format.doc);
  for (const TableFormat& format : view_tables())
    schema["properties"]["view"]["properties"][std::string(format.name)] =
        described(table(format), format.doc);
  const Json given = schema_of(Form::any, {});
  const Json use = described(text(), "Which component it is.");
  const Json part{{"type", "object"},
                  {"properties", {{"use", use}, {"for", repetition()}}},
                  {"additionalProperties", given}};
  schema["properties"]["parts"] =
      described(Json{{"type", "object"}, {"additionalProperties", part}},
                "Uses of components: which, and what they are given. Their things are called leg1.knee.");
  return schema;
}

Json component() {
  Json energies{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const KeyFormat& key : top_keys())
    if (key.form == Form::expression)
      energies["properties"][std::string(key.name)] = described(schema_of(key.form, {}), key.doc);
  Json schema = with_tables(std::move(energies), true);
  schema["properties"]["parameters"] =
      described(Json{{"type", "object"}, {"additionalProperties", schema_of(Form::any, {})}},
                "What a part may be given, and what it is where it is not; three numbers are a vector.");
  schema["properties"]["names"] =
      described(Json{{"type", "object"}, {"additionalProperties", text()}},
                "Names of things outside that a part is joined to; \"?\" must be given.");
  return schema;
}

}  // namespace

std::string model_schema() {
  Json schema = with_tables(object(top_keys()), false);
  schema["properties"]["components"] =
      described(Json{{"type", "object"}, {"additionalProperties", component()}},
                "Small models, stated once; [parts] use them.");
  schema["properties"]["include"] = described(one_of({text(), Json{{"type", "array"}, {"items", text()}}}),
                                              "Files in the folder of the model that belong to it.");
  Json result{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A model of Vinculum"}};
  result.update(schema);
  return result.dump(2);
}

}  // namespace vinculum
