// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.4: medium messages, with their delivery complete form (4.2).
//
// In the document the length in their packets is that of the packet's data. Deployed senders write the length of the
// message (EFA/A-03). Either meaning is accepted as long as the sender's packets allow it.
#include "conformance/efa/3.2-medium/medium.h"

#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/3.2-medium/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/transfers.h"

namespace wirelaw::efa {

namespace {

struct Segment {
  std::uint64_t length;  // length field of the packet
  std::uint64_t offset;
  std::uint64_t octets;  // octets of data

  bool ends_by(std::uint64_t end) const { return offset <= end && octets <= end - offset; }
};

// The meanings of the length field that this packet and the earlier packets of its message allow.
std::uint8_t readings(const Segment& segment, const Exchange* known) {
  std::uint8_t all = 0;
  if (segment.length == segment.octets) all |= kSegmentRead;
  const bool same = known == nullptr || (known->reading & kTotalRead) == 0 || known->length == segment.length;
  const bool began = known == nullptr || (known->reading & kTotalRead) != 0;
  if (began && same && segment.ends_by(segment.length)) all |= kTotalRead;
  return all;
}

// Reports a packet that leaves no reading of the length. `possible` are the readings that its message and its sender
// allowed before. If the packet allows none by itself, its octets prove the breach; otherwise the earlier packets do,
// to which it may not belong.
void judge_unreadable(Judge& judge, const SeenPacket& seen, const Segment& segment, const Exchange* known,
                      std::uint8_t possible, std::uint8_t alone) {
  const Evidence evidence = readings(segment, nullptr) == 0 ? Evidence::octets : Evidence::absence;
  const bool total_goes_on = known != nullptr && (known->reading & kTotalRead) != 0 && known->length == segment.length;
  if (alone != 0 && known == nullptr) {
    require(judge, rule<"EFA-3.2-41">, false, seen, Field::seg_length,
            expected([&] { return possible == kTotalRead ? "the length of the message" : "the length of the data"; }),
            actual(segment.length), "as in the sender's messages before");
  } else if ((possible & kTotalRead) != 0 && segment.length >= segment.octets && (known == nullptr || total_goes_on)) {
    require(judge, rule<"EFA-3.2-42">, false, seen, Field::seg_offset,
            expected([&] { return fmt::format("an end at {} or before", segment.length); }),
            actual([&] { return fmt::format("{} octets at {}", segment.octets, segment.offset); }),
            "the message is not so long", evidence);
  } else {
    require(judge, rule<"EFA-3.2-40">, false, seen, Field::seg_length, expected([&] {
              return known != nullptr && (possible & kTotalRead) != 0
                         ? fmt::format("{}, as in the packets before", known->length)
                         : fmt::format("{}, the length of the data", segment.octets);
            }),
            actual(segment.length), "it fits neither the packet nor the message", evidence);
  }
}

// The readings that remain possible; 0 if the packet contradicts all.
std::uint8_t judge_length(Judge& judge, const SeenPacket& seen, Party& party, const Segment& segment,
                          const Exchange* known) {
  std::uint8_t possible = party.medium_readings;
  if (known != nullptr) possible &= static_cast<std::uint8_t>(known->reading);
  if (possible == 0)
    return 0;  // two messages of the sender, begun before either was settled: reported of the other one
  const std::uint8_t alone = readings(segment, known);
  const std::uint8_t left = possible & alone;
  if (left == 0) {
    judge_unreadable(judge, seen, segment, known, possible, alone);
    return 0;
  }
  require(judge, rule<"EFA-3.2-40">, true, seen, Field::seg_length, expected(""), actual(""));
  require(judge, rule<"EFA-3.2-41">, true, seen, Field::seg_length, expected(""), actual(""));
  if ((left & kTotalRead) != 0)
    require(judge, rule<"EFA-3.2-42">, true, seen, Field::seg_offset, expected(""), actual(""));
  party.medium_readings = left;
  return left;
}

// Judges the fields that all packets of a message must have in common. Returns false if the packet belongs to no
// message that can be followed.
bool judge_likeness(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  const Packet& packet = seen.packet;
  if (!require(judge, rule<"EFA-3.2-44">, exchange.request == &seen.layout, seen, Field::type,
               expected([&] { return exchange.request->name; }), actual([&] { return seen.layout.name; }),
               "the message began with it"))
    return false;
  if (seen.layout.tagged)
    require(judge, rule<"EFA-3.2-45">, packet.tag == exchange.tag, seen, Field::tag,
            expected([&] { return say(hex(exchange.tag)); }), actual(hex(packet.tag)), "the message began with it");
  const auto cq_data = packet.has(flag::kCqData) ? std::optional(packet.cq_data) : std::nullopt;
  const auto said = [](const std::optional<std::uint64_t>& one) { return one ? say(hex(*one)) : std::string("none"); };
  advise(judge, rule<"EFA-3.2-46">, cq_data == exchange.cq_data, seen, cq_data ? Field::cq_data : Field::flags,
         expected([&] { return said(exchange.cq_data); }), actual([&] { return said(cq_data); }),
         "the message began with it");
  return judge_segment_send_id(judge, seen, exchange);
}

}  // namespace

void judge_medium_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Party& party = state.party(seen.sender());
  const Segment segment{packet.seg_length, packet.seg_offset, seen.payload_octets()};
  Exchange* exchange = state.exchanges().by_msg_id(seen.sender(), packet.msg_id);
  // judge_msg_id() reports an ID that another operation or a complete message has used.
  if (exchange != nullptr &&
      (exchange->request->transfer != Transfer::medium || (exchange->is_done() && !seen.doubled)))
    exchange = nullptr;
  if (exchange != nullptr) {
    exchange->latest = seen.mark();
    if (exchange->is_unsettled()) return;
    if (seen.doubled && segment.octets <= ~segment.offset &&
        exchange->data.has(segment.offset, segment.offset + segment.octets)) {
      if (!exchange->is_over())
        advise(judge, rule<"EFA-3.2-43">, false, seen, Field::seg_offset, expected("each segment once"),
               actual("the same segment again"), "it has been sent twice, or UDP has doubled it");
      return;
    }
    if (!judge_likeness(judge, seen, *exchange)) {
      exchange->contradict();
      return;
    }
  }
  const std::uint8_t left = judge_length(judge, seen, party, segment, exchange);
  if (exchange == nullptr) {
    if (seen.layout.delivery_complete) judge_send_id(judge, seen, state);
    exchange = &state.begin(seen);
    if (packet.has(flag::kCqData)) exchange->cq_data = packet.cq_data;
  }
  exchange->reading = left;
  if (left == 0) exchange->contradict();
  if (exchange->is_unsettled()) return;
  if ((left & kTotalRead) != 0) exchange->length = segment.length;
  if (left == kSegmentRead) exchange->length = 0;
  advise(judge, rule<"EFA-3.2-47">, segment.octets > 0 || segment.length == 0, seen, Field::seg_length,
         expected("at least 1 octet of data"), actual(0), "it carries nothing");
  if (segment.octets == 0) return;
  const auto fresh = exchange->data.add(segment.offset, segment.offset + segment.octets, TraceState::kMostGaps);
  if (!fresh || !require(judge, rule<"EFA-3.2-43">, *fresh == segment.octets, seen, Field::seg_offset,
                         expected("octets that have not been sent"),
                         actual([&] { return fmt::format("{} octets at {}", segment.octets, segment.offset); }),
                         [&] { return fmt::format("{} of them have been sent before", segment.octets - *fresh); })) {
    exchange->contradict();
    return;
  }
  exchange->last_data = seen.mark();
  exchange->data_end = std::max(exchange->data_end, segment.offset + segment.octets);
  if (const auto receipt = take_early_receipt(*exchange)) check_fresh_data(judge, seen, {.receipt = receipt});
  if (left == kTotalRead && exchange->has_all_data() && !exchange->request->delivery_complete) exchange->finish();
}

}  // namespace wirelaw::efa
