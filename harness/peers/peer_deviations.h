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

// A protocol's names of its two sides.
struct PeerSides {
  std::string_view protocol;
  std::string_view responder_name;  // with its article: "a server"
  std::string_view initiator_name;
  bool each_is_both = false;  // each peer plays both sides, and can commit what shows on either
};

// The faults that a peer is asked to commit. Set is its reference's Deviations. The error is one line for the user.
template <typename Set>
tl::expected<Set, std::string> deviations_of(const PeerOptions& options, const PeerSides& sides) {
  Set deviations;
  for (const std::string& name : options.deviations) {
    const auto known = Set::named(name);
    if (!known)
      return tl::unexpected(
          fmt::format("no deviation is called '{}': see wirelaw serve {} --list-deviations", name, sides.protocol));
    const Role role = Set::describe(*known).role;
    if (!sides.each_is_both && !includes(role, options.role))
      return tl::unexpected(fmt::format("only {} can commit the deviation '{}'",
                                        role == Role::responder ? sides.responder_name : sides.initiator_name, name));
    deviations.add(*known);
  }
  return deviations;
}

template <typename Set>
std::vector<DeviationName> deviation_names() {
  std::vector<DeviationName> names;
  for (const auto& row : Set::all()) names.push_back({row.name, row.role, row.text});
  return names;
}

}  // namespace wirelaw
