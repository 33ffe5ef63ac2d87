// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kMostRefused = 64;  // refused writes of one side that are remembered

bool has_data_to_read(const Exchange& one) {
  return one.is_resumed() || one.request->behind == Array::read_iov;
}

// Returns true if an EOR or READ_NACK that names no request may still be right: some request in progress has shown
// several send_ids, so not all of its IDs are known.
bool may_end_another(const SeenPacket& seen, TraceState& state) {
  bool may = false;
  state.exchanges().each_recent([&](const Exchange& one) {
    may |= one.requester != seen.sender() && one.is_unsettled() && !one.is_done() && has_data_to_read(one);
  });
  return may;
}

// States which request the packet names, and returns it. Returns nullptr if its data is not to be read.
Exchange* find_read(ReadEndFact& fact, const SeenPacket& seen, TraceState& state) {
  Exchange* const found = state.exchanges().sender_answered(seen, seen.packet.send_id);
  if (found != nullptr && has_data_to_read(*found)) {
    fact.read = {.is_read = true, .request = found->request};
    return found;
  }
  const bool unsure = found != nullptr ? found->is_unsettled() : may_end_another(seen, state);
  if (state.complete() && !unsure) fact.read = {.request = found != nullptr ? found->request : nullptr};
  return nullptr;
}

// Returns false if the request already had the other end. Whichever comes first ends the wait of the sender; the
// READ_NACK may, and be followed.
bool is_only_end(ReadEndFact& fact, const SeenPacket& seen, Exchange& read, const TraceState& state) {
  const bool eor = seen.type() == PacketType::eor;
  const bool both = eor ? read.is_refused() : read.eors > 0;
  if (!both || state.complete()) fact.is_only_end = !both;
  if (!both) return true;
  read.standing.happen(Standing::Event::reopened);
  read.contradict();
  if (!eor) read.course.happen(Course::Event::read_nack);
  return false;
}

void note_refused_write(const Exchange& write, TraceState& state) {
  Party& requester = state.party(write.requester);
  if (requester.document.may_have(Revision::v2_6) && requester.refused_writes.size() < kMostRefused)
    requester.refused_writes.push_back({write.refused, write.iov_hash});
}

bool is_longcts_message(const SeenPacket& seen) {
  return seen.layout.purpose == Purpose::message && seen.layout.transfer == Transfer::long_cts;
}

ResumptionFact::Difference difference_from(const Exchange& message, const SeenPacket& seen, bool same_msg_id) {
  using enum ResumptionFact::Difference;
  const Packet& packet = seen.packet;
  if (!same_msg_id) return msg_id;
  if (packet.msg_length != message.length) return msg_length;
  if (seen.layout.tagged != message.request->tagged || packet.tag != message.tag) return kind;
  return seen.payload_octets() != 0 ? data : none;
}

// For a LONGCTS_RTM that resumes no message that is known to be refused.
ResumptionFact follow_unexpected(const SeenPacket& seen, TraceState& state) {
  const Party& sender = state.party(seen.sender());
  ResumptionFact fact;
  // Its reaction to a READ_NACK for another request is the peer's fault.
  const bool misled = seen.packet.has(flag::kReadNack) && sender.refused_out_of_state;
  fact.is_known_to_follow_no = !misled && state.complete() && !sender.repeats_id;
  // The refused message and its RUNTREAD packets may have been sent before the trace began.
  fact.begins_message = !misled && (state.complete() || seen.payload_octets() > 0);
  if (!fact.begins_message) state.begin(seen).contradict();
  return fact;
}

}  // namespace

std::optional<AnswerFact> another_answer(const Exchange& exchange, const TraceState& state) {
  if (exchange.is_unsettled() || exchange.repeated > 0 || !state.complete()) return std::nullopt;
  return AnswerFact{exchange.operation()};
}

ReadEndFact follow_eor(const SeenPacket& seen, TraceState& state) {
  ReadEndFact fact;
  Exchange* const read = find_read(fact, seen, state);
  if (read == nullptr || read->is_unsettled() || !is_only_end(fact, seen, *read, state)) return fact;
  if (read->eors++ > 0) {
    fact.answer = another_answer(*read, state);
    return fact;
  }
  fact.answer.emplace();
  read->latest = seen.mark();
  if (read->request->transfer == Transfer::long_read || read->data.octets() >= read->runt_octets()) read->finish();
  return fact;
}

ReadEndFact follow_read_nack(const SeenPacket& seen, TraceState& state) {
  ReadEndFact fact;
  Exchange* const read = find_read(fact, seen, state);
  if (read == nullptr) {
    if (state.complete()) state.party(other(seen.sender())).refused_out_of_state = true;
    return fact;
  }
  if (read->is_unsettled()) {
    read->course.happen(Course::Event::read_nack);  // its sender may continue it
    return fact;
  }
  if (!is_only_end(fact, seen, *read, state)) return fact;
  const bool again = read->is_refused();
  read->course.happen(Course::Event::read_nack);
  if (again) {
    fact.answer = another_answer(*read, state);
    return fact;
  }
  fact.answer.emplace();
  read->latest = read->refused = seen.mark();
  read->standing.happen(Standing::Event::reopened);
  if (read->request->purpose == Purpose::write) {  // it comes back as a new request (EFA/A-17)
    read->finish();
    note_refused_write(*read, state);
  }
  if (read->request->transfer != Transfer::runting_read || !state.complete()) return fact;
  fact.runts = {.due = read->runt_octets(), .sent = read->data.octets()};
  if (fact.runts->sent < fact.runts->due) read->contradict();
  return fact;
}

bool follows_read_nack(const SeenPacket& seen, TraceState& state) {
  if (!is_longcts_message(seen)) return false;
  const Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  if (found != nullptr && found->is_refused()) {
    // One LONGCTS_RTM resumes it. Another one uses its message ID for a second message, unless it answers another
    // READ_NACK, or the first may have resumed something else.
    const bool is_settled = found->is_resumed() && !found->course.has_open_refusal() && !found->is_unsettled();
    return !is_settled || seen.doubled;
  }
  return !state.complete() && seen.packet.has(flag::kReadNack);  // the READ_NACK may not have been seen
}

ResumptionFact follow_resumption(const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchanges& exchanges = state.exchanges();
  Exchange* found = exchanges.by_msg_id(seen.sender(), packet.msg_id);
  const bool same_msg_id = found != nullptr && found->is_refused();
  if (!same_msg_id) found = exchanges.by_send_id(seen.sender(), packet.send_id);
  if (found == nullptr || !found->is_refused() || found->is_done() || (found->is_resumed() && !same_msg_id))
    return follow_unexpected(seen, state);
  Exchange& message = *found;
  // Another LONGCTS_RTM continues it: the receiver may have received this one first, with its send_id.
  if (message.is_resumed() && !seen.doubled) message.contradict();
  if (message.is_unsettled() || message.is_resumed()) return {};
  const ResumptionFact fact{.refused =
                                ResumptionFact::Refused{.msg_id = message.msg_id.value_or(0),
                                                        .length = message.length,
                                                        .tag = message.tag,
                                                        .is_tagged = message.request->tagged,
                                                        .difference = difference_from(message, seen, same_msg_id)}};
  message.course.happen(packet.has(flag::kReadNack) ? Course::Event::longcts : Course::Event::longcts_unmarked);
  message.request = &seen.layout;
  message.latest = seen.mark();
  message.granted = message.in_request = message.data.octets();  // EFA/A-16
  exchanges.set_send_id(message, packet.send_id);
  if (fact.refused->difference != ResumptionFact::Difference::none) message.contradict();
  return fact;
}

bool resumes_write(const SeenPacket& seen, TraceState& state) {
  auto& refused = state.party(seen.sender()).refused_writes;
  if (refused.empty()) return false;
  const auto found = std::ranges::find(refused, hash_of(seen.packet.rma_iov), &Party::RefusedWrite::target);
  if (found == refused.end()) return false;
  refused.erase(found);
  return true;
}

}  // namespace wirelaw::efa
