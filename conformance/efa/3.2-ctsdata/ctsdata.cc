// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.7: CTSDATA, of messages, writes and reads alike.
#include "conformance/efa/3.2-ctsdata/ctsdata.h"

#include <algorithm>

#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-ctsdata/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

// A CTS that names no operation which has been seen may name one whose request was overtaken on its way.
bool may_be_allowed(const SeenPacket& seen, const TraceState& state) {
  const Party& peer = state.party(other(seen.sender()));
  return peer.strays_forgotten || std::ranges::find(peer.stray_grants, seen.packet.recv_id) != peer.stray_grants.end();
}

// Judges a CTSDATA whose recv_id no operation has. It may belong to an operation that may send, or have come before any
// grant. The intended operation is unknown, so nothing is concluded for any candidate.
void judge_stray(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!state.complete() || may_be_allowed(seen, state)) return;
  bool allowed = false, waiting = false, unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    if (one.source() != seen.sender() || !one.goes_by_cts() || one.is_done()) return;
    (one.is_unsettled() ? unsure : one.window() > 0 ? allowed : waiting) = true;
    one.contradict();
  });
  if (unsure) return;
  if (waiting && !allowed)
    require(judge, rule<"EFA-3.2-141">, false, seen, Field::recv_id, expected("a CTS before it"), actual("none"),
            "the operation waits for leave to send, or the CTS that gave it was not captured");
  else
    require(judge, rule<"EFA-3.2-140">, false, seen, Field::recv_id, expected("the recv_id of a CTS"),
            actual(seen.packet.recv_id), "no CTS has given it, or the one that did was not captured");
}

// Judges that the exchange may carry these octets of the message now.
bool judge_place(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  const auto ends_by = [&](std::uint64_t end) { return offset <= end && octets <= end - offset; };
  const bool wraps = octets > ~offset;
  const auto said = [&] { return fmt::format("{} octets at {}", octets, offset); };
  if (!require(judge, rule<"EFA-3.2-147">, offset >= exchange.in_request, seen, Field::seg_offset,
               expected([&] { return fmt::format("at least {}", exchange.in_request); }), actual(offset),
               "the REQ packet has carried what is there"))
    return false;
  if (!require(judge, rule<"EFA-3.2-144">, ends_by(exchange.length), seen, Field::seg_offset,
               expected([&] { return fmt::format("an end at {} or before", exchange.length); }), actual(said),
               "the message is not so long", wraps ? Evidence::octets : Evidence::absence))
    return false;
  return require(judge, rule<"EFA-3.2-145">, ends_by(exchange.granted), seen, Field::seg_offset,
                 expected([&] { return fmt::format("an end at {} or before", exchange.granted); }), actual(said),
                 "no CTS has allowed more, or the one that did was not captured");
}

}  // namespace

void judge_ctsdata(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  Exchange* const exchange = state.exchanges().receiver_answered(seen, packet.recv_id);
  if (!require(judge, rule<"EFA-3.2-142">, packet.seg_length == octets, seen, Field::seg_length, expected(octets),
               actual(packet.seg_length), "the packet holds another number of octets")) {
    if (exchange != nullptr) exchange->contradict();
    return;
  }
  advise(judge, rule<"EFA-3.2-143">, octets > 0, seen, Field::seg_length, expected("at least 1"), actual(0),
         "it carries nothing");
  if (exchange == nullptr) return judge_stray(judge, seen, state);
  exchange->latest = seen.mark();
  if (exchange->is_unsettled() || octets == 0) return;
  // Before the trace began, another operation may have had the ID, and its data may still come.
  if (!exchange->goes_by_cts() && !state.complete()) return;
  if (!require(judge, rule<"EFA-3.2-140">, exchange->goes_by_cts(), seen, Field::recv_id,
               expected("the recv_id of a CTS"), actual(packet.recv_id),
               [&] { return fmt::format("that receive operation is of a {}", exchange->request->name); }))
    return;
  require(judge, rule<"EFA-3.2-141">, true, seen, Field::recv_id, expected(""), actual(""));
  const bool again =
      seen.doubled && octets <= ~packet.seg_offset && exchange->data.has(packet.seg_offset, packet.seg_offset + octets);
  if (again) {
    advise(judge, rule<"EFA-3.2-146">, false, seen, Field::seg_offset, expected("each CTSDATA once"),
           actual("the same CTSDATA again"), "it has been sent twice, or UDP has doubled it");
    return;
  }
  if (!judge_place(judge, seen, *exchange)) {
    exchange->contradict();
    return;
  }
  const auto fresh = exchange->data.add(packet.seg_offset, packet.seg_offset + octets, TraceState::kMostGaps);
  if (!fresh || !require(judge, rule<"EFA-3.2-146">, *fresh == octets, seen, Field::seg_offset,
                         expected("octets that have not been sent"),
                         actual([&] { return fmt::format("{} octets at {}", octets, packet.seg_offset); }),
                         [&] { return fmt::format("{} of them have been sent before", octets - *fresh); })) {
    exchange->contradict();
    return;
  }
  exchange->last_data = seen.mark();
  judge_fresh_data(judge, seen, *exchange, packet.seg_offset);
  if (exchange->has_all_data() && !exchange->request->delivery_complete) exchange->finish();
}

}  // namespace wirelaw::efa
