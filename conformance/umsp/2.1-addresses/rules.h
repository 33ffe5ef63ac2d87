// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct AddressesRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 2.1";
  static constexpr std::string_view kIpv4Section = "RFC 3018 3.4";
  static constexpr std::string_view kReadsAsAnother = "The form itself: octets that break it read as another address";
  static constexpr std::string_view kAdministration = "Administration, not traffic";
  static constexpr std::string_view kFreeIsTheNodes = "Only the node's memory control knows how it uses FREE";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-2.1-1", must, any, kSection, none, octets,
       "A complete address has 16 octets.",
       "Operands of another length read as an address of local memory, or break the form of their instruction"},
      {"UMSP-2.1-2", must, any, kSection, trace, octets,
       "The header, NODE_ADDR and MEM_ADDR of a complete address together fit into its 16 octets."},
      {"UMSP-2.1-3", must, any, kSection, none, octets,
       "The length of NODE_ADDR is ADDR_LENGTH octets.", kReadsAsAnother},
      {"UMSP-2.1-4", must_not, any, kSection, trace, octets,
       "A sender does not set ADDR_LENGTH of an address to 0."},
      {"UMSP-2.1-5", must, any, kSection, none, octets,
       "The length of MEM_ADDR is the one that ADDR_CODE names: 2, 3, 4 or 8 octets.", kReadsAsAnother},
      {"UMSP-2.1-6", must, any, kSection, api, octets,
       "A node's address has a format number that is defined for the node's network.",
       "Only the nodes know which network that is; for IPv4, see UMSP-3.4-1"},
      {"UMSP-2.1-7", must, any, kSection, none, octets,
       "Each global network that takes part has at least one format number.", kAdministration},
      {"UMSP-2.1-8", must, any, kSection, none, octets,
       "FREE takes the octets that the other fields leave, at most 12.", kReadsAsAnother},
      {"UMSP-2.1-9", must, any, kSection, api, octets,
       "A node that does not use FREE sets it to zero.", kFreeIsTheNodes},
      {"UMSP-2.1-10", must, any, kSection, api, octets,
       "Instructions name the memory of a node that uses FREE by complete addresses.", kFreeIsTheNodes},
      {"UMSP-2.1-11", must_not, any, kSection, api, octets,
       "Instructions do not name the memory of a node that uses FREE by local addresses alone.", kFreeIsTheNodes},
      {"UMSP-2.1-12", must, any, kSection, none, octets,
       "NODE_ADDR has 1 to 13 octets.", "UMSP-2.1-2 and UMSP-2.1-4 leave no other length"},
      {"UMSP-2.1-13", must, any, kSection, none, octets,
       "NODE_ADDR has the form that its format number defines.",
       "Any four octets are an IPv4 address, and the document defines no form for other networks"},
      {"UMSP-2.1-14", must, any, kSection, none, octets,
       "A network whose addresses are too long for NODE_ADDR sets aside a subset of addresses for UMSP.",
       kAdministration},
      {"UMSP-2.1-15", must, any, kSection, none, octets,
       "MEM_ADDR has 16, 24, 32 or 64 bits.", "ADDR_CODE has no value for another length"},
      {"UMSP-2.1-16", must, any, kSection, api, octets,
       "MEM_ADDR is an address in the memory of the node that NODE_ADDR names.",
       "What memory a node has is not on the wire"},
      {"UMSP-2.1-17", must_not, any, kSection, api, octets,
       "The protocol layer does not interpret MEM_ADDR: the node's VM does.",
       "Which of the two interprets it is not on the wire"},
      {"UMSP-2.1-18", must, any, kSection, api, octets,
       "A complete address identifies one node.", "Which nodes exist is not on the wire"},
      {"UMSP-2.1-19", must, any, kSection, none, octets,
       "All nodes know the address formats in use in advance.", kAdministration},
      {"UMSP-2.1-20", must, any, kSection, api, octets,
       "A node uses the format number of an address to find the gateway to it.", "Routing is not on the wire"},
      {"UMSP-3.4-1", must, any, kIpv4Section, trace, octets,
       "An address of the global IPv4 network has the format 4-0-0, 4-0-1 or 4-0-2.",
       "4-0-3 is a warning: formats are agreed in advance (2.1), and the nodes may have agreed on this one"},
      {"UMSP-3.4-2", must, any, kIpv4Section, none, octets,
       "An address in format 4-0-0 has 9 octets of FREE, the IP address, and a local address of 2 octets.",
       kReadsAsAnother},
      {"UMSP-3.4-3", must, any, kIpv4Section, none, octets,
       "An address in format 4-0-1 has 8 octets of FREE, the IP address, and a local address of 3 octets.",
       kReadsAsAnother},
      {"UMSP-3.4-4", must, any, kIpv4Section, none, octets,
       "An address in format 4-0-2 has 7 octets of FREE, the IP address, and a local address of 4 octets.",
       kReadsAsAnother},
      {"UMSP-3.4-5", must, any, kIpv4Section, api, octets,
       "The IP address in an address is that of the node that owns the memory.",
       "The node may be a third one, and the addresses of the packet may have been translated"},
      {"UMSP-3.4-6", must, any, kIpv4Section, none, octets,
       "Nodes of the IPv4 network use TCP to exchange instructions.", "Sections 5, 6 and 9 judge what may use UDP"},
      {"UMSP-3.4-7", may, any, kIpv4Section, none, octets,
       "A sender may send instructions that need no response over UDP.", "A permission, which sections 5 and 6 limit"},
      {"UMSP-3.4-8", must, any, kIpv4Section, none, octets,
       "A node that serves listens on TCP port 2110.", "UMSP/B29; a run connects to the port that its user names"},
      {"UMSP-3.4-9", must, any, kIpv4Section, stimulus, octets,
       "A node that serves over UDP receives on UDP port 2110.", "UMSP/B29", {{udp_unserved, executor}}},
      {"UMSP-3.4-10", must, any, kIpv4Section, stimulus, octets,
       "A node accepts connections and datagrams from any source port.", {},
       {{udp_unserved, executor}, {one_connection_of_node, executor}}},
      {"UMSP-3.4-11", must, any, kIpv4Section, stimulus, octets,
       "A receiver accepts instructions of a session on any TCP connection from the peer.", {},
       {{one_connection_of_node, executor}, {session_kept_on_connection, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::AddressesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::AddressesRules, I> {
};
