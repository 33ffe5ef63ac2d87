// SPDX-License-Identifier: Apache-2.0
// Protocols by the names that captures of exported PDUs give to what they hold: those of Wireshark's dissectors.
#pragma once

#include <span>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw {

// Returns the dissector of a protocol's packets. If no other name is known, it has the name of the protocol.
std::string_view dissector_of(const Protocol& protocol);

// nullptr if no protocol in `known` has this dissector.
const Protocol* find_by_dissector(std::span<const Protocol* const> known, std::string_view dissector);

}  // namespace wirelaw
