// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

// Whether the versions of a negotiate message, both, are 0x0100 with their octets the wrong way round.
bool judge_octet_order(Judge& judge, std::uint16_t min_version, std::uint16_t max_version);
// Whether the fields of a Data Transfer are in little-endian order.
bool judge_data_order(Judge& judge, Octets message);
// What is behind the last field of a message, which has `octets` octets.
void judge_trailing(Judge& judge, Octets trailing, std::size_t octets);
// Whether a message is not the sender's negotiate message again.
bool judge_negotiates_once(Judge& judge, const Way& from, Octets octets);

}  // namespace wirelaw::smbd
