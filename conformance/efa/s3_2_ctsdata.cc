// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.7: CTSDATA, of messages, writes and reads alike.
#include <algorithm>

#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_7{"EFA RDM v4 3.2, table 3.7"};
constexpr Section kLongCtsMessage{"EFA RDM v4 3.2, Long-CTS message"};
constexpr Section kSegOffset{"EFA RDM v4 3.2, seg_offset"};
constexpr Section kRecvLength{"EFA RDM v4 3.2, recv_length"};

}  // namespace

constinit const Rule kCtsdataNamesReceiveOperation =
    kTable3_7.resting_on(Evidence::absence)
        .must("EFA-3.2-140", "recv_id of a CTSDATA is that of the CTS which allowed it.",
              "of a read, also that of the LONGCTS_RTR (EFA/A-33)");
constinit const Rule kNoCtsdataBeforeCts =
    kLongCtsMessage.resting_on(Evidence::absence)
        .must_not("EFA-3.2-141", "No CTSDATA is sent before the first CTS of its operation.",
                  "the LONGCTS_RTR of a read is its first CTS (3.3)");
constinit const Rule kCtsdataSaysItsLength =
    kTable3_7.must("EFA-3.2-142", "seg_length of a CTSDATA is the length of the data behind its header.");
constinit const Rule kCtsdataHasData = kLongCtsMessage.should("EFA-3.2-143", "A CTSDATA carries application data.",
                                                              "No text forbids an empty one: warned.");
constinit const Rule kCtsdataWithinMessage =
    kSegOffset.resting_on(Evidence::absence)
        .must_not("EFA-3.2-144", "No CTSDATA reaches beyond the end of its message.");
constinit const Rule kCtsdataWithinWindow =
    kRecvLength.resting_on(Evidence::absence)
        .must_not("EFA-3.2-145", "The sender sends no more octets than CTS packets have allowed.",
                  "EFA/A-23, EFA/A-24, EFA/A-25");
constinit const Rule kCtsdataOnce =
    kSegOffset.resting_on(Evidence::absence)
        .must_not("EFA-3.2-146", "No octet of a message is sent in two CTSDATA packets.", "EFA/A-76");
constinit const Rule kCtsdataOffsetInMessage =
    kTable3_7.resting_on(Evidence::absence)
        .must("EFA-3.2-147",
              "seg_offset counts from the beginning of the message, the data of its REQ packet included.",
              "EFA/A-22, EFA/A-23");

constexpr Breach kBreaches[] = {
    {Deviation::ctsdata_wrong_recv_id, kCtsdataNamesReceiveOperation},
    {Deviation::data_before_cts, kNoCtsdataBeforeCts, {.who = kRequester}},
    {Deviation::connid_unannounced, kCtsdataSaysItsLength, {.who = kResponder}},
    {Deviation::ctsdata_length_long, kCtsdataSaysItsLength},
    {Deviation::ctsdata_length_short, kCtsdataSaysItsLength},
    {Deviation::data_beyond_window, kCtsdataWithinWindow},
    {Deviation::ctsdata_offset_shifted, kCtsdataWithinWindow},
    {Deviation::ctsdata_twice, kCtsdataWithinWindow, {.who = kResponder, .given = kStimulus}},
    {Deviation::ctsdata_offset_zero, kCtsdataOnce},
    {Deviation::ctsdata_twice, kCtsdataOnce, {.severity = Severity::warning}},
    {Deviation::connid_padded, kCtsdataOffsetInMessage, {.who = kRequester}},
    {Deviation::ctsdata_offset_zero, kCtsdataOffsetInMessage, {.who = kRequester}},
};

SectionRules s3_2_ctsdata_rules() {
  static constexpr const Rule* kRules[] = {
      &kCtsdataNamesReceiveOperation, &kNoCtsdataBeforeCts,  &kCtsdataSaysItsLength, &kCtsdataHasData,
      &kCtsdataWithinMessage,         &kCtsdataWithinWindow, &kCtsdataOnce,          &kCtsdataOffsetInMessage};
  return {kRules, kBreaches};
}

namespace {

// A CTS that names no operation which has been seen may name one whose request was overtaken on its way.
bool may_be_allowed(const SeenPacket& seen, const TraceState& state) {
  const Party& peer = state.party(other(seen.sender()));
  return peer.strays_forgotten || std::ranges::find(peer.stray_grants, seen.packet.recv_id) != peer.stray_grants.end();
}

// Its recv_id is nobody's: of an operation that may send, or before anything was allowed? What it was meant for is not
// known: nothing follows for any that it may have been.
void judge_stray(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!state.complete() || may_be_allowed(seen, state)) return;
  bool allowed = false, waiting = false, unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    if (one.source() != seen.sender() || !one.goes_by_cts() || one.done) return;
    (one.unsettled ? unsure : one.window() > 0 ? allowed : waiting) = true;
    one.unsettled = true;
  });
  if (unsure) return;
  if (waiting && !allowed)
    require(judge, kNoCtsdataBeforeCts, false, seen, Field::recv_id, expected("a CTS before it"), actual("none"),
            "the operation waits for leave to send, or the CTS that gave it was not captured");
  else
    require(judge, kCtsdataNamesReceiveOperation, false, seen, Field::recv_id, expected("the recv_id of a CTS"),
            actual(seen.packet.recv_id), "no CTS has given it, or the one that did was not captured");
}

// Whether these octets lie where the exchange may have them now.
bool judge_place(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  const auto ends_by = [&](std::uint64_t end) { return offset <= end && octets <= end - offset; };
  const bool wraps = octets > ~offset;
  const auto said = [&] { return fmt::format("{} octets at {}", octets, offset); };
  if (!require(judge, kCtsdataOffsetInMessage, offset >= exchange.in_request, seen, Field::seg_offset,
               expected([&] { return fmt::format("at least {}", exchange.in_request); }), actual(offset),
               "the REQ packet has carried what is there"))
    return false;
  if (!require(judge, kCtsdataWithinMessage, ends_by(exchange.length), seen, Field::seg_offset,
               expected([&] { return fmt::format("an end at {} or before", exchange.length); }), actual(said),
               "the message is not so long", wraps ? Evidence::octets : Evidence::absence))
    return false;
  return require(judge, kCtsdataWithinWindow, ends_by(exchange.granted), seen, Field::seg_offset,
                 expected([&] { return fmt::format("an end at {} or before", exchange.granted); }), actual(said),
                 "no CTS has allowed more, or the one that did was not captured");
}

}  // namespace

void judge_ctsdata(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  Exchange* const exchange = state.exchanges().receiver_answered(seen, packet.recv_id);
  if (!require(judge, kCtsdataSaysItsLength, packet.seg_length == octets, seen, Field::seg_length, expected(octets),
               actual(packet.seg_length), "the packet holds another number of octets")) {
    if (exchange != nullptr) exchange->unsettled = true;
    return;
  }
  advise(judge, kCtsdataHasData, octets > 0, seen, Field::seg_length, expected("at least 1"), actual(0),
         "it carries nothing");
  if (exchange == nullptr) return judge_stray(judge, seen, state);
  exchange->latest = seen.mark();
  if (exchange->unsettled || octets == 0) return;
  // Before a trace began the ID may have been another's, whose data may still come.
  if (!exchange->goes_by_cts() && !state.complete()) return;
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
  const auto fresh = exchange->data.add(packet.seg_offset, packet.seg_offset + octets, TraceState::kMostGaps);
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
