// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// Returns true if the packet declares that it follows a READ_NACK, and the message with that ID may have been refused.
// It cannot have been refused if none of its data was to be read, or if the data has been read. Section 4.7 judges the
// rest.
bool may_follow_refusal(const SeenPacket& seen, TraceState& state, bool all_are_known) {
  if (!all_are_known || state.party(seen.sender()).refused_out_of_state) return true;
  const Exchange* const known = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  return known != nullptr && known->request->behind == Array::read_iov && known->eors == 0;
}

// IDs give the order of sending. A packet that arrives after one with a later ID took at least the time between the
// two.
void note_overtaken(const SeenPacket& seen, const Party& party, TraceState& state) {
  const auto& overtaker = party.skipped ? party.skipped : party.first_message_id;
  if (overtaker && !party.counts_anew) state.note_latency(seen.message.time_ns - overtaker->time_ns);
}

}  // namespace

bool continues_message(const SeenPacket& seen, TraceState& state, bool all_are_known) {
  if (seen.packet.has(flag::kReadNack)) return may_follow_refusal(seen, state, all_are_known);
  const Transfer transfer = seen.layout.transfer;
  if (transfer != Transfer::medium && transfer != Transfer::runting_read) return false;
  const Exchange* const known = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  if (known == nullptr) return !all_are_known;  // its beginning may have been skipped
  return !known->is_done() && known->request->transfer == transfer;
}

MessageIds::Place note_msg_id(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.msg_id;
  if (!party.complete_from && state.is_past_beginning(seen.message.time_ns))
    party.complete_from = party.message_ids.any() ? party.message_ids.newest() : id - 1;
  const auto place = party.message_ids.add(id);
  if (place == MessageIds::Place::late) note_overtaken(seen, party, state);
  if (place == MessageIds::Place::ahead)
    party.skipped = seen.mark();
  else if (party.message_ids.gaps() == 0)
    party.skipped.reset();
  if (!party.first_message_id) party.first_message_id = seen.mark();
  party.latest_ordered = seen.message.index;
  return party.ids_of(seen.layout.purpose).add(id);
}

std::optional<bool> follow_msg_id(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  party.repeats_id = false;
  if (note_msg_id(seen, state) != MessageIds::Place::repeated) return true;
  // The peer may have taken another's place (4.4) before the trace began.
  if (seen.packet.msg_id == 0 && !state.from_start() && !state.has_met_again()) party.counts_anew = true;
  if (party.counts_anew || continues_message(seen, state, state.complete())) return std::nullopt;
  party.repeats_id = true;
  return false;
}

}  // namespace wirelaw::efa
