// SPDX-License-Identifier: Apache-2.0
#include "pcap/flaw.h"

#include <fmt/format.h>

#include <array>

namespace wirelaw::pcap {
namespace {

struct Text {
  Fault fault;
  bool shortage;
  const char* message;  // {0} is Flaw::have, {1} is Flaw::need
  const char* hint;
};

constexpr const char* kLostFragments = "capture where every fragment passes, and check for lost frames";

constexpr const char* kPduTags = "export the PDUs again: File > Export PDUs to File in Wireshark";
constexpr const char* kPduEnds =
    "without it the packet cannot be assigned to a peer: export the PDUs from a capture that has both ends' "
    "addresses and ports";

constexpr std::array kTexts{
    Text{Fault::none, false, "nothing is wrong", ""},
    Text{Fault::ethernet_short, true, "an Ethernet header needs {1} octets, but only {0} are present", ""},
    Text{Fault::cooked_short, true, "a Linux cooked header needs {1} octets, but only {0} are present", ""},
    Text{Fault::loopback_short, true, "a BSD loopback header needs {1} octets, but only {0} are present", ""},
    Text{Fault::carrier_short, true, "the header of a tag or tunnel needs {1} octets, but only {0} are present", ""},
    Text{Fault::carrier_many, false, "there are more than {1} tags and tunnels", ""},
    Text{Fault::link_short, true, "the header of the link needs {1} octets, but only {0} are present", ""},
    Text{Fault::grh_short, true, "a Global Route Header needs {1} octets, but only {0} are present", ""},
    Text{Fault::lrh_short, true, "a Local Route Header needs {1} octets, but only {0} are present", ""},
    Text{Fault::ip_version, false, "the IP version is {0}, the link layer announces {1}", ""},
    Text{Fault::ip_length_long, false, "the IP header announces {0} octets, but the frame has {1}", ""},
    Text{Fault::ipv4_short, true, "an IPv4 header here needs {1} octets, but only {0} are present", ""},
    Text{Fault::ipv4_header_length, false, "the IPv4 header length is {0} octets, less than {1}", ""},
    Text{Fault::ipv4_total_length, false, "the IPv4 total length {0} is less than the header's {1} octets", ""},
    Text{Fault::ipv6_short, true, "an IPv6 header needs {1} octets, but only {0} are present", ""},
    Text{Fault::ipv6_extension_short, true, "an IPv6 extension header needs {1} octets, but only {0} are present", ""},
    Text{Fault::ipv6_extension_many, false, "there are more than {1} IPv6 extension headers", ""},
    Text{Fault::ipv6_jumbogram, false,
         "the IPv6 payload length is 0, and no jumbo payload option says how long the packet is",
         "see RFC 2675, section 2"},
    Text{Fault::udp_short, true, "a UDP header needs {1} octets, but only {0} are present", ""},
    Text{Fault::udp_length_short, false, "UDP length {0} is less than the header's {1} octets", ""},
    Text{Fault::udp_length_long, false, "UDP length {0} is more than the IP payload's {1} octets", ""},
    Text{Fault::payload_cut, true, "{0} of {1} payload octets were captured", ""},
    Text{Fault::fragment_cut, true, "{0} of an IP fragment's {1} octets were captured", ""},
    Text{Fault::fragment_unaligned, false,
         "an IP fragment of {0} octets is not the last, and its length is not a multiple of {1}", ""},
    Text{Fault::fragment_beyond, false, "an IP fragment ends at octet {0}, beyond the {1} that a packet can have", ""},
    Text{Fault::fragment_overlap, false,
         "an IP fragment overlaps the one at octet {0}, and is not a copy of it: the packet is dropped (RFC 5722)", ""},
    Text{Fault::fragment_end, false, "IP fragments disagree about where the packet ends ({0} or {1}): it is dropped",
         ""},
    Text{Fault::fragment_nested, false, "a reassembled IPv6 packet is a fragment again", ""},
    Text{Fault::reassembly_evicted, false,
         "the fragments that begin here (by now {0} octets) gave way to newer ones: too many packets are incomplete",
         kLostFragments},
    Text{Fault::reassembly_expired, false,
         "the fragments that begin here (by now {0} octets) were not completed within {1} ms", kLostFragments},
    Text{Fault::reassembly_incomplete, false,
         "the fragments that begin here ({0} octets) were never completed before the capture ended", kLostFragments},
    Text{Fault::pdu_tag_short, true, "a tag of an exported PDU needs {1} octets, but only {0} are present", kPduTags},
    Text{Fault::pdu_value_short, true, "the value of an exported PDU's tag needs {1} octets, but only {0} are present",
         kPduTags},
    Text{Fault::pdu_endless, true, "an exported PDU's tags do not end: tag 0 is missing", kPduTags},
    Text{Fault::pdu_tag_length, false, "an exported PDU's tag has a value of {0} octets instead of {1}", kPduTags},
    Text{Fault::pdu_no_source, false, "no tag of the exported PDU has its source address (20 IPv4, 22 IPv6)", kPduEnds},
    Text{Fault::pdu_no_destination, false, "no tag of the exported PDU has its destination address (21 IPv4, 23 IPv6)",
         kPduEnds},
    Text{Fault::pdu_no_source_port, false, "no tag of the exported PDU has its source port (25)", kPduEnds},
    Text{Fault::pdu_no_destination_port, false, "no tag of the exported PDU has its destination port (26)", kPduEnds},
    Text{Fault::tcp_short, true, "a TCP header here needs {1} octets, but only {0} are present", ""},
    Text{Fault::tcp_header_length, false, "the TCP header length is {0} octets, less than {1}", ""},
    Text{Fault::tcp_header_long, false, "the TCP header length {0} is more than the IP payload's {1} octets", ""},
    Text{Fault::tcp_overlap, false,
         "a TCP stream has octet {0:#04x} here, where {1:#04x} was seen before; the first octet is used", ""},
    Text{Fault::tcp_beyond_end, false, "{0} octets follow the FIN of their TCP stream and are ignored", ""},
    Text{Fault::tcp_far, false, "TCP sequence number {0} is far from {1}, which is expected; the segment is ignored",
         ""},
    Text{Fault::tcp_two_clocks, false,
         "octets of a TCP stream are {0} us later than their acknowledgement: the directions were captured with two "
         "clocks",
         "segments are ordered by TCP's sequence numbers; times of the two directions differ by as much"},
    Text{Fault::roce_two_clocks, false,
         "a RoCE packet is {0} us later than the answer to it: the directions were captured with two clocks",
         "packets are ordered by their sequence numbers; times of the two directions differ by at least as much"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTexts.size(); ++i)
    if (kTexts[i].fault != static_cast<Fault>(i)) return false;
  return kTexts.size() == static_cast<std::size_t>(Fault::count);
}
static_assert(in_order(), "the table follows the enumeration");

const Text& text(Fault fault) {
  return kTexts[static_cast<std::size_t>(fault)];
}

}  // namespace

bool is_shortage(Fault fault) {
  return text(fault).shortage;
}

std::string message(const Flaw& flaw) {
  return fmt::format(fmt::runtime(text(flaw.fault).message), flaw.have, flaw.need);
}

std::string hint(const Flaw& flaw) {
  return text(flaw.fault).hint;
}

}  // namespace wirelaw::pcap
