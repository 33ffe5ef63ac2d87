// SPDX-License-Identifier: Apache-2.0
// Any frames through link, tags and tunnels, IP, reassembly, UDP and TCP, without a file: much faster than
// fuzz_capture, and deeper. Oracles: delivered octets are within their frame or reassembled packet, reassembly keeps to
// its limits, and a frame in a carrier yields the same packet.
#include <algorithm>
#include <array>
#include <string>

#include "corpora/formats/records.h"
#include "fuzz/target.h"
#include "pcap/ethernet.h"
#include "pcap/infiniband.h"
#include "pcap/tcp.h"
#include "pcap/udp.h"
#include "pcap/unread.h"
#include "pcap/unwrapper.h"
#include "pcap/wrapping.h"

namespace wirelaw::fuzz {
namespace {

using namespace pcap;
using pcap::testing::Wrapping;

// LINKTYPE_ values (pcap/link.cc); 147 is unknown.
constexpr std::array kLinks = {1,   113, 276, 101, 228, 229, 0,   108, 12,  14,  9,   50,  51,  104, 204, 205,
                               105, 127, 192, 197, 239, 240, 241, 247, 258, 274, 281, 282, 284, 285, 147, 149};
constexpr ReassemblyLimits kLimits{.max_packets = 4, .max_octets = 8192, .timeout_ns = 30'000'000'000};
constexpr std::size_t kMostFrames = 1024;
constexpr std::int64_t kMinute = 60'000'000'000;

class Frames {
 public:
  Frames(const LinkType& link, const Wrapping* carrier) : link_(link), carrier_(carrier) {}

  void take(const corpora::Record& record) {
    namespace control = corpora::frame_control;
    ++number_;
    now_ += (record.control & control::kLate) != 0 ? kMinute : 1000;
    if ((record.control & control::kEarly) != 0) now_ -= 2 * kMinute;
    const std::size_t cut = (record.control & control::kCut) != 0 ? corpora::kCutOctets : 0;
    const Flaw found = decode(record.octets, static_cast<std::uint32_t>(record.octets.size() + cut));
    if (!found) return;
    require(!message(found).empty(), "a flaw has a text");
    static_cast<void>(hint(found));
    log_.add(number_, found, cut != 0);
  }

  void finish() {
    unwrapper_.finish(log_);
    require(unwrapper_.reassembly().packets() == 0 && unwrapper_.reassembly().octets() == 0,
            "nothing is left of reassembly at the end");
    for (const Problem& problem : log_.problems()) require(!to_string(problem).empty(), "a problem has a text");
  }

 private:
  Flaw decode(Octets frame, std::uint32_t wire_length) {
    IpPacket packet;
    packet.frame = number_;
    packet.time_ns = now_;
    const Unwrapped found = unwrapper_.unwrap(frame, wire_length, link_, packet, log_);
    const Reassembly& reassembly = unwrapper_.reassembly();
    require(reassembly.packets() <= kLimits.max_packets, "reassembly keeps to its number of packets");
    require(reassembly.octets() <= kLimits.max_octets, "reassembly keeps to its octets");
    if (found.outcome == Unwrapped::Outcome::unread)
      require(!name_of(found.layer).empty(), "what is unread has a name");
    if (found.outcome != Unwrapped::Outcome::packet) return found.flaw;
    check(packet, frame);
    if (carrier_ != nullptr && found.fragments == 0 && frame.size() == wire_length) check_wrapped(frame, packet, found);
    if (packet.protocol == kProtocolTcp) {
      Segment segment;
      const Flaw flaw = decode_tcp(packet, segment);
      if (!flaw || flaw.fault == pcap::Fault::payload_cut) check(segment, packet);
      return flaw;
    }
    Datagram datagram;
    if (packet.kind == PacketKind::infiniband) return decode_transport(packet, datagram);
    if (packet.protocol != kProtocolUdp) return {};
    const Flaw flaw = decode_udp(packet, datagram);
    if (!flaw || flaw.fault == pcap::Fault::payload_cut) check(datagram, packet);
    return flaw;
  }

  static void check(const IpPacket& packet, Octets frame) {
    require(packet.payload.size() <= packet.wire_length, "no more is captured than was sent");
    require(packet.carriers == nullptr || !packet.carriers->text().empty(), "carriers have names");
    if (packet.reassembled)
      return require(packet.payload.size() == packet.wire_length, "a reassembled packet is whole");
    require(packet.frame_offset <= frame.size() && packet.payload.size() <= frame.size() - packet.frame_offset,
            "a packet's payload lies within its frame");
    require(packet.payload.empty() || packet.payload.data() == frame.data() + packet.frame_offset,
            "a packet's payload is where its offset says");
  }
  static void check(const Datagram& datagram, const IpPacket& packet) {
    require(datagram.payload.size() <= datagram.wire_length, "no more is captured than was sent");
    require(datagram.payload.size() + kUdpHeader <= packet.payload.size(), "a datagram lies within its packet");
  }
  static void check(const Segment& segment, const IpPacket& packet) {
    require(segment.payload.size() <= segment.wire_length, "no more is captured than was sent");
    require(segment.header_octets >= kTcpHeader, "a segment has a header");
    require(segment.payload.size() + segment.header_octets == packet.payload.size() &&
                segment.wire_length + segment.header_octets == packet.wire_length,
            "a segment is its packet");
  }

  // Checks that a frame in a carrier yields the same packet as the plain frame.
  void check_wrapped(Octets frame, const IpPacket& plain, const Unwrapped& unwrapped) {
    constexpr std::size_t kAddedHeaders = 6, kMostOctets = 1400;  // so that the length fits into IEEE 802.3
    if (unwrapped.headers + kAddedHeaders > kMaxCarriers || frame.size() > kMostOctets) return;
    wrapped_.assign(frame.begin(), frame.end());
    // If no field announces an Ethernet header, addresses may look like other headers.
    std::copy(kAddresses.begin(), kAddresses.end(), wrapped_.begin());
    const auto type = load_big_endian<std::uint16_t>(frame.data() + kEthernetType);
    if (is_ambiguous(type) || !carries(*carrier_, wrapped_)) return;
    wrapped_ = carrier_->wrap(wrapped_);
    IpPacket inner;
    const auto length = static_cast<std::uint32_t>(wrapped_.size());
    const Unwrapped found = wrapped_unwrapper_.unwrap(wrapped_, length, link_, inner, log_);
    require(found.outcome == Unwrapped::Outcome::packet, "a frame in a carrier holds a packet as well");
    check(inner, wrapped_);
    require(inner.kind == plain.kind && inner.version == plain.version && inner.protocol == plain.protocol &&
                inner.source == plain.source && inner.destination == plain.destination,
            "a frame in a carrier holds a packet with the same header");
    require(inner.wire_length == plain.wire_length && std::ranges::equal(inner.payload, plain.payload),
            "a frame in a carrier holds a packet with the same payload");
    std::string carriers(carrier_->carriers);
    if (plain.carriers != nullptr) carriers += (carriers.empty() ? "" : ", ") + plain.carriers->text();
    require((inner.carriers == nullptr ? "" : inner.carriers->text()) == carriers, "all carriers are named");
  }
  // Types that this reader reserves, and the one that means something else in GRE.
  static bool is_ambiguous(std::uint16_t type) {
    constexpr std::uint16_t kFirstType = 1536, kErspan = 0x88be;
    return (type > kMostLlcOctets && type < kFirstType) || type == kErspan;
  }

  static constexpr std::array<Octet, 12> kAddresses{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  const LinkType& link_;
  const Wrapping* const carrier_;  // nullptr: none
  Unwrapper unwrapper_{kLimits};
  Unwrapper wrapped_unwrapper_{kLimits};
  OctetBuffer wrapped_;
  ProblemLog log_{"fuzz", 20};
  std::uint64_t number_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  if (size < 2) return 0;
  const pcap::LinkType* const link = pcap::find_link_type(fuzz::kLinks[data[0] % fuzz::kLinks.size()]);
  if (link == nullptr) return 0;
  const auto carriers = pcap::testing::wrappings();
  const std::size_t carrier = data[1];
  const bool is_wrapped = link->number == pcap::kLinkTypeEthernet && carrier < carriers.size();
  fuzz::Frames frames(*link, is_wrapped ? &carriers[carrier] : nullptr);
  corpora::RecordReader reader({data + 2, size - 2});
  corpora::Record record;
  for (std::size_t count = 0; count < fuzz::kMostFrames && reader.next(record); ++count) frames.take(record);
  frames.finish();
  return 0;
}
