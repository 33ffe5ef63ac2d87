// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/trace_seed.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpora/formats/trace_input.h"
#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostOctets = 1u << 20;  // octets in a seed; the rest of a longer flow is left out
constexpr std::size_t kMostFlows = 64;         // one input has a few; others are left out

struct Conversation {
  pcap::Transport transport;
  pcap::Endpoint a, b;
  std::size_t packets = 0;
  OctetBuffer input;
  pcap::TcpConnection connection{};  // for TCP

  bool is_between(const pcap::Endpoint& one, const pcap::Endpoint& other) const {
    return (a == one && b == other) || (a == other && b == one);
  }
  bool has_room() const { return input.size() < kMostOctets; }

  void take(const pcap::Datagram& datagram) {
    ++packets;
    if (has_room()) corpora::append_message(input, datagram.source == a ? Side::a : Side::b, datagram.payload);
  }
  void take(const StreamPiece& piece) {
    if (!has_room()) return;
    const auto zeros = [](std::uint64_t count) { return OctetBuffer(std::min<std::uint64_t>(count, 0xffff)); };
    if (piece.event == StreamEvent::opened || piece.event == StreamEvent::gap)
      corpora::append_piece(input, piece.sender, piece.event,
                            zeros(piece.event == StreamEvent::gap ? piece.missing : piece.mss));
    else
      corpora::append_piece(input, piece.sender, piece.event, piece.octets);
  }
  void take(const pcap::Segment& segment) {
    ++packets;
    connection.take(segment, segment.source == a, [this](const StreamPiece& piece) { take(piece); });
  }
  void finish() {
    if (transport == pcap::Transport::tcp) connection.finish([this](const StreamPiece& piece) { take(piece); });
  }
};

class Conversations {
 public:
  template <class Packet>
  void take(pcap::Transport transport, const Packet& packet) {
    auto found = std::ranges::find_if(all_, [&](const Conversation& one) {
      return one.transport == transport && one.is_between(packet.source, packet.destination);
    });
    if (found == all_.end()) {
      if (all_.size() >= kMostFlows) return;
      all_.push_back({.transport = transport, .a = packet.source, .b = packet.destination});
      found = std::prev(all_.end());
      if (transport == pcap::Transport::tcp) found->input = corpora::stream_input();
    }
    found->take(packet);
  }
  // nullptr if there is none.
  Conversation* longest() {
    const auto found = std::ranges::max_element(all_, {}, &Conversation::packets);
    return found == all_.end() ? nullptr : &*found;
  }

 private:
  std::vector<Conversation> all_;
};

}  // namespace

tl::expected<TraceSeed, std::string> trace_seed_of(const std::string& capture, const Protocol& protocol) {
  auto reader = pcap::PacketReader::open(capture);
  if (!reader) return tl::unexpected(pcap::to_string(reader.error()));
  Conversations all;
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (pcap::Transport found; (found = reader->next(datagram, segment)) != pcap::Transport::none;) {
    if (found == pcap::Transport::tcp)
      all.take(found, segment);
    else
      all.take(found, datagram);
  }
  Conversation* const longest = all.longest();
  if (longest == nullptr) return tl::unexpected(fmt::format("{}: holds no conversation", capture));
  longest->finish();
  // A protocol of streams and of datagrams has a target for each.
  const bool is_other = longest->transport != pcap::Transport::tcp && protocol.streams;
  return TraceSeed{.target = fmt::format("fuzz_{}_{}", protocol.name, is_other ? "datagrams" : "trace"),
                   .octets = std::move(longest->input)};
}

}  // namespace wirelaw::campaign
