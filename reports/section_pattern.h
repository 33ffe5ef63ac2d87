// SPDX-License-Identifier: Apache-2.0
// Sections of specifications as people name them on a command line.
#pragma once

#include <string_view>

namespace wirelaw {

// Whether a rule's section is one that the pattern names: "RFC5040:4.8" is "RFC 5040 4.8" and all below it, "EFA:3.2"
// is "EFA RDM v4 3.2, table 4", "MS-SMBD:3.1.5" and "RAMCloud:rpcId" likewise; without a colon it is the whole
// document. Case, blanks and brackets do not count.
bool is_in_section(std::string_view pattern, std::string_view section);

}  // namespace wirelaw
