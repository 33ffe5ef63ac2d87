// SPDX-License-Identifier: Apache-2.0
// The messages of RFC 7306. An outstanding Atomic Request is among the outstanding Reads, whose queue and whose limits
// it shares.
#include <algorithm>

#include "conformance/rdmap/tracker/messages.h"
#include "conformance/rdmap/tracker/operations.h"

namespace wirelaw::rdmap {
namespace {

void blame_unreadable(Seen& seen) {
  seen.blame(error::kUnexpectedOpcode, error::kCatastrophicStream, error::kOperationUnspecified);
}

void compare_with_atomics(Seen& seen) {
  if (!all_requests_known(seen)) return;
  const auto& reads = seen.to.reads.waiting;
  const auto asked_for = std::ranges::find_if(
      reads, [&](const OutstandingRead& read) { return !read.atomic && goes_to_sink(seen, read.request); });
  if (asked_for == reads.end()) return;
  const auto atomic = std::ranges::find(reads.begin(), asked_for, true, &OutstandingRead::atomic);
  seen.read_after_atomics = ReadAfterAtomicsFact{.read = asked_for->index};
  if (atomic == asked_for) return;
  seen.read_after_atomics->earlier_atomic = atomic->index;
  seen.blame(error::kUnexpectedOpcode);
}

void take_atomic_request(Seen& seen, Octets header) {
  const AtomicRequest request = *decode_atomic_request(header);
  const std::uint8_t opcode = atomic_opcode(request);
  seen.extension->request = request;
  if (request.to % kAtomicAlignment != 0) seen.blame(error::kCatastrophicStream);
  if (opcode != kFetchAdd && opcode != kCmpSwap) blame_unreadable(seen);
  wait_for_answer(seen, {.atomic = true, .identifier = request.request_identifier});
}

void take_atomic_response(Seen& seen, Octets header) {
  const std::uint32_t identifier = decode_atomic_response(header)->request_identifier;
  auto& reads = seen.to.reads.waiting;
  const auto answered = std::ranges::find_if(
      reads, [&](const OutstandingRead& read) { return read.atomic && read.identifier == identifier; });
  if (!all_requests_known(seen)) {
    // It may answer a request that was not seen.
    if (answered != reads.end())
      reads.erase(answered);
    else
      seen.blame(error::kUnexpectedOpcode);  // the receiver may report this or nothing
    return;
  }
  AtomicAnswerFact& fact = seen.atomic_answer.emplace();
  fact.identifier = identifier;
  const auto first = std::ranges::find(reads, true, &OutstandingRead::atomic);
  if (first == reads.end()) return seen.blame(error::kUnexpectedOpcode);
  fact.due = AtomicAnswerFact::Request{.index = first->index, .identifier = first->identifier};
  fact.is_known = answered != reads.end();
  const auto done = fact.is_known ? answered : first;
  if (fact.is_known) note_accepted(seen, *done);
  if (done == first && first != reads.begin()) {
    fact.earlier_read = reads.front().index;
    seen.blame(error::kUnexpectedOpcode);
  }
  reads.erase(done);
}

// Its last segment is here, and earlier octets are not: what it asks for, or which request it answers, is open.
void pass_over_unread(Seen& seen) {
  if (!seen.header.last) return;
  if (seen.is(Opcode::atomic_request)) ++seen.from.reads.forgotten;
  if (!seen.is(Opcode::atomic_response)) return;
  Reads& reads = seen.to.reads;
  const auto first = std::ranges::find(reads.waiting, true, &OutstandingRead::atomic);
  if (first != reads.waiting.end()) reads.waiting.erase(first);
  ++reads.forgotten;
}

}  // namespace

void take_extension(Seen& seen) {
  if (shows_answered_read(seen)) compare_with_atomics(seen);
  if (!seen.row || !seen.row->extension) return;
  ExtensionFact& fact = seen.extension.emplace();
  if (seen.carriage != Carriage::right) seen.blame(error::kUnexpectedOpcode);
  if (seen.carriage == Carriage::wrong_queue) seen.blame(error::kDdpInvalidQn);
  if (seen.carriage != Carriage::right) return;
  const OpenMessage* const message = ended_message(seen);
  const std::uint64_t so_far = seen.header.mo + seen.payload.size();
  if (message ? message->octets != seen.row->header_octets : so_far > seen.row->header_octets) blame_unreadable(seen);
  if (!message) return pass_over_unread(seen);
  fact.octets = message->octets;
  if (message->octets < seen.row->header_octets) return;
  if (seen.is(Opcode::atomic_request)) take_atomic_request(seen, message->head);
  if (seen.is(Opcode::atomic_response)) take_atomic_response(seen, message->head);
}

}  // namespace wirelaw::rdmap
