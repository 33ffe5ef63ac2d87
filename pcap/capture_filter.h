// SPDX-License-Identifier: Apache-2.0
// The filters with which a pcapng was captured (if_filter, draft-ietf-opsawg-pcapng, section 4.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The filters of the interfaces that the beginning of a pcapng describes, in their order; interfaces without a filter
// are left out. A filter that is not text is "(compiled)". Empty if the file is of another kind.
std::vector<std::string> capture_filters(Octets head);
// Adds the filter of the interface that a whole block describes, if it is a new one. The first 64 are kept.
void add_capture_filter(Octets block, bool swapped, std::vector<std::string>& filters);

// Whether a filter (pcap-filter(7)) may pass the packets of one direction of a conversation and not those of the other:
// it asks for sources, destinations, lengths or octets. What cannot be read may.
bool may_hide_a_direction(std::string_view filter);

}  // namespace wirelaw::pcap
