// SPDX-License-Identifier: Apache-2.0
// An RDMA Read is one request and one response. The requests of a side wait in its direction; the response that the
// other side has open is to the front one.
#include "conformance/rdmap/tracker/operations.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/rdmap/tracker/messages.h"

namespace wirelaw::rdmap {
namespace {

void take_control(Seen& seen) {
  if (!seen.first_segment) return;
  const Agreed& agreed = seen.connection.agreement;
  seen.terms = TermsFact{.may_be_consortium = agreed.is_assumed() || agreed.revision == 0,
                         .mpa_revision = agreed.revision,
                         .has_extensions = seen.connection.extensions};
  if (seen.control.version != 1) seen.blame(error::kInvalidVersion);
  const bool is_extension = seen.row && seen.row->extension;
  if (is_extension && seen.connection.extensions) return;
  if (is_extension || seen.carriage != Carriage::right) seen.blame(error::kUnexpectedOpcode);
  if (!is_extension && seen.carriage == Carriage::wrong_queue) seen.blame(error::kDdpInvalidQn);
}

void take_read_request_length(Seen& seen) {
  if (!seen.is(Opcode::read_request) || !seen.header.last || seen.carriage != Carriage::right) return;
  const std::uint64_t octets = seen.header.mo + seen.payload.size();
  if (octets != layout::kReadRequest) seen.blame(error::kMpaMarker, error::kOperationUnspecified, error::kDdpTooLong);
  // If its first octets are missing (DDP-4.3-11), its length is not known.
  const OpenMessage& message = seen.from.messages.queues[kReadRequestQueue].message;
  if (!message.joined && message.octets == octets) seen.read_request_octets = octets;
}

// The fields of a Read Request, once it is complete; nothing before that, or if it cannot be read.
std::optional<ReadRequest> read_request(Seen& seen) {
  const ddp::Header& header = seen.header;
  const bool whole = header.last && header.mo == 0;
  const bool is_out_of_state = header.last && seen.first_segment && !whole;  // DDP-4.3-11
  if ((seen.first_segment || header.last) && !is_out_of_state) seen.is_read_request_whole = whole;
  if (whole) return decode_read_request(seen.payload);
  const OpenMessage* const message = ended_message(seen);
  if (!message || message->octets != layout::kReadRequest) return std::nullopt;
  return decode_read_request(message->head);
}

// The Reads that `side` may have outstanding, by the reply's values, which are final (RFC 6581, 9.1); empty if the
// limit was left to the ULPs.
std::optional<std::size_t> outbound_limit(const Agreed& agreed, Side side) {
  if (!agreed.enhanced()) return std::nullopt;
  const mpa::EnhancedData& request = *agreed.request;
  const mpa::EnhancedData& reply = *agreed.reply;
  if (side == agreed.initiator) {
    if (reply.ird == mpa::kNoNegotiation) return std::nullopt;
    // A Read as ready-to-receive indication is always allowed in addition.
    return std::max<std::size_t>(reply.ird, reply.rtr_read ? 1 : 0);
  }
  if (reply.ord == mpa::kNoNegotiation || request.ird == mpa::kNoNegotiation) return std::nullopt;
  return std::min(reply.ord, request.ird);
}

void count_outstanding(Seen& seen) {
  if (!all_is_known(seen.connection) || ends_within_fpdu(seen.to)) return;  // a response may not be decoded yet
  const auto limit = outbound_limit(seen.connection.agreement, seen.from.side);
  if (!limit) return;
  const auto& waiting = seen.from.reads.waiting;
  const auto reads = static_cast<std::size_t>(std::ranges::count(waiting, false, &OutstandingRead::atomic));
  seen.outstanding = OutstandingFact{.limit = *limit, .reads = reads, .all = waiting.size()};
  if (waiting.size() <= *limit) seen.record.depth = limit;
  if (reads > *limit) seen.blame(error::kDdpNoBuffer, error::kCatastrophicStream, error::kDdpMsnRange);
}

void take_request(Seen& seen) {
  const auto request = read_request(seen);
  if (!request) {
    // A responder that answers a request in a wrong place has been asked, too.
    if (seen.header.last) ++seen.from.reads.forgotten;
    return;
  }
  const bool is_kept = seen.from.reads.waiting.size() < kMaxOutstandingReads;
  wait_for_answer(seen, {.request = *request});
  if (is_kept) count_outstanding(seen);
}

// A message of the same queue had this MSN.
bool is_used_before(const Seen& seen) {
  const auto has_number = [&](const RecentSegment& recent) {
    const auto segment = ddp::decode(Octets(recent.header).first(recent.header_octets));
    return segment && !segment->header.tagged && segment->header.qn == seen.header.qn &&
           segment->header.msn == seen.header.msn;
  };
  return std::ranges::any_of(seen.from.recent.in_any_order(), has_number);
}

// RDMAP/A-77. A range that ends exactly at 2^64 may be taken to wrap or not (RDMAP/A-22), and opcode 15 is one for
// experiments (RDMAP/A-10).
std::optional<PlainFault::Kind> plain_fault(const Seen& seen) {
  constexpr std::uint8_t kExperiments = 15;
  const ddp::Header& header = seen.header;
  if (!header.tagged && header.qn >= kQueues) return PlainFault::Kind::queue_number;
  if (seen.msn && !seen.msn->msn.holds() && is_used_before(seen)) return PlainFault::Kind::old_msn;
  if (header.tagged && !seen.payload.empty() && header.to + (seen.payload.size() - 1) < header.to)
    return PlainFault::Kind::wrap;
  if (!seen.first_segment) return std::nullopt;
  if (!seen.row && seen.control.opcode != kExperiments) return PlainFault::Kind::opcode;
  if (seen.control.version > 1) return PlainFault::Kind::version;
  return std::nullopt;
}

void note_plain_fault(Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  if (seen.from.reads.refused || !agreed.is_accepted() || agreed.revision == 0) return;
  if (const auto kind = plain_fault(seen)) [[unlikely]]
    seen.from.reads.refused =
        PlainFault{.kind = *kind, .index = seen.message.index, .is_read_request = seen.is(Opcode::read_request)};
}

// The errors that a receiver may report for a Read Response that is, or may be, unsolicited.
void blame_unasked(Seen& seen) {
  seen.blame(error::kUnexpectedOpcode, error::kDdpInvalidStag, error::kDdpLocalCatastrophic);
}

void compare_with_request(Seen& seen, const ReadRequest& request) {
  seen.answer->request = request;
  const bool is_same = goes_to_sink(seen, request);
  const bool is_empty = request.size == 0 && seen.payload.empty();
  if (is_same) note_accepted(seen, seen.to.reads.waiting.front());
  if (!is_same && !is_empty) seen.blame(error::kDdpInvalidStag, error::kDdpStagNotAssociated, error::kDdpBaseOrBounds);
}

// The request that a Read Response answers becomes the front one of the requester's. Returns false if none is known.
bool find_answered(Seen& seen) {
  auto& reads = seen.to.reads.waiting;
  const auto is_read = [](const OutstandingRead& read) { return !read.atomic; };
  const auto is_answered = [&](const OutstandingRead& read) {
    return is_read(read) && goes_to_sink(seen, read.request);
  };
  const auto due = std::ranges::find_if(reads, is_read);
  const auto match = std::ranges::find_if(reads, is_answered);
  if (!all_is_known(seen.connection) || seen.to.reads.forgotten > 0) {
    // Another request with the same sink may have been sent before the trace began, so nothing is certain.
    if (match == reads.end())
      blame_unasked(seen);
    else
      reads.erase(reads.begin(), std::next(match));
    seen.to.reads.lacks_answers = true;
    return false;
  }
  const bool in_order = match == due || match == reads.end();
  if (ends_within_fpdu(seen.to) && (due == reads.end() || !in_order)) {
    ++seen.to.reads.forgotten;  // it may answer a request that is decoded only later
    blame_unasked(seen);        // the receiver may report this or nothing
    return false;
  }
  const OpenMessage& response = seen.from.messages.tagged;
  AnswerFact& answer = seen.answer.emplace(AnswerFact{.stag = response.stag, .to = response.lowest});
  if (due == reads.end()) {
    blame_unasked(seen);
    return false;
  }
  answer.due = due->index;
  if (!in_order) {
    answer.instead = match->index;
    seen.blame(error::kDdpInvalidStag, error::kDdpBaseOrBounds);
  }
  reads.splice(reads.begin(), reads, in_order ? due : match);
  compare_with_request(seen, reads.front().request);
  return true;
}

void count_response(Seen& seen, const OutstandingRead& read) {
  const std::uint32_t size = read.request.size;
  const bool too_long = read.received > size;
  if (too_long) {
    seen.blame(error::kDdpBaseOrBounds, error::kDdpInvalidStag);
    if (size > 0) seen.blame(error::kUnexpectedOpcode);
  } else if (seen.header.last && read.received < size) {  // no specification defines a code for this
    seen.blame(error::kCatastrophicStream, error::kDdpBaseOrBounds);
  }
  if (too_long ? !std::exchange(seen.from.reads.excess_reported, true) : seen.header.last)
    seen.response = ResponseFact{.size = size, .received = read.received};
}

// All that has come lies in the sink of this request, and its first octets are still missing (RFC 5041, 5.3).
bool may_begin_lower(const OpenMessage& response, const ReadRequest& request) {
  const std::uint64_t at = response.lowest - request.sink_to;
  return response.stag == request.sink_stag && at > 0 && at < request.size &&
         response.next - response.lowest <= request.size - at && response.octets < request.size;
}

// The fields of a segment without payload mean nothing (RFC 5041, 5.2), unless a Read of no octets is due.
bool is_answer_undecided(const Seen& seen) {
  const auto due = std::ranges::find(seen.to.reads.waiting, false, &OutstandingRead::atomic);
  if (seen.header.last || due == seen.to.reads.waiting.end()) return false;
  const OpenMessage& response = seen.from.messages.tagged;
  return response.octets == 0 ? due->request.size > 0 : may_begin_lower(response, due->request);
}

void take_response(Seen& seen) {
  Reads& reads = seen.from.reads;
  OpenMessage& message = seen.from.messages.tagged;
  if (seen.first_segment) {
    reads.excess_reported = false;
    reads.answering = Answering::undecided;
  }
  if (reads.answering == Answering::undecided) {
    const auto due = std::ranges::find(seen.to.reads.waiting, false, &OutstandingRead::atomic);
    const bool is_undecided = is_answer_undecided(seen);
    if (due != seen.to.reads.waiting.end()) due->received = is_undecided ? message.octets : 0;
    if (is_undecided) return;
    reads.answering = find_answered(seen) ? Answering::front : Answering::none;
    if (reads.answering == Answering::front) message.whole = seen.to.reads.waiting.front().request.size;
  }
  if (reads.answering == Answering::none) return;
  OutstandingRead& read = seen.to.reads.waiting.front();
  read.received = message.octets;
  count_response(seen, read);
  if (!seen.header.last) return;
  if (read.received == read.request.size)
    seen.to.reads.answered = read.index;
  else
    seen.to.reads.lacks_answers = true;
  seen.to.reads.waiting.pop_front();
  reads.answering = Answering::none;
}

// A response in an untagged header is still an answer. RDMAP-4.1-12 reports its fault.
void pass_over_response(Seen& seen) {
  auto& reads = seen.to.reads.waiting;
  const auto due = std::ranges::find_if(reads, [](const OutstandingRead& read) { return !read.atomic; });
  if (!seen.header.last || due == reads.end() || seen.from.reads.answering != Answering::none) return;
  reads.erase(due);
  seen.to.reads.lacks_answers = true;
}

void take_read(Seen& seen) {
  // A tagged message that begins ends the response that was open, whatever it lacked.
  if (seen.first_segment && seen.header.tagged) {
    const Answering open = std::exchange(seen.from.reads.answering, Answering::none);
    if (open == Answering::front) seen.to.reads.waiting.pop_front();
    if (open != Answering::none) seen.to.reads.lacks_answers = true;
  }
  // A later segment is of the message that its first one has begun, whatever its opcode has become.
  const bool goes_on = !seen.first_segment && seen.header.tagged && seen.from.reads.answering != Answering::none;
  if (goes_on || (seen.is(Opcode::read_response) && seen.header.tagged)) return take_response(seen);
  if (seen.is(Opcode::read_response)) return pass_over_response(seen);
  if (!seen.is(Opcode::read_request)) return;
  if (seen.carriage == Carriage::right) return take_request(seen);
  // A request on the wrong queue: a responder may still answer it, so later answers cannot be assigned with certainty.
  ++seen.from.reads.forgotten;
}

}  // namespace

bool goes_to_sink(const Seen& seen, const ReadRequest& request) {
  const OpenMessage& response = seen.from.messages.tagged;
  return response.stag == request.sink_stag && response.lowest == request.sink_to;
}

void note_accepted(Seen& seen, const OutstandingRead& request) {
  Reads& reads = seen.to.reads;
  if (!reads.refused) return;
  const bool is_itself = request.index == reads.refused->index && reads.refused->kind == PlainFault::Kind::version;
  if (!is_itself && request.index <= reads.refused->index) return;
  if (std::exchange(reads.is_refusal_settled, true)) return;
  seen.accepted = AcceptedFact{.fault = *reads.refused, .is_itself = is_itself};
}

bool shows_answered_read(const Seen& seen) {
  if (!seen.header.tagged) return false;
  const bool is_due =
      seen.first_segment ? seen.is(Opcode::read_response) : seen.from.reads.answering == Answering::undecided;
  return is_due && !is_answer_undecided(seen);
}

void wait_for_answer(Seen& seen, OutstandingRead read) {
  if (seen.from.reads.waiting.size() >= kMaxOutstandingReads) {
    ++seen.from.reads.forgotten;
    return;
  }
  read.index = seen.message.index;
  read.frame = seen.message.frame;
  read.time_ns = seen.message.time_ns;
  seen.from.reads.waiting.push_back(read);
}

void take_operation(Seen& seen) {
  if (seen.is(Opcode::read_response) || seen.is(Opcode::atomic_response))
    seen.from.reads.latest_answer_ns = seen.message.time_ns;
  seen.of_lack = evidence_of_lack(seen.connection, seen.from);
  take_control(seen);
  take_read_request_length(seen);
  if (seen.connection.extensions) take_extension(seen);
  note_plain_fault(seen);
  take_read(seen);
}

}  // namespace wirelaw::rdmap
