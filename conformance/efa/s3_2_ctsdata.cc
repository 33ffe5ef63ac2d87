// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.7: CTSDATA, of messages, writes and reads alike.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kCtsdataNamesReceiveOperation{"EFA-3.2-140",
                                                   Level::must,
                                                   Role::any,
                                                   "EFA RDM v4 3.2, table 3.7",
                                                   Observable::trace,
                                                   "recv_id of a CTSDATA is that of the CTS which allowed it.",
                                                   "of a read, also that of the LONGCTS_RTR (A-33)"};
constinit const Rule kNoCtsdataBeforeCts{"EFA-3.2-141",
                                         Level::must_not,
                                         Role::any,
                                         "EFA RDM v4 3.2, Long-CTS message",
                                         Observable::trace,
                                         "No CTSDATA is sent before the first CTS of its operation.",
                                         "the LONGCTS_RTR of a read is its first CTS (3.3)"};
constinit const Rule kCtsdataSaysItsLength{
    "EFA-3.2-142",     Level::must,
    Role::any,         "EFA RDM v4 3.2, table 3.7",
    Observable::trace, "seg_length of a CTSDATA is the length of the data behind its header."};
constinit const Rule kCtsdataHasData{"EFA-3.2-143",     Level::should,
                                     Role::any,         "EFA RDM v4 3.2, Long-CTS message",
                                     Observable::trace, "A CTSDATA carries application data."};
constinit const Rule kCtsdataWithinMessage{"EFA-3.2-144",     Level::must_not,
                                           Role::any,         "EFA RDM v4 3.2, seg_offset",
                                           Observable::trace, "No CTSDATA reaches beyond the end of its message."};
constinit const Rule kCtsdataWithinWindow{
    "EFA-3.2-145",     Level::must_not,
    Role::any,         "EFA RDM v4 3.2, recv_length",
    Observable::trace, "The sender sends no more octets than CTS packets have allowed.",
    "A-23, A-24, A-25"};
constinit const Rule kCtsdataOnce{"EFA-3.2-146",     Level::must_not,
                                  Role::any,         "EFA RDM v4 3.2, seg_offset",
                                  Observable::trace, "No octet of a message is sent in two CTSDATA packets."};
constinit const Rule kCtsdataOffsetInMessage{
    "EFA-3.2-147",     Level::must,
    Role::any,         "EFA RDM v4 3.2, table 3.7",
    Observable::trace, "seg_offset counts from the beginning of the message, the data of its REQ packet included.",
    "A-22, A-23"};

RuleList s3_2_ctsdata_rules() {
  static constexpr const Rule* kRules[] = {
      &kCtsdataNamesReceiveOperation, &kNoCtsdataBeforeCts,  &kCtsdataSaysItsLength, &kCtsdataHasData,
      &kCtsdataWithinMessage,         &kCtsdataWithinWindow, &kCtsdataOnce,          &kCtsdataOffsetInMessage};
  return kRules;
}

namespace {

// Its recv_id is nobody's: of an operation that may send, or before anything was allowed? What it was meant for is not
// known: nothing follows for any that it may have been.
void judge_stray(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  if (!conversation.complete()) return;
  bool allowed = false, waiting = false, unsure = false;
  conversation.exchanges().each_recent([&](Exchange& one) {
    if (one.source() != seen.sender() || !one.goes_by_cts() || one.done) return;
    (one.unsettled ? unsure : one.window() > 0 ? allowed : waiting) = true;
    one.unsettled = true;
  });
  if (unsure) return;
  if (waiting && !allowed)
    require(judge, kNoCtsdataBeforeCts, false, seen, Field::recv_id, expected("a CTS before it"), actual("none"),
            "the operation waits for leave to send");
  else
    require(judge, kCtsdataNamesReceiveOperation, false, seen, Field::recv_id, expected("the recv_id of a CTS"),
            actual(seen.packet.recv_id), "no CTS has given it");
}

// Whether these octets lie where the exchange may have them now.
bool judge_place(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  const auto ends_by = [&](std::uint64_t end) { return offset <= end && octets <= end - offset; };
  const auto said = [&] { return fmt::format("{} octets at {}", octets, offset); };
  if (!require(judge, kCtsdataOffsetInMessage, offset >= exchange.in_request, seen, Field::seg_offset,
               expected([&] { return fmt::format("at least {}", exchange.in_request); }), actual(offset),
               "the REQ packet has carried what is there"))
    return false;
  if (!require(judge, kCtsdataWithinMessage, ends_by(exchange.length), seen, Field::seg_offset,
               expected([&] { return fmt::format("an end at {} or before", exchange.length); }), actual(said),
               "the message is not so long"))
    return false;
  return require(judge, kCtsdataWithinWindow, ends_by(exchange.granted), seen, Field::seg_offset,
                 expected([&] { return fmt::format("an end at {} or before", exchange.granted); }), actual(said),
                 "no CTS has allowed more");
}

}  // namespace

void judge_ctsdata(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  Exchange* const exchange = conversation.exchanges().by_recv_id(other(seen.sender()), packet.recv_id);
  if (!require(judge, kCtsdataSaysItsLength, packet.seg_length == octets, seen, Field::seg_length, expected(octets),
               actual(packet.seg_length), "the packet holds another number of octets")) {
    if (exchange != nullptr) exchange->unsettled = true;
    return;
  }
  advise(judge, kCtsdataHasData, octets > 0, seen, Field::seg_length, expected("at least 1"), actual(0),
         "it carries nothing");
  if (exchange == nullptr) return judge_stray(judge, seen, conversation);
  exchange->latest = seen.mark();
  if (exchange->unsettled || octets == 0) return;
  if (!require(judge, kCtsdataNamesReceiveOperation, exchange->goes_by_cts(), seen, Field::recv_id,
               expected("the recv_id of a CTS"), actual(packet.recv_id),
               [&] { return fmt::format("that receive operation is of a {}", exchange->request->name); }))
    return;
  require(judge, kNoCtsdataBeforeCts, true, seen, Field::recv_id, expected(""), actual(""));
  const bool again =
      seen.doubled && octets <= ~packet.seg_offset && exchange->data.has(packet.seg_offset, packet.seg_offset + octets);
  if (again) {
    advise(judge, kCtsdataOnce, false, seen, Field::seg_offset, expected("each CTSDATA once"),
           actual("the same CTSDATA again"), "it has been sent twice, or UDP has doubled it");
    return;
  }
  if (!judge_place(judge, seen, *exchange)) {
    exchange->unsettled = true;
    return;
  }
  const auto fresh = exchange->data.add(packet.seg_offset, packet.seg_offset + octets, Conversation::kMostGaps);
  if (!fresh || !require(judge, kCtsdataOnce, *fresh == octets, seen, Field::seg_offset,
                         expected("octets that have not been sent"),
                         actual([&] { return fmt::format("{} octets at {}", octets, packet.seg_offset); }),
                         [&] { return fmt::format("{} of them have been sent before", octets - *fresh); })) {
    exchange->unsettled = true;
    return;
  }
  exchange->last_data = seen.mark();
  judge_fresh_data(judge, seen, *exchange, packet.seg_offset);
  if (exchange->has_all_data() && !exchange->request->delivery_complete) exchange->done = true;
}

}  // namespace wirelaw::efa
