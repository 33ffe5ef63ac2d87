// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// The contents of a READRSP in one of the two orders of its IDs.
struct Read {
  Exchange* of = nullptr;     // the read that it answers
  std::uint32_t send_id = 0;  // the other ID
  bool fits = false;          // the read is waiting for this much data
};

Read read_as(Reading order, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;  // decoded in the deployed order
  const bool deployed = order == Reading::deployed;
  Read read{.send_id = deployed ? packet.send_id : packet.recv_id};
  Exchange* const found =
      state.exchanges().by_recv_id(other(seen.sender()), deployed ? packet.recv_id : packet.send_id);
  if (found == nullptr || found->request->purpose != Purpose::read) return read;
  read.of = found;
  const bool is_short = found->request->transfer == Transfer::eager;
  const std::uint64_t octets = seen.payload_octets();
  const bool as_much = is_short ? octets == found->length : octets <= found->granted;
  read.fits = found->answers == 0 && (as_much || found->is_unsettled());
  return read;
}

// Returns true if the packet makes sense only in the order that its sender has not used before.
bool is_turned(const Read& usual, const Read& unusual) {
  const bool not_usual = usual.of == nullptr || (usual.of->answers > usual.of->repeated && !usual.of->is_unsettled());
  return not_usual && unusual.fits && !unusual.of->is_unsettled();
}

// Chooses the order, and with it the read.
Read place(ReadrspFact& fact, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Read deployed = read_as(Reading::deployed, seen, state);
  if (seen.packet.recv_id == seen.packet.send_id) return deployed;
  const Read document = read_as(Reading::document, seen, state);
  // A deployed requester treats it as the answer to another of its reads.
  const auto by_document = [&] {
    if (deployed.of != nullptr && deployed.of->answers == 0) deployed.of->contradict();
    return document;
  };
  if (party.readrsp != Reading::open) {
    const bool was_deployed = party.readrsp == Reading::deployed;
    const Read& unusual = was_deployed ? document : deployed;
    const bool turned = is_turned(was_deployed ? deployed : document, unusual);
    fact.order = {.usual = party.readrsp, .is_turned = turned};
    if (turned) unusual.of->contradict();
    return was_deployed != turned ? deployed : by_document();
  }
  if (deployed.fits && document.fits) {  // may answer either
    deployed.of->contradict();
    document.of->contradict();
    return deployed;
  }
  if (!deployed.fits && !document.fits) return deployed.of != nullptr ? deployed : document;
  if (state.complete() && !(deployed.fits ? deployed : document).of->is_unsettled())
    party.readrsp = deployed.fits ? Reading::deployed : Reading::document;
  return deployed.fits ? deployed : by_document();
}

// If it is unknown which read this answer belongs to, or how, the requester may use either of its IDs. Another
// operation with such an ID may be confused with it.
void may_take_send_id(const SeenPacket& seen, TraceState& state, const Exchange* answered = nullptr) {
  for (const std::uint32_t id : {seen.packet.send_id, seen.packet.recv_id}) {
    Exchange* const before = state.exchanges().by_send_id(seen.sender(), id);
    if (before != nullptr && before != answered) before->contradict();
  }
}

// For a READRSP that answers no read. Returns true if that is certain: an unsettled operation may have reused the ID of
// the read.
bool follow_stray_readrsp(const SeenPacket& seen, TraceState& state) {
  bool may_be_known = false;
  for (const std::uint32_t id : {seen.packet.recv_id, seen.packet.send_id}) {
    const Exchange* const taker = state.exchanges().receiver_answered(seen, id);
    may_be_known = may_be_known || (taker != nullptr && taker->is_unsettled());
  }
  const bool is_certain = state.complete() && !may_be_known;
  may_take_send_id(seen, state);
  return is_certain;
}

// Returns true if the operation of a READRSP may have ended before another one took its ID: the request of that one has
// overtaken the READRSP. It has not ended if the requester has not allowed all its data.
bool may_be_overtaken(const SeenPacket& seen, const Exchange& read, const Exchange& newer) {
  return read.granted >= read.length && !TraceState::is_past_transit(newer.begun.time_ns, seen.message.time_ns);
}

void take_send_id(ReadrspFact& fact, const SeenPacket& seen, TraceState& state, Exchange& read, std::uint32_t send_id) {
  if (read.request->transfer == Transfer::eager) return;
  const Exchange* const before = state.exchanges().by_send_id(seen.sender(), send_id);
  const bool in_use = before != nullptr && before != &read && before->source_waits();
  if (state.complete() && !(in_use && may_be_overtaken(seen, read, *before)))
    fact.send_id = in_use ? IdFact{before->operation()} : IdFact{};
  if (in_use) read.contradict();
  state.exchanges().set_send_id(read, send_id);
}

void take_data(ReadrspFact& fact, const SeenPacket& seen, Exchange& read) {
  constexpr std::uint64_t kMostUdpOctets = 65'507;  // over IPv4: no packet is larger
  const std::uint64_t octets = seen.payload_octets();
  const bool is_short = read.request->transfer == Transfer::eager;
  // A request that no correct requester sends may have any answer (EFA-3.3-52; by 3.2 a requester must be ready for
  // some data).
  if (is_short ? read.length > kMostUdpOctets : read.granted == 0) return read.contradict();
  fact.wanted = {.is_short = is_short, .length = read.length, .granted = read.granted};
  if (is_short) read.finish();
  if (is_short ? octets != read.length : octets > read.length || octets > read.granted) return read.contradict();
  read.data.add(0, octets, TraceState::kMostGaps);
  read.last_data = seen.mark();
  if (read.data.octets() == read.length) read.finish();
}

}  // namespace

ReadrspFact follow_readrsp(const SeenPacket& seen, TraceState& state) {
  ReadrspFact fact;
  const Packet& packet = seen.packet;
  const Read found = place(fact, seen, state);
  if (found.of == nullptr) {
    fact.answers_none = follow_stray_readrsp(seen, state);
    return fact;
  }
  Exchange& read = *found.of;
  const bool in_deployed_order = found.send_id == packet.send_id;
  if (!found.fits || (!in_deployed_order && state.party(seen.sender()).readrsp != Reading::document))
    may_take_send_id(seen, state, &read);
  read.latest = seen.mark();
  if (read.answers++ > 0) {
    fact.answer = another_answer(read, state);
    if (seen.doubled) return fact;
    read.contradict();  // the requester may have received it first, with its send_id
    may_take_send_id(seen, state, &read);
    return fact;
  }
  if (!read.is_unsettled()) {
    fact.answer.emplace();
    fact.is_by_document = !in_deployed_order;
    if (packet.recv_length == seen.payload_octets()) {
      take_send_id(fact, seen, state, read, found.send_id);
      take_data(fact, seen, read);
      return fact;
    }
    read.contradict();
  }
  may_take_send_id(seen, state, &read);
  return fact;
}

}  // namespace wirelaw::efa
