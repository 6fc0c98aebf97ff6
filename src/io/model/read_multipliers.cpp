// [multipliers] of vakonomic motion: the start of mu for every row on velocities.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/rows.hpp"

namespace vinculum {
namespace {

struct Row {
  int constraint = 0, row = 0;
  std::string name;  // "blade", or "pin[0]" of a vector equation
  int order = 0;
};

std::vector<Row> rows_of(const Model& model) {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const auto& data = model.constraints()[c];
    for (std::size_t r = 0; r < data.rows.size(); ++r)
      rows.push_back({static_cast<int>(c), static_cast<int>(r),
                      data.is_vector ? fmt::format("{}[{}]", data.name, r) : data.name,
                      order_of(model, data.rows[r])});
  }
  return rows;
}

}  // namespace

void Reader::read_multipliers() {
  const Entry* table = top("multipliers");
  if (model_.mechanics() != Mechanics::vakonomic) {
    if (table != nullptr)
      note(table->key_at,
           "[multipliers] is for vakonomic motion; state 'mechanics' = \"vakonomic\", or leave it out");
    return;
  }
  const std::vector<Row> rows = rows_of(model_);
  std::vector<std::string> known;
  for (const Row& row : rows)
    if (row.order == 1) known.push_back(row.name);
  std::unordered_map<std::string_view, const Row*> named;
  for (const Row& row : rows) named.emplace(row.name, &row);
  if (table != nullptr)
    for (const Entry& entry : table->entries) {
      const auto found = named.find(entry.key);
      const Row* const row = found == named.end() ? nullptr : found->second;
      const Expr value = start_number(&entry, fmt::format("the multiplier of '{}'", entry.key));
      if (row == nullptr)
        refuse_multiplier(entry, known);
      else
        model_.start_multiplier(model_.constraints()[row->constraint].name, row->row, value);
    }
}

/// A mu that has a start and should have none, or the other way round.
void Reader::refuse_mu(Rule rule, int row) {
  const Entry* table = top("multipliers");
  const Row at = rows_of(model_)[row];
  if (rule == Rule::no_mu_of_positions)
    return note(
        table->find(at.name)->key_at,
        fmt::format("'{}' is a constraint on positions: its multiplier follows from the motion and has "
                    "no start",
                    at.name));
  const std::string& constraint = model_.constraints()[at.constraint].name;
  const bool quoted = at.name != constraint;
  const Entry* list = top(is_joint(constraint) ? "joints" : "constraints");
  const Entry* stated = list != nullptr ? list->find(constraint) : nullptr;
  if (stated == nullptr) return;  // the rotor of a joint: refused where its armature stands
  note(table != nullptr ? table->at : stated->key_at,
       fmt::format("vakonomic motion needs the multiplier of '{0}' at the start: {1}{0}{1} = 0 in "
                   "[multipliers], or another value",
                   at.name, quoted ? "\"" : ""));
}

/// A key that is the name of no row.
void Reader::refuse_multiplier(const Entry& entry, const std::vector<std::string>& known) {
  const std::string constraint = entry.key.substr(0, entry.key.find('['));
  const auto declared = constraints_.find(constraint);
  if (declared != constraints_.end() && declared->second < 0) return;  // it has a fault of its own
  if (declared != constraints_.end()) {
    const auto& data = model_.constraints()[declared->second];
    note(
        entry.key_at,
        data.is_vector
            ? fmt::format("'{0}' has {1} rows, each with a multiplier of its own: \"{0}[0]\" to \"{0}[{2}]\"",
                          constraint, data.rows.size(), data.rows.size() - 1)
            : fmt::format("'{0}' has one row, whose name is '{0}'", constraint));
    return;
  }
  note(entry.key_at, fmt::format("there is no row '{}'", entry.key));
  suggest(entry.key, [known] { return known; });
}

}  // namespace vinculum
