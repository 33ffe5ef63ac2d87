// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/pending.h"

#include <algorithm>

namespace wirelaw::campaign {

Json to_json(const Pending& pending) {
  Json json{{"signature", pending.breach.signature},
            {"oracle", word_of(pending.breach.oracle)},
            {"expected", pending.breach.expected},
            {"actual", pending.breach.actual},
            {"explanation", pending.breach.explanation},
            {"run", pending.run},
            {"trials", pending.trials},
            {"confirmed", pending.is_confirmed},
            {"found_as", to_json(pending.found_as)},
            {"smallest", to_json(pending.smallest)}};
  if (pending.breach.rule != nullptr) json["rule"] = pending.breach.rule->id;
  return json;
}

tl::expected<Pending, std::string> pending_of(const Json& json, std::span<const Rule* const> rules) {
  const auto oracle = oracle_of(text_in(json, "oracle"));
  if (!oracle || text_in(json, "signature").empty())
    return tl::unexpected(std::string("'pending' has an entry without a signature and an oracle"));
  Pending pending{.breach = {.oracle = *oracle,
                             .signature = text_in(json, "signature"),
                             .expected = text_in(json, "expected"),
                             .actual = text_in(json, "actual"),
                             .explanation = text_in(json, "explanation")},
                  .found_as = {},
                  .smallest = {},
                  .run = count_in(json, "run"),
                  .trials = count_in(json, "trials")};
  if (const auto rule = std::ranges::find(rules, text_in(json, "rule"), &Rule::id); rule != rules.end())
    pending.breach.rule = *rule;
  if (const auto confirmed = json.find("confirmed"); confirmed != json.end() && confirmed->is_boolean())
    pending.is_confirmed = confirmed->get<bool>();
  for (const auto& [name, into] : {std::pair{"found_as", &pending.found_as}, {"smallest", &pending.smallest}}) {
    const auto found = json.find(name);
    auto input = found == json.end() ? tl::unexpected(std::string("there is no input")) : input_of(*found);
    if (!input) return tl::unexpected("'pending': " + input.error());
    *into = std::move(*input);
  }
  return pending;
}

}  // namespace wirelaw::campaign
