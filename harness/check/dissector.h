// SPDX-License-Identifier: Apache-2.0
// Protocols by the names that captures of exported PDUs give to what they hold: those of Wireshark's dissectors.
#pragma once

#include <span>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw {

// The dissector of a protocol's packets; where none of another name is known, one that is called as the protocol is.
std::string_view dissector_of(const Protocol& protocol);

// nullptr where no protocol of `known` has this dissector.
const Protocol* find_by_dissector(std::span<const Protocol* const> known, std::string_view dissector);

}  // namespace wirelaw
