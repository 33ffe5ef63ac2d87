// SPDX-License-Identifier: Apache-2.0
// A protocol's deliberate faults, in the words of the command.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw {

// A protocol's names of its two sides. Set is its reference's Deviations.
template <typename Set>
struct PeerSides {
  std::string_view protocol;
  typename Set::Role responder;
  typename Set::Role initiator;
  std::string_view responder_name;  // with its article: "a server"
  std::string_view initiator_name;
  bool each_is_both = false;  // each peer plays both sides, and can commit what shows on either

  Role role_of(typename Set::Role side) const {
    if (side == responder) return Role::responder;
    return side == initiator ? Role::initiator : Role::any;
  }
};

// The faults that a peer is asked to commit. The error is one line for the user.
template <typename Set>
tl::expected<Set, std::string> deviations_of(const PeerOptions& options, const PeerSides<Set>& sides) {
  Set deviations;
  for (const std::string& name : options.deviations) {
    const auto known = Set::named(name);
    if (!known)
      return tl::unexpected(
          fmt::format("no deviation is called '{}': see wirelaw serve {} --list-deviations", name, sides.protocol));
    const Role role = sides.role_of(Set::describe(*known).role);
    if (!sides.each_is_both && role != Role::any && role != options.role)
      return tl::unexpected(fmt::format("only {} can commit the deviation '{}'",
                                        role == Role::responder ? sides.responder_name : sides.initiator_name, name));
    deviations.add(*known);
  }
  return deviations;
}

template <typename Set>
std::vector<DeviationName> deviation_names(const PeerSides<Set>& sides) {
  std::vector<DeviationName> names;
  for (const auto& row : Set::all()) names.push_back({row.name, sides.role_of(row.role), row.text});
  return names;
}

}  // namespace wirelaw
