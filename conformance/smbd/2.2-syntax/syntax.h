// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// Returns true if both versions of a negotiate message are 0x0100 in big-endian order.
bool check_version_order(Judge& judge, std::uint16_t min_version, std::uint16_t max_version);
// Returns true if the fields of a Data Transfer are in little-endian order.
bool check_data_order(Judge& judge, Octets message);
// The octets after the last field of a message of `octets` octets.
void check_trailing(Judge& judge, Octets trailing, std::size_t octets);
void check_negotiates_once(Judge& judge, bool is_again);

}  // namespace wirelaw::smbd
