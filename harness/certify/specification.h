// SPDX-License-Identifier: Apache-2.0
// The document that a protocol's rules are taken from, as a certificate names it.
#pragma once

#include <string_view>

namespace wirelaw {

struct Specification {
  std::string_view protocol;  // Protocol::name
  std::string_view title, edition;
};

inline constexpr Specification kSpecifications[] = {
    {"ramcloud", "RAMCloud RPC Protocol", "the protocol text of the RAMCloud project, which has no date"},
    {"rdmap", "RDMA Protocol (RDMAP), Direct Data Placement (DDP) and Marker PDU Aligned Framing (MPA)",
     "RFC 5040, 5041 and 5044 (October 2007), RFC 6581 (April 2012), RFC 7306 (June 2014)"},
    {"efa", "EFA RDM Communication Protocol, version 4", "the document of libfabric, in the revision below"},
    {"smbd", "[MS-SMBD]: SMB2 Remote Direct Memory Access (RDMA) Transport Protocol", "version 12.0, 2018-09-12"},
    {"umsp", "Unified Memory Space Protocol Specification", "RFC 3018 (December 2000)"},
};

constexpr const Specification* find_specification(std::string_view protocol) {
  for (const Specification& one : kSpecifications)
    if (one.protocol == protocol) return &one;
  return nullptr;
}

}  // namespace wirelaw
