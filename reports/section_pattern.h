// SPDX-License-Identifier: Apache-2.0
// Patterns for sections of specifications, as users write them on the command line.
#pragma once

#include <string_view>

namespace wirelaw {

// True if the pattern names a rule's section. "RFC5040:4.8" matches "RFC 5040 4.8" and its subsections. "EFA:3.2"
// matches "EFA RDM v4 3.2, table 4". "MS-SMBD:3.1.5" and "RAMCloud:rpcId" work likewise. Without a colon, the pattern
// matches the whole document. Case, blanks and brackets are ignored.
bool is_in_section(std::string_view pattern, std::string_view section);

}  // namespace wirelaw
