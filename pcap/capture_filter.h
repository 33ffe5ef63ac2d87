// SPDX-License-Identifier: Apache-2.0
// The filters with which a pcapng was captured (if_filter, draft-ietf-opsawg-pcapng, section 4.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Returns the filters of the interfaces that the beginning of a pcapng describes, in order. Interfaces without a filter
// are left out. A filter that is not text is "(compiled)". Empty if the file is of another kind.
std::vector<std::string> capture_filters(Octets head);
// Adds the filter of the interface in this complete block, if it is a new one. The first 64 are kept.
void add_capture_filter(Octets block, bool swapped, std::vector<std::string>& filters);

// True if a filter (pcap-filter(7)) may pass packets of one direction of a conversation but not of the other, because
// it tests sources, destinations, lengths or octets. Also true if the filter cannot be parsed.
bool may_hide_a_direction(std::string_view filter);

}  // namespace wirelaw::pcap
