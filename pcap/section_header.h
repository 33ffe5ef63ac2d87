// SPDX-License-Identifier: Apache-2.0
// The Section Header Block at the beginning of a pcapng file (draft-ietf-opsawg-pcapng, section 4.1), which libpcap
// does not report.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Returns the length that the block at the front of `head` states, in its own byte order; 0 if there is no such block.
// A hostile file can state any value.
std::size_t section_header_length(Octets head);

// Returns the block's first opt_comment that lies completely in `head`.
std::optional<std::string> section_header_comment(Octets head);

// Returns the comments of a Section Header Block that is the last block of a file, so that its section has nothing
// else. `tail` is the end of the file. Empty if the file ends with another block, or if the block does not lie
// completely in `tail`.
std::vector<std::string> closing_comments(Octets tail);

// Returns `tail` without such a block.
Octets without_closing_section(Octets tail);

}  // namespace wirelaw::pcap
