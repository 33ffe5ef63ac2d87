// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/follow.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {
namespace {

using Fault = RuntreadFact::Fault;

Exchange* runting_message(const SeenPacket& seen, TraceState& state) {
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  const bool same = found != nullptr && (found->request->transfer == Transfer::runting_read ||
                                         (found->is_refused() && found->runt_length > 0));
  return same ? found : nullptr;
}

// Begins the message. Returns nullptr if it is not followed.
Exchange* begin_message(RuntreadFact& fact, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  fact.request = RequestFact{.source = total_length(packet.read_iov)};
  Exchange* const message = begin_request(*fact.request, seen, state);
  if (message == nullptr || message->is_unsettled()) return nullptr;
  message->runt_length = packet.runt_length;
  message->iov_hash = hash_of(packet.read_iov);
  message->reading = kOfMessage | kOfPacket;
  return message;
}

// For a later packet of the message.
Fault difference_from(const Exchange& message, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  if (packet.msg_length != message.length) return Fault::msg_length;
  if (packet.send_id != message.send_id) return Fault::send_id;
  if (&seen.layout != message.request || packet.tag != message.tag) return Fault::kind;
  if (hash_of(packet.read_iov) != message.iov_hash) return Fault::read_iov;
  return Fault::none;
}

Fault place_of(const SeenPacket& seen) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets(), length = seen.packet.msg_length;
  if (octets == 0) return Fault::no_data;
  return offset <= length && octets <= length - offset ? Fault::none : Fault::beyond_message;
}

// For a runt_length that has none of the meanings which the message has left.
Fault length_fault(const Exchange& message, const SeenPacket& seen) {
  if (seen.packet.runt_length > seen.packet.msg_length) return Fault::longer_than_message;
  if ((message.reading & kOfMessage) == 0) return Fault::not_of_packet;
  return seen.packet.runt_length != message.runt_length ? Fault::another_length : Fault::beyond_length;
}

Fault take_length(RuntreadFact& fact, const SeenPacket& seen, Exchange& message, Party& sender) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  const bool of_message = packet.runt_length == message.runt_length && packet.runt_length <= packet.msg_length &&
                          packet.seg_offset + octets <= packet.runt_length;
  const std::uint64_t fits = (of_message ? kOfMessage : 0) | (packet.runt_length == octets ? kOfPacket : 0);
  if ((message.reading & fits) == 0) return length_fault(message, seen);
  message.reading &= fits;
  if (message.reading == (kOfMessage | kOfPacket)) return Fault::none;
  fact.meaning = message.reading == kOfMessage ? Reading::deployed : Reading::document;
  fact.meaning_before = sender.runt_length;
  if (sender.runt_length != Reading::open && sender.runt_length != fact.meaning) return Fault::another_meaning;
  sender.runt_length = *fact.meaning;
  return Fault::none;
}

Fault take_data(RuntreadFact& fact, const SeenPacket& seen, Exchange& message) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  message.latest = seen.mark();
  message.last_data = message.latest;
  fact.fresh = message.data.add(offset, offset + octets, TraceState::kMostGaps);
  if (fact.fresh != octets) return Fault::sent_before;
  fact.is_last = message.data.octets() >= message.runt_octets();
  // If nothing is left to read, no EOR is sent (EFA/A-49).
  if (fact.is_last && (message.eors > 0 || message.data.octets() == message.length)) message.finish();
  return Fault::none;
}

}  // namespace

RuntreadFact follow_runting_message(const SeenPacket& seen, TraceState& state) {
  RuntreadFact fact;
  Exchange* message = runting_message(seen, state);
  if (message == nullptr) {
    message = begin_message(fact, seen, state);
    if (message == nullptr) return fact;
    fact.fault = has_source(*fact.request, seen.packet) ? Fault::none : Fault::source;
  } else {
    if (message->is_unsettled() || message->is_resumed() || seen.doubled) return fact;
    fact.begun = {.request = message->request,
                  .length = message->length,
                  .send_id = message->send_id.value_or(0),
                  .tag = message->tag,
                  .runt_length = message->runt_length};
    fact.fault = difference_from(*message, seen);
  }
  fact.is_followed = true;
  if (fact.fault == Fault::none) fact.fault = place_of(seen);
  if (fact.fault == Fault::none) fact.fault = take_length(fact, seen, *message, state.party(seen.sender()));
  if (fact.fault == Fault::none) fact.fault = take_data(fact, seen, *message);
  // A faulty packet is reported once, and nothing is concluded from it.
  if (fact.fault != Fault::none) message->contradict();
  return fact;
}

}  // namespace wirelaw::efa
