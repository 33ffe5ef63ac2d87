// SPDX-License-Identifier: Apache-2.0
// Any datagrams of two hosts to RoCEv2's port (corpora/formats/records.h). Oracles for each packet: encode(decode(x))
// == x, and the fields that users see are within it. Oracles for all packets: each finds a flow between its own hosts;
// the connection keeps to its memory limit; deliveries are within their message; a network that duplicates every packet
// does not change them.
#include <array>

#include "conformance/roce/decode.h"
#include "conformance/roce/requests.h"
#include "conformance/roce/roce.h"
#include "conformance/roce/waiting.h"
#include "corpora/formats/records.h"
#include "fuzz/target.h"
#include "fuzz/trace_target.h"
#include "pcap/queue_pairs.h"

namespace wirelaw::fuzz {
namespace {

namespace control = corpora::trace_control;

constexpr std::size_t kMostPackets = 512;
// For both sides: a message with its growing buffer, its places, waiting packets, and Reads.
constexpr std::size_t kMostMemory =
    2 * (2 * roce::Requests::kMostOctets + 2 * roce::Requests::kMostPlaces * sizeof(Place) +
         roce::Requests::kMostHeldOctets + roce::Requests::kMostHeld * 1024 + roce::Requests::kMostReads * 128) +
    roce::WaitingPackets::kMostOctets + (roce::WaitingPackets::kMost + 2) * sizeof(roce::WaitingPackets::One) +
    65'536 * 2;

struct Sent {
  Octets octets;
  std::size_t wire_length;
  bool from_b;
};

void check_packet(const Sent& sent) {
  const auto packet = roce::decode(sent.octets, sent.wire_length);
  if (!packet) {
    require(packet.error().offset <= sent.octets.size(), "an error is within the packet");
    return;
  }
  require(packet->payload.size() <= packet->payload_length, "no more is captured than was sent");
  require(packet->payload_offset + packet->payload.size() <= sent.octets.size(), "a payload is within its packet");
  if (sent.octets.size() < sent.wire_length) return;
  OctetBuffer again;
  roce::encode(*packet, again);
  require(std::equal(again.begin(), again.end(), sent.octets.begin(), sent.octets.end()), "encode(decode(x)) == x");
}

void check_shown(Octets octets) {
  for (const Field& field : roce::decode_for_people(octets).fields)
    require(field.offset <= octets.size() && field.length <= octets.size() - field.offset,
            "what is shown is within the packet");
}

pcap::Datagram datagram_of(const Sent& sent, std::uint64_t frame) {
  const std::array<std::array<Octet, 4>, 2> hosts{{{192, 0, 2, 1}, {192, 0, 2, 2}}};
  pcap::Datagram datagram;
  datagram.frame = frame;
  datagram.payload = sent.octets;
  datagram.wire_length = static_cast<std::uint32_t>(sent.wire_length);
  datagram.source = {pcap::Address::ipv4(hosts[sent.from_b ? 1 : 0].data()), 50'000};
  datagram.destination = {pcap::Address::ipv4(hosts[sent.from_b ? 0 : 1].data()), roce::kPort};
  return datagram;
}

void check_route(const pcap::RoceRoute& route, const pcap::Datagram& datagram) {
  const auto is_between = [](const pcap::QueuePair& pair, const pcap::Datagram& sent_here) {
    return pair.source.address == sent_here.source.address && pair.destination.address == sent_here.destination.address;
  };
  require(is_between(route.flow, datagram), "a flow is between the hosts of its packet");
  // A reply that was captured before its request takes the request's place, in its own direction.
  require(!route.about || is_between(*route.about, route.reply == nullptr ? datagram : *route.reply),
          "a connection is between the hosts that manage it");
  require(route.reply == nullptr || route.request != nullptr, "an early reply has its request");
  require(route.request == nullptr || route.about, "a request is of a connection");
  require(route.late_ns >= 0, "nothing is late by less than no time");
}

// Each datagram has a route: at once, or after it has waited.
void check_routes(const std::vector<Sent>& all) {
  constexpr std::int64_t kBetweenPackets = 10'000'000;
  pcap::QueuePairs pairs;
  std::uint64_t frame = 0, routed = 0;
  const auto take_released = [&] {
    for (; pairs.has_released(); ++routed) {
      const pcap::ReleasedDatagram one = pairs.take_released();
      require(!one.route.waits, "a datagram waits once");
      require(one.packet.datagram.frame <= frame, "a datagram was routed before it is released");
      check_route(one.route, one.packet.datagram);
    }
  };
  for (const Sent& sent : all) {
    pcap::Datagram datagram = datagram_of(sent, ++frame);
    datagram.time_ns = static_cast<std::int64_t>(frame) * kBetweenPackets;
    pairs.expire(datagram.time_ns);
    take_released();
    const pcap::RoceRoute route = pairs.route(datagram);
    check_route(route, datagram);
    routed += route.waits ? 0 : 1;
    take_released();
    require(pairs.directions() <= pcap::QueuePairs::kMostDirections, "queue pairs are bounded");
  }
  pairs.finish();
  take_released();
  require(routed == all.size(), "each datagram is routed once");
}

// The deliveries as text, without the time, which depends on duplicates.
class Delivered final : public DeliverySink {
 public:
  void deliver(const Delivery& delivery, Judge& judge) override {
    oracle_.deliver(delivery, judge);
    const Message& message = delivery.message;
    append(static_cast<std::uint64_t>(delivery.event) << 1 | static_cast<std::uint64_t>(delivery.sender));
    append(message.index);
    append(message.wire_length);
    append(delivery.whole);
    append(delivery.invalidated_stag.value_or(0));
    append(delivery.remote.offset ^ delivery.remote.length);
    log_.insert(log_.end(), message.octets.begin(), message.octets.end());
  }
  const OctetBuffer& log() const { return log_; }

 private:
  void append(std::uint64_t value) { Writer(log_).big_endian(value); }

  DeliveryOracle oracle_;
  OctetBuffer log_;
};

OctetBuffer observe(const std::vector<Sent>& all, unsigned times) {
  Judge judge(roce::kProtocol.catalogue());
  judge.enter_flow("fuzz", "a", "b");
  Delivered delivered;
  const auto observer = roce::kProtocol.observer({});
  observer->deliver_to(&delivered);
  std::uint64_t frame = 0;
  for (const Sent& sent : all) {
    ++frame;
    for (unsigned i = 0; i < times; ++i) {
      const OctetBuffer copy(sent.octets.begin(),
                             sent.octets.end());  // so that a sanitizer detects references that outlive the call
      observer->observe(Message{.octets = copy,
                                .wire_length = sent.wire_length,
                                .sender = sent.from_b ? Side::b : Side::a,
                                .index = frame,
                                .frame = frame,
                                .frame_offset = 42,
                                .time_ns = static_cast<std::int64_t>(frame)},
                        judge);
    }
    require(observer->memory() <= kMostMemory, "the connection keeps to its memory");
  }
  observer->finish(judge);
  static_cast<void>(observer->partial());
  static_cast<void>(observer->remark());
  return delivered.log();
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  std::vector<Sent> all;
  corpora::RecordReader reader({data, size});
  corpora::Record record;
  while (all.size() < kMostPackets && reader.next(record)) {
    const std::size_t cut =
        (record.control & control::kCut) != 0 ? std::min(corpora::kCutOctets, record.octets.size()) : 0;
    all.push_back({record.octets.first(record.octets.size() - cut), record.octets.size(),
                   (record.control & control::kSideB) != 0});
    check_packet(all.back());
    check_shown(all.back().octets);
  }
  check_routes(all);
  require(observe(all, 1) == observe(all, 2), "what is doubled is delivered once");
  return 0;
}
