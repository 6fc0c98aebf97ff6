// The templates of the reader.
#pragma once
#include <algorithm>

#include "io/model/reader.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

template <class Named>
std::vector<std::string> keys_of(const Named& named) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : named) keys.emplace_back(key);
  std::ranges::sort(keys);
  return keys;
}

template <class Parse>
Value Reader::parsed(const Entry& entry, const Context& context, const Parse& parse) {
  Text* const outer = text_;
  Text text{&entry, &context};
  text_ = &text;
  Value result = Value::unknown();
  const std::size_t before = faults.size();
  try {
    result = parse();
  } catch (const Error& e) {
    note(e.place(), e.text() + (context.what.empty() ? "" : " (in " + context.what + ")"));
  }
  symbols_read_ = std::move(text.symbol_at);
  text_ = outer;
  if (faults.size() == before && context.reach != Reach::parameters) require_finite(result, entry, context);
  return faults.size() == before ? result : Value::unknown();
}

template <class Symbol>
std::size_t Reader::place_where(const Entry& text, const Symbol& is_such) const {
  if (text.kind != Entry::Kind::text || text.at == std::string::npos) return text.at;
  std::size_t first = std::string::npos;
  for (const auto& [symbol, at] : symbols_read_)
    if (is_such(model_.stated().graph().at(symbol))) first = std::min(first, at);
  return first == std::string::npos ? text.at : places_of_text(source_, text)[first];
}

template <class State>
void Reader::noting_faults(std::size_t at, const State& state) {
  try {
    state();
  } catch (const Error& e) {
    note(at, e.text());
  }
}

}  // namespace vinculum
