// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.1 and 3.4: 128-bit addresses, and those of the global IPv4 network.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"
#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kSection{"RFC 3018 2.1"};
constexpr Section kInside = kSection.by(Observable::api);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kReadsAsAnother = "the form itself: octets that break it read as another address";
constexpr std::string_view kAdministration = "administration, not traffic";
constexpr std::string_view kFreeIsTheNodes = "what FREE is used for is known to the node's memory control alone";

constinit const Rule kSixteenOctets =
    kForm.must("UMSP-2.1-1", "A complete address has 16 octets.",
               "operands of another length read as an address of local memory, or break their instruction's form");
constinit const Rule kPartsFit = kSection.must(
    "UMSP-2.1-2", "The header, NODE_ADDR and MEM_ADDR of a complete address fit into its 16 octets together.");
constinit const Rule kNodeAddrLength =
    kForm.must("UMSP-2.1-3", "NODE_ADDR has as many octets as ADDR_LENGTH says.", kReadsAsAnother);
constinit const Rule kAddrLengthNotZero = kSection.must_not("UMSP-2.1-4", "ADDR_LENGTH of an address is not 0.");
constinit const Rule kMemAddrLength =
    kForm.must("UMSP-2.1-5", "MEM_ADDR has as many octets as ADDR_CODE says: 2, 3, 4 or 8.", kReadsAsAnother);
constinit const Rule kFormatIsOfNetwork =
    kInside.must("UMSP-2.1-6", "An address has a format number that the network of its node defines.",
                 "which network that is, is known to the nodes; of IPv4: UMSP-3.4-1");
constinit const Rule kNetworkHasFormat =
    kForm.must("UMSP-2.1-7", "Each global network that takes part has a format number at least.", kAdministration);
constinit const Rule kFreeFills =
    kForm.must("UMSP-2.1-8", "FREE is what the other parts leave, 12 octets at most.", kReadsAsAnother);
constinit const Rule kUnusedFreeIsZero =
    kInside.must("UMSP-2.1-9", "FREE is zero where the node does not use it.", kFreeIsTheNodes);
constinit const Rule kUsedFreeNeedsComplete =
    kInside.must("UMSP-2.1-10", "Memory of a node that uses FREE is named by complete addresses.", kFreeIsTheNodes);
constinit const Rule kUsedFreeForbidsShort = kInside.must_not(
    "UMSP-2.1-11", "Memory of a node that uses FREE is not named by local addresses alone.", kFreeIsTheNodes);
constinit const Rule kNodeAddrRange =
    kForm.must("UMSP-2.1-12", "NODE_ADDR has 1 to 13 octets.", "what UMSP-2.1-2 and UMSP-2.1-4 leave");
constinit const Rule kNodeAddrFormat =
    kForm.must("UMSP-2.1-13", "NODE_ADDR is as its format number defines.",
               "any four octets are an IPv4 address, and of other networks nothing is defined here");
constinit const Rule kSubsetOfAddresses = kForm.must(
    "UMSP-2.1-14", "A network with addresses too long for NODE_ADDR has a subset for UMSP.", kAdministration);
constinit const Rule kMemAddrRange =
    kForm.must("UMSP-2.1-15", "MEM_ADDR has 16, 24, 32 or 64 bits.", "ADDR_CODE can say nothing else");
constinit const Rule kMemAddrIsOfNode =
    kInside.must("UMSP-2.1-16", "MEM_ADDR is an address of the memory of the node in NODE_ADDR.",
                 "what memory a node has is not on the wire");
constinit const Rule kMemAddrNotInterpreted =
    kInside.must_not("UMSP-2.1-17", "The protocol layer does not interpret MEM_ADDR: the node's VM does.",
                     "which of the two has looked at it is not on the wire");
constinit const Rule kIdentifiesOneNode =
    kInside.must("UMSP-2.1-18", "A complete address identifies one node.", "which nodes there are is not on the wire");
constinit const Rule kFormatsKnown =
    kForm.must("UMSP-2.1-19", "All address formats in use are known beforehand.", kAdministration);
constinit const Rule kGatewayByFormat = kInside.must(
    "UMSP-2.1-20", "A node finds the gateway to an address by its format number.", "routing is not on the wire");

constexpr Section kIpv4Section{"RFC 3018 3.4"};
constexpr Section kIpv4Receiver = kIpv4Section.by(Observable::stimulus);
constexpr Section kIpv4Form = kIpv4Section.by(Observable::none);

constinit const Rule kIpv4Format =
    kIpv4Section.must("UMSP-3.4-1", "An address of the global IPv4 network has the format 4-0-0, 4-0-1 or 4-0-2.",
                      "4-0-3 warns: all formats are agreed beforehand (2.1), and who uses it may have agreed on it");
constinit const Rule kFormat400 = kIpv4Form.must(
    "UMSP-3.4-2", "Format 4-0-0: 9 octets of FREE, the IP address, and a local address of 2 octets.", kReadsAsAnother);
constinit const Rule kFormat401 = kIpv4Form.must(
    "UMSP-3.4-3", "Format 4-0-1: 8 octets of FREE, the IP address, and a local address of 3 octets.", kReadsAsAnother);
constinit const Rule kFormat402 = kIpv4Form.must(
    "UMSP-3.4-4", "Format 4-0-2: 7 octets of FREE, the IP address, and a local address of 4 octets.", kReadsAsAnother);
constinit const Rule kIpAddressIsOfNode =
    kIpv4Section.by(Observable::api)
        .must("UMSP-3.4-5", "The IP address in an address is that of its node.",
              "it may be of a third node, and a packet's addresses may have been translated");
constinit const Rule kIpv4UsesTcp = kIpv4Form.must("UMSP-3.4-6", "Nodes of the IPv4 network use TCP between them.",
                                                   "what may go over UDP is judged in 5, 6 and 9");
constinit const Rule kIpv4MayUseUdp = kIpv4Form.may("UMSP-3.4-7", "Instructions that need no response may go over UDP.",
                                                    "a permission; 5 and 6 say where it ends");
constinit const Rule kTcpPortOpen = kIpv4Form.must("UMSP-3.4-8", "A node that serves has TCP port 2110 open.",
                                                   "UMSP/B29; a run finds a node at the port that its user names");
constinit const Rule kUdpPortOpen =
    kIpv4Receiver.must("UMSP-3.4-9", "A node that serves and offers UDP has UDP port 2110 open.", "UMSP/B29");
constinit const Rule kAnySourcePort =
    kIpv4Receiver.must("UMSP-3.4-10", "Connections and datagrams are taken from any source port.");
constinit const Rule kAnyConnection = kIpv4Receiver.must(
    "UMSP-3.4-11", "Instructions of a session are taken from whichever connection of the peer they come on.");

void judge_ipv4_format(Judge& judge, AddressFormat format, OctetRange where) {
  if (format.addr_length != 4 || format.net_type != 0) return;
  judge.advise(kIpv4Format, is_assigned(format), where, expected("N 4-0-0, 4-0-1 or 4-0-2"),
               actual([&] { return to_string(format); }));
}

void judge_address(Judge& judge, AddressFormat format, OctetRange where) {
  if (!judge.require(kAddrLengthNotZero, format.addr_length != 0, where, expected("1 to 13"), actual("0"))) return;
  if (judge.require(kPartsFit, format.octets() <= kAddressOctets, where, expected("16 octets at most"),
                    actual(format.octets())))
    judge_ipv4_format(judge, format, where);
}

}  // namespace

UmspSection address_rules() {
  static constexpr const Rule* kRules[] = {&kSixteenOctets,
                                           &kPartsFit,
                                           &kNodeAddrLength,
                                           &kAddrLengthNotZero,
                                           &kMemAddrLength,
                                           &kFormatIsOfNetwork,
                                           &kNetworkHasFormat,
                                           &kFreeFills,
                                           &kUnusedFreeIsZero,
                                           &kUsedFreeNeedsComplete,
                                           &kUsedFreeForbidsShort,
                                           &kNodeAddrRange,
                                           &kNodeAddrFormat,
                                           &kSubsetOfAddresses,
                                           &kMemAddrRange,
                                           &kMemAddrIsOfNode,
                                           &kMemAddrNotInterpreted,
                                           &kIdentifiesOneNode,
                                           &kFormatsKnown,
                                           &kGatewayByFormat,
                                           &kIpv4Format,
                                           &kFormat400,
                                           &kFormat401,
                                           &kFormat402,
                                           &kIpAddressIsOfNode,
                                           &kIpv4UsesTcp,
                                           &kIpv4MayUseUdp,
                                           &kTcpPortOpen,
                                           &kUdpPortOpen,
                                           &kAnySourcePort,
                                           &kAnyConnection};
  return {.rules = {.rules = kRules}};
}

void judge_addresses(Judge& judge, const OperandView& view, Octets operands, std::size_t offset) {
  for (const Located& located : view.operands) {
    if (located.length == 0) continue;
    const AddressFormat format = decode_format(operands[located.offset]);
    const OctetRange header = octets(offset + located.offset, 1);
    if (located.row->width == Width::identifier) judge_ipv4_format(judge, format, header);
    if (describe(located.row->operand).kind == OperandKind::address && located.length == kAddressOctets)
      judge_address(judge, format, header);
  }
}

}  // namespace wirelaw::umsp
