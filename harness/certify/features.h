// SPDX-License-Identifier: Apache-2.0
// The meaning of a declared feature for a certification: the rules that are conditional on it, and the traffic that
// shows that an implementation has it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw {

// A message of the implementation that has this field with one of these values shows the feature.
struct FeatureSign {
  std::string_view field;                    // field name, as in Protocol::decode
  std::span<const std::string_view> values;  // beginning of its value
};

struct FeatureRow {
  std::string_view protocol;
  std::string_view feature;  // from Protocol::features, or from Protocol::parameters: whether one is declared at all
  std::span<const std::string_view> rules;  // globs: those that bind only an IUT that has it
  FeatureSign sign;
  std::span<const std::string_view> cases =
      {};                 // globs: those that make an implementation show it, beside the controls
  Role role = Role::any;  // the role that it binds so
};

std::span<const FeatureRow> feature_rows();
const FeatureRow* find_feature(std::string_view protocol, std::string_view feature);  // nullptr if there is none
// The feature that the rule is conditional on for this role; nullptr if it binds everybody.
const FeatureRow* condition_of(std::string_view protocol, const Rule& rule, Role tested);

// Adds the features of `protocol` that a message of the implementation shows.
void note_features(const Protocol& protocol, Octets message, std::set<std::string>& shown);

}  // namespace wirelaw
