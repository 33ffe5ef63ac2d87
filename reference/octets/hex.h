// SPDX-License-Identifier: Apache-2.0
// Hexadecimal text: "000dc140", with or without white space between the digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw {

// Lower-case digits, two per octet, without separators.
std::string to_hex(Octets octets);

// Returns the octets in `text`; white space is ignored. Returns nothing if a character is not a hexadecimal digit, or
// if the number of digits is odd.
std::optional<OctetBuffer> from_hex(std::string_view text);

// Lines of offset, sixteen octets, and their ASCII, as in Wireshark's byte pane.
std::string hex_dump(Octets octets);

}  // namespace wirelaw
