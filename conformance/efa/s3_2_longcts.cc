// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.5: LONGCTS_RTM, and the send_id that every REQ packet with one gives its operation.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_5{"EFA RDM v4 3.2, table 3.5", kRequester};
constexpr Section kLongCtsMessage{"EFA RDM v4 3.2, Long-CTS message", kRequester};
constexpr Section kSendId{"EFA RDM v4 3.2, send_id", kRequester};
constexpr Section kCreditRequest{"EFA RDM v4 3.2, credit_request", kRequester};
constexpr Section kMediumMessage{"EFA RDM v4 3.2, Medium message", kRequester, Observable::api};

}  // namespace

constinit const Rule kLongctsLengthHoldsItsData = kTable3_5.must(
    "EFA-3.2-70", "msg_length of a LONGCTS_RTM is at least the data that the packet carries.", "EFA/A-23");
constinit const Rule kLongctsLeavesData =
    kLongCtsMessage.should("EFA-3.2-71",
                           "A LONGCTS_RTM leaves some of its message to CTSDATA packets: a CTS, which cannot allow "
                           "nothing, would otherwise have nothing to allow.",
                           "EFA/A-23");
constinit const Rule kSendIdIsFree =
    kSendId.resting_on(Evidence::absence)
        .must("EFA-3.2-72",
              "A send operation does not take the send_id of another one of its endpoint that cannot be finished yet.",
              "EFA/A-66: or for what else ends it");
constinit const Rule kSomeCreditIsRequested = kCreditRequest.should(
    "EFA-3.2-73", "credit_request of a LONGCTS_RTM asks for at least one CTSDATA packet.", "EFA/A-43");

constinit const Rule kUnsentMessageIsCancelled = kMediumMessage.must(
    "EFA-3.2-74", "Where the one REQ packet of a message could not be sent, the message is cancelled as a whole.",
    "The device reports to its user that a packet was not sent, and the application gets the error; a trace shows "
    "nothing");

constexpr Breach kBreaches[] = {
    {Deviation::credit_request_zero, kSomeCreditIsRequested, {.severity = Severity::warning}},
};

SectionRules s3_2_longcts_rules() {
  static constexpr const Rule* kRules[] = {&kLongctsLengthHoldsItsData, &kLongctsLeavesData, &kSendIdIsFree,
                                           &kSomeCreditIsRequested, &kUnsentMessageIsCancelled};
  return {kRules, kBreaches};
}

void judge_send_id(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!state.complete()) return;
  const Exchange* const older = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool waits = older != nullptr && older->source_waits();
  const bool for_receipt = waits && older->request->delivery_complete && older->granted >= older->length;
  require(judge, kSendIdIsFree, !waits || for_receipt, seen, Field::send_id,
          expected("the ID of no operation that goes on"), actual(seen.packet.send_id), [&] {
            return fmt::format(
                "that of the {} in packet {}, which waits for its peer, or what ended it was not captured",
                older->request->name, older->begun.index + 1);
          });
  judge_receipted_send_id(judge, seen, for_receipt ? older : nullptr);
}

void judge_longcts_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  if (seen.doubled && state.exchanges().by_msg_id(seen.sender(), packet.msg_id) != nullptr)
    return;  // judge_msg_id() has reported it
  judge_send_id(judge, seen, state);
  const std::uint64_t carried = seen.payload_octets();
  advise(judge, kSomeCreditIsRequested, packet.credit_request > 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "no CTSDATA is wished for");
  const bool holds = require(judge, kLongctsLengthHoldsItsData, carried <= packet.msg_length, seen, Field::msg_length,
                             expected([&] { return fmt::format("at least {}", carried); }), actual(packet.msg_length),
                             "the packet itself carries more");
  if (holds)
    advise(judge, kLongctsLeavesData, carried < packet.msg_length, seen, Field::msg_length,
           expected([&] { return fmt::format("more than {}", carried); }), actual(packet.msg_length),
           "the packet carries the whole message");
  Exchange& message = state.begin(seen);
  // One that follows a READ_NACK which was not captured: where the data begins that is left is not known.
  if (!holds || packet.has(flag::kReadNack)) message.unsettled = true;
  message.granted = message.in_request = carried;
  message.data.add(0, carried, TraceState::kMostGaps);
  message.last_data = message.begun;
  message.done = carried == packet.msg_length && !seen.layout.delivery_complete && !message.unsettled;
}

}  // namespace wirelaw::efa
