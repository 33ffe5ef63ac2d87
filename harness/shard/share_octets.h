// SPDX-License-Identifier: Apache-2.0
// A share as octets, from a process to the one that has forked it. The result of a shard as a file is share_json.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/shard/share.h"

namespace wirelaw {

// The integers have this machine's byte order, and a rule is its address, which is the same in both processes.
std::string octets_of(const Share& share);
// Empty if the octets end early, or if any are left.
std::optional<Share> share_of_octets(std::string_view octets);

}  // namespace wirelaw
