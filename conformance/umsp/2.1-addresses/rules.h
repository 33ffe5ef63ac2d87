// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct AddressesRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 2.1";
  static constexpr std::string_view kIpv4Section = "RFC 3018 3.4";
  static constexpr std::string_view kReadsAsAnother = "the form itself: octets that break it read as another address";
  static constexpr std::string_view kAdministration = "administration, not traffic";
  static constexpr std::string_view kFreeIsTheNodes =
      "what FREE is used for is known to the node's memory control alone";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-2.1-1", must, any, kSection, none, octets,
       "A complete address has 16 octets.",
       "operands of another length read as an address of local memory, or break their instruction's form"},
      {"UMSP-2.1-2", must, any, kSection, trace, octets,
       "The header, NODE_ADDR and MEM_ADDR of a complete address fit into its 16 octets together."},
      {"UMSP-2.1-3", must, any, kSection, none, octets,
       "NODE_ADDR has as many octets as ADDR_LENGTH says.", kReadsAsAnother},
      {"UMSP-2.1-4", must_not, any, kSection, trace, octets,
       "ADDR_LENGTH of an address is not 0."},
      {"UMSP-2.1-5", must, any, kSection, none, octets,
       "MEM_ADDR has as many octets as ADDR_CODE says: 2, 3, 4 or 8.", kReadsAsAnother},
      {"UMSP-2.1-6", must, any, kSection, api, octets,
       "An address has a format number that the network of its node defines.",
       "which network that is, is known to the nodes; of IPv4: UMSP-3.4-1"},
      {"UMSP-2.1-7", must, any, kSection, none, octets,
       "Each global network that takes part has a format number at least.", kAdministration},
      {"UMSP-2.1-8", must, any, kSection, none, octets,
       "FREE is what the other parts leave, 12 octets at most.", kReadsAsAnother},
      {"UMSP-2.1-9", must, any, kSection, api, octets,
       "FREE is zero where the node does not use it.", kFreeIsTheNodes},
      {"UMSP-2.1-10", must, any, kSection, api, octets,
       "Memory of a node that uses FREE is named by complete addresses.", kFreeIsTheNodes},
      {"UMSP-2.1-11", must_not, any, kSection, api, octets,
       "Memory of a node that uses FREE is not named by local addresses alone.", kFreeIsTheNodes},
      {"UMSP-2.1-12", must, any, kSection, none, octets,
       "NODE_ADDR has 1 to 13 octets.", "what UMSP-2.1-2 and UMSP-2.1-4 leave"},
      {"UMSP-2.1-13", must, any, kSection, none, octets,
       "NODE_ADDR is as its format number defines.",
       "any four octets are an IPv4 address, and of other networks nothing is defined here"},
      {"UMSP-2.1-14", must, any, kSection, none, octets,
       "A network with addresses too long for NODE_ADDR has a subset for UMSP.", kAdministration},
      {"UMSP-2.1-15", must, any, kSection, none, octets,
       "MEM_ADDR has 16, 24, 32 or 64 bits.", "ADDR_CODE can say nothing else"},
      {"UMSP-2.1-16", must, any, kSection, api, octets,
       "MEM_ADDR is an address of the memory of the node in NODE_ADDR.", "what memory a node has is not on the wire"},
      {"UMSP-2.1-17", must_not, any, kSection, api, octets,
       "The protocol layer does not interpret MEM_ADDR: the node's VM does.",
       "which of the two has looked at it is not on the wire"},
      {"UMSP-2.1-18", must, any, kSection, api, octets,
       "A complete address identifies one node.", "which nodes there are is not on the wire"},
      {"UMSP-2.1-19", must, any, kSection, none, octets,
       "All address formats in use are known beforehand.", kAdministration},
      {"UMSP-2.1-20", must, any, kSection, api, octets,
       "A node finds the gateway to an address by its format number.", "routing is not on the wire"},
      {"UMSP-3.4-1", must, any, kIpv4Section, trace, octets,
       "An address of the global IPv4 network has the format 4-0-0, 4-0-1 or 4-0-2.",
       "4-0-3 warns: all formats are agreed beforehand (2.1), and who uses it may have agreed on it"},
      {"UMSP-3.4-2", must, any, kIpv4Section, none, octets,
       "Format 4-0-0: 9 octets of FREE, the IP address, and a local address of 2 octets.", kReadsAsAnother},
      {"UMSP-3.4-3", must, any, kIpv4Section, none, octets,
       "Format 4-0-1: 8 octets of FREE, the IP address, and a local address of 3 octets.", kReadsAsAnother},
      {"UMSP-3.4-4", must, any, kIpv4Section, none, octets,
       "Format 4-0-2: 7 octets of FREE, the IP address, and a local address of 4 octets.", kReadsAsAnother},
      {"UMSP-3.4-5", must, any, kIpv4Section, api, octets,
       "The IP address in an address is that of its node.",
       "it may be of a third node, and a packet's addresses may have been translated"},
      {"UMSP-3.4-6", must, any, kIpv4Section, none, octets,
       "Nodes of the IPv4 network use TCP between them.", "what may go over UDP is judged in 5, 6 and 9"},
      {"UMSP-3.4-7", may, any, kIpv4Section, none, octets,
       "Instructions that need no response may go over UDP.", "a permission; 5 and 6 say where it ends"},
      {"UMSP-3.4-8", must, any, kIpv4Section, none, octets,
       "A node that serves has TCP port 2110 open.", "UMSP/B29; a run finds a node at the port that its user names"},
      {"UMSP-3.4-9", must, any, kIpv4Section, stimulus, octets,
       "A node that serves and offers UDP has UDP port 2110 open.", "UMSP/B29", {{udp_unserved, executor}}},
      {"UMSP-3.4-10", must, any, kIpv4Section, stimulus, octets,
       "Connections and datagrams are taken from any source port.", {},
       {{udp_unserved, executor}, {one_connection_of_node, executor}}},
      {"UMSP-3.4-11", must, any, kIpv4Section, stimulus, octets,
       "Instructions of a session are taken from whichever connection of the peer they come on.", {},
       {{one_connection_of_node, executor}, {session_kept_on_connection, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::AddressesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::AddressesRules, I> {
};
