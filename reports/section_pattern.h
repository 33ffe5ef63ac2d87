// SPDX-License-Identifier: Apache-2.0
// Sections of specifications as people name them on a command line.
#pragma once

#include <string_view>

namespace wirelaw {

// Whether the pattern names a rule's section: "RFC5040:4.8" matches "RFC 5040 4.8" and all below it, "EFA:3.2" matches
// "EFA RDM v4 3.2, table 4"; "MS-SMBD:3.1.5" and "RAMCloud:rpcId" likewise. Without a colon it matches the whole
// document. Case, blanks and brackets do not count.
bool is_in_section(std::string_view pattern, std::string_view section);

}  // namespace wirelaw
