// SPDX-License-Identifier: Apache-2.0
// Octets as people write them: "000dc140", with or without white space between the digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw {

// Lower-case digits, two an octet, no separator.
std::string to_hex(Octets octets);

// The octets that `text` writes down; white space is passed over. Nothing if a character is no hexadecimal digit
// or a digit is left over.
std::optional<OctetBuffer> from_hex(std::string_view text);

// Lines of offset, sixteen octets, and their ASCII, as Wireshark's byte pane shows them.
std::string hex_dump(Octets octets);

}  // namespace wirelaw
