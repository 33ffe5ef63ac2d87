// SPDX-License-Identifier: Apache-2.0
// Any octets as a capture file in memory: pcap, pcapng, gzip or nonsense. Oracles: every frame is counted once,
// delivered octets are within their frame, and problems have a readable text.
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/target.h"
#include "pcap/packet_reader.h"
#include "reference/roce/packet.h"

namespace wirelaw::fuzz {
namespace {

using pcap::Counts;
using pcap::Datagram;
using pcap::Frame;
using pcap::PacketReader;
using pcap::Segment;
using pcap::Transport;

constexpr pcap::ReadOptions kOptions{
    .reassembly = {.max_packets = 16, .max_octets = std::size_t{256} << 10, .timeout_ns = 30'000'000'000},
    .max_problems = 20};

// A datagram or a segment.
template <class Packet>
void check(const Packet& packet, const Frame& frame) {
  require(packet.payload.size() <= packet.wire_length, "no more is captured than was sent");
  require(packet.frame == frame.number, "a packet names its frame");
  if (frame.link_type == pcap::kLinkTypeExportedPdu)
    require(packet.ip_version == 0, "no IP carries an exported PDU");
  else if (packet.ip_version == 0)
    require(packet.source.port == roce::kPort && packet.destination.port == roce::kPort,
            "what no IP carries is InfiniBand's");
  else
    require(packet.ip_version == 4 || packet.ip_version == 6, "a packet has an IP version");
  if (packet.reassembled) return;
  require(
      packet.frame_offset <= frame.octets.size() && packet.payload.size() <= frame.octets.size() - packet.frame_offset,
      "a payload lies within its frame");
  require(packet.payload.empty() || packet.payload.data() == frame.octets.data() + packet.frame_offset,
          "a payload is where its offset says");
}

void check_name(const Datagram& datagram, const Frame& frame) {
  if (datagram.dissector.empty()) return;
  const auto* const begin = reinterpret_cast<const char*>(frame.octets.data());
  require(datagram.dissector.data() >= begin &&
              datagram.dissector.data() + datagram.dissector.size() <= begin + frame.octets.size(),
          "a dissector's name lies within its frame");
}

void check(const Counts& counts, const PacketReader& reader) {
  require(counts.frames == reader.reader().frames(), "every frame is counted");
  require(counts.datagrams + counts.tcp_segments + counts.pdus + counts.other + counts.malformed + counts.headers_cut +
                  counts.fragments - counts.reassembled ==
              counts.frames,
          "every frame is counted once");
  require(reader.problems().size() <= kOptions.max_problems, "problems are kept up to their bound");
  require(reader.problem_count() >= reader.problems().size(), "problems are counted");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  static MemoryFile file;
  auto reader = PacketReader::open(file.write({data, size}), kOptions);
  if (!reader) {
    require(!reader.error().message.empty(), "a refusal says why");
    return 0;
  }
  Datagram datagram;
  Segment segment;
  for (Transport found; (found = reader->next(datagram, segment)) != Transport::none;) {
    if (found == Transport::tcp) {
      check(segment, reader->frame());
    } else {
      check(datagram, reader->frame());
      if (found == Transport::pdu) check_name(datagram, reader->frame());
    }
  }
  check(reader->counts(), *reader);
  for (const auto& problem : reader->problems()) require(!to_string(problem).empty(), "a problem has a text");
  return 0;
}
