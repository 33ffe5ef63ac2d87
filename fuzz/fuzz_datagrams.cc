// SPDX-License-Identifier: Apache-2.0
// Any frames through link, IP, reassembly, UDP and TCP, without a file: much faster than fuzz_capture, and deeper.
// Oracles: what is delivered lies within its frame or its reassembled packet, and reassembly keeps to its limits.
#include <array>

#include "corpora/formats/records.h"
#include "fuzz/target.h"
#include "pcap/link.h"
#include "pcap/problem_log.h"
#include "pcap/reassembly.h"
#include "pcap/tcp.h"
#include "pcap/udp.h"

namespace wirelaw::fuzz {
namespace {

using namespace pcap;

constexpr std::array kLinks = {1, 113, 276, 101, 228, 229, 0, 108, 12, 14};  // LINKTYPE_; some may be unknown
constexpr ReassemblyLimits kLimits{.max_packets = 4, .max_octets = 8192, .timeout_ns = 30'000'000'000};
constexpr std::size_t kMostFrames = 1024;
constexpr std::int64_t kMinute = 60'000'000'000;

class Frames {
 public:
  explicit Frames(const LinkType& link) : link_(link) {}

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
    reassembly_.finish(log_);
    require(reassembly_.packets() == 0 && reassembly_.octets() == 0, "nothing is left of reassembly at the end");
    for (const Problem& problem : log_.problems()) require(!to_string(problem).empty(), "a problem has a text");
  }

 private:
  Flaw decode(Octets frame, std::uint32_t wire_length) {
    LinkPayload network;
    if (const Flaw found = link_.strip(frame, network)) return found;
    require(network.offset <= frame.size(), "a link's payload begins within its frame");
    if (network.ether_type != kEtherTypeIpv4 && network.ether_type != kEtherTypeIpv6) return {};
    IpPacket packet;
    packet.frame = number_;
    packet.time_ns = now_;
    if (const Flaw found = decode_ip(frame, wire_length, network, packet)) return found;
    check(packet, frame);
    if (packet.fragment.is_fragment) {
      bool complete = false;
      Flaw found = reassembly_.add(packet, log_, complete);
      require(reassembly_.packets() <= kLimits.max_packets, "reassembly keeps to its number of packets");
      require(reassembly_.octets() <= kLimits.max_octets, "reassembly keeps to its octets");
      if (found || !complete) return found;
      require(packet.payload.size() == packet.wire_length, "a reassembled packet is whole");
      if (packet.version == 6 && (found = skip_extension_headers(packet))) return found;
      if (packet.fragment.is_fragment) return {};
    }
    if (packet.protocol == kProtocolTcp) {
      Segment segment;
      const Flaw found = decode_tcp(packet, segment);
      if (!found || found.fault == pcap::Fault::payload_cut) check(segment, packet);
      return found;
    }
    if (packet.protocol != kProtocolUdp) return {};
    Datagram datagram;
    const Flaw found = decode_udp(packet, datagram);
    if (!found || found.fault == pcap::Fault::payload_cut) check(datagram, packet);
    return found;
  }

  static void check(const IpPacket& packet, Octets frame) {
    require(packet.payload.size() <= packet.wire_length, "no more is captured than was sent");
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

  const LinkType& link_;
  Reassembly reassembly_{kLimits};
  ProblemLog log_{"fuzz", 20};
  std::uint64_t number_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  if (size == 0) return 0;
  const pcap::LinkType* const link = pcap::find_link_type(fuzz::kLinks[data[0] % fuzz::kLinks.size()]);
  if (link == nullptr) return 0;
  fuzz::Frames frames(*link);
  corpora::RecordReader reader({data + 1, size - 1});
  corpora::Record record;
  for (std::size_t count = 0; count < fuzz::kMostFrames && reader.next(record); ++count) frames.take(record);
  frames.finish();
  return 0;
}
