// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.5: LONGCTS_RTM, and the send_id that every REQ packet with one gives its operation.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kLongctsLengthHoldsItsData{
    "EFA-3.2-70",
    Level::must,
    Role::initiator,
    "EFA RDM v4 3.2, table 3.5",
    Observable::trace,
    "msg_length of a LONGCTS_RTM is at least the data that the packet carries.",
    "A-23"};
constinit const Rule kLongctsLeavesData{"EFA-3.2-71",
                                        Level::should,
                                        Role::initiator,
                                        "EFA RDM v4 3.2, Long-CTS message",
                                        Observable::trace,
                                        "A LONGCTS_RTM leaves some of its message to CTSDATA packets: a CTS, which "
                                        "cannot allow nothing, would otherwise have nothing to allow.",
                                        "A-23"};
constinit const Rule kSendIdIsFree{
    "EFA-3.2-72",
    Level::must,
    Role::initiator,
    "EFA RDM v4 3.2, send_id",
    Observable::trace,
    "A send operation does not take the send_id of another one of its endpoint that still waits for a CTS.",
    "A-60: judged where the older one cannot be finished whatever a capture has missed"};
constinit const Rule kSomeCreditIsRequested{"EFA-3.2-73",
                                            Level::should,
                                            Role::initiator,
                                            "EFA RDM v4 3.2, credit_request",
                                            Observable::trace,
                                            "credit_request of a LONGCTS_RTM asks for at least one CTSDATA packet.",
                                            "A-43"};

RuleList s3_2_longcts_rules() {
  static constexpr const Rule* kRules[] = {&kLongctsLengthHoldsItsData, &kLongctsLeavesData, &kSendIdIsFree,
                                           &kSomeCreditIsRequested};
  return kRules;
}

namespace {

// The packet is a further one of the message that has the send_id: a segment, or what follows a READ_NACK (4.7).
bool goes_on(const SeenPacket& seen, const Exchange& exchange) {
  if (exchange.nacks > 0) return true;
  const bool several =
      exchange.request->transfer == Transfer::medium || exchange.request->transfer == Transfer::runting_read;
  return several && seen.layout.ordered() && exchange.msg_id == seen.packet.msg_id;
}

}  // namespace

bool judge_send_id(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  if (!seen.layout.is_request() || seen.layout.find(Field::send_id) == nullptr) return true;
  const Exchange* const older = conversation.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  if (older != nullptr && (older->unsettled || goes_on(seen, *older) || seen.doubled)) return true;
  const bool open = older != nullptr && !older->done;
  const bool waits = open && older->goes_by_cts() && older->granted < older->length;
  if (!require(judge, kSendIdIsFree, !waits, seen, Field::send_id, expected("the ID of no send operation that goes on"),
               actual(seen.packet.send_id), [&] {
                 return fmt::format("{} of {} octets of that operation have been allowed", older->granted,
                                    older->length);
               }))
    return false;
  return judge_receipted_send_id(judge, seen, open ? older : nullptr);
}

void contest_send_id(const SeenPacket& seen, Conversation& conversation) {
  Exchange* const taken = conversation.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  if (taken != nullptr) taken->unsettled = true;
  conversation.exchanges().each_recent([&](Exchange& one) {
    if (one.source() == seen.sender() && one.send_id == seen.packet.send_id && !one.done) one.unsettled = true;
  });
}

Exchange& begin_long_cts(const SeenPacket& seen, Conversation& conversation) {
  const Packet& packet = seen.packet;
  const std::uint64_t carried = seen.payload_octets();
  Exchange& exchange =
      conversation.exchanges().begin({.request = &seen.layout,
                                      .requester = seen.sender(),
                                      .begun = seen.mark(),
                                      .msg_id = seen.layout.ordered() ? std::optional(packet.msg_id) : std::nullopt,
                                      .send_id = packet.send_id,
                                      .length = packet.msg_length,
                                      .granted = carried,
                                      .in_request = carried});
  exchange.data.add(0, carried, Conversation::kMostGaps);
  exchange.last_data = exchange.begun;
  return exchange;
}

void judge_longcts_message(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  const Packet& packet = seen.packet;
  Exchange* const known = conversation.exchanges().by_msg_id(seen.sender(), packet.msg_id);
  if (known != nullptr && seen.doubled) return;  // told of its msg_id
  if (judge_continuation(judge, seen, conversation, known)) return;

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
  begin_long_cts(seen, conversation).unsettled = !holds;
}

}  // namespace wirelaw::efa
