// SPDX-License-Identifier: Apache-2.0
// The Section Header Block that a pcapng file begins with (draft-ietf-opsawg-pcapng, section 4.1), of which libpcap
// says nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The length that the block at the front of `head` states, in its own byte order; 0 if there is no such block. Any
// value may come out: a hostile file states what it likes.
std::size_t section_header_length(Octets head);

// The block's first opt_comment that lies in `head` whole.
std::optional<std::string> section_header_comment(Octets head);

// The comments of a Section Header Block that is the last block of a file, which `tail` is the end of: its section has
// nothing else. None if the file ends with another block, or if that one does not lie in `tail` whole.
std::vector<std::string> closing_comments(Octets tail);

// `tail` without such a block.
Octets without_closing_section(Octets tail);

}  // namespace wirelaw::pcap
