// SPDX-License-Identifier: Apache-2.0
// The Section Header Block that a pcapng file begins with (draft-ietf-opsawg-pcapng, section 4.1), of which libpcap
// says nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The length that the block at the front of `head` states, in its own byte order; 0 where there is no such block. Any
// value may come out: a hostile file states what it likes.
std::size_t section_header_length(Octets head);

// The block's first opt_comment that lies in `head` whole.
std::optional<std::string> section_header_comment(Octets head);

}  // namespace wirelaw::pcap
