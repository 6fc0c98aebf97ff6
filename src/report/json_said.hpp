// What the pages say beside the numbers of the contract, as JSON.
#pragma once
#include <nlohmann/json.hpp>

#include "vinculum/analysis/check.hpp"

namespace vinculum {

using Json = nlohmann::ordered_json;  // keys in the order of the contract, names in the order of the model

/// A pair that the object does not have yet. `object[name] = value` would look at all of its names first.
void add(Json& object, const std::string& name, Json value);

/// "dalembert", "vakonomic" or "none".
std::string mechanics_word(const System& system);

/// `certificate`, its numbers; `certificate_bounds`, what rounding allows them (null: not made);
/// `certificate_failing` and `certificate_holds`.
void add_certificate(Json& out, const Instant& at);

/// `start`, how far it misses its equations; `start_consistent`; `start_misses`, each; and `start_repair`, a
/// start without them.
void add_start(Json& out, const System& system, const CheckReport& report);

/// {row, on: {row: weight}} for rows that follow from others.
Json dependencies_json(const System& system, const std::vector<Dependency>& dependent);

/// The worst miss of each constraint at every order, and the works that the change of energy is made of.
Json worst_json(const System& system, const Trajectory& motion);
Json works_json(const Trajectory& motion);

}  // namespace vinculum
