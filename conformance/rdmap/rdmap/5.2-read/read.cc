// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.2: an RDMA Read is one request and one response. The requests of a side wait in its direction;
// the response that the other side has open is to the front one.
#include <algorithm>
#include <iterator>

#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

namespace {

// The errors that a receiver may report for a Read Response that is, or may be, unsolicited.
void blame_unasked(Seen& seen) {
  seen.blame(error::kUnexpectedOpcode);
  seen.blame(error::kDdpInvalidStag);
  seen.blame(error::kDdpLocalCatastrophic);
}

}  // namespace

bool judge_answer(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  auto& reads = seen.to.reads;
  const auto is_read = [](const OutstandingRead& read) { return !read.atomic; };
  const auto is_answered = [&](const OutstandingRead& read) {
    return is_read(read) && read.request.sink_stag == header.stag && read.request.sink_to == header.to;
  };
  const auto due = std::ranges::find_if(reads, is_read);
  const auto match = std::ranges::find_if(reads, is_answered);
  if (!all_is_known(seen.connection) || seen.to.reads_forgotten > 0) {
    // Another request with the same sink may have been sent before the trace began, so nothing is certain.
    if (match == reads.end())
      blame_unasked(seen);
    else
      reads.erase(reads.begin(), std::next(match));
    return false;
  }
  const bool in_order = match == due || match == reads.end();
  if (ends_within_fpdu(seen.to) && (due == reads.end() || !in_order)) {
    ++seen.to.reads_forgotten;  // it may answer a request that is decoded only later
    blame_unasked(seen);        // the receiver may report this or nothing
    return false;
  }
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  const std::string_view why = or_another_request(evidence);
  if (!judge.require(rule<"RDMAP-5.2-1">, due != reads.end(), field::kRdmapControl,
                     expected("a request that waits for it"), actual("none"), why, evidence)) {
    blame_unasked(seen);
    return false;
  }
  if (!judge.require(rule<"RDMAP-5.2.2-6">, in_order, field::kStag,
                     expected([&] { return fmt::format("the response to message {} of the flow", due->index + 1); }),
                     actual([&] { return fmt::format("that to message {}", match->index + 1); }), why, evidence)) {
    seen.blame(error::kDdpInvalidStag);
    seen.blame(error::kDdpBaseOrBounds);
  }
  const auto answered = match == reads.end() ? due : match;
  reads.splice(reads.begin(), reads, answered);
  judge_copied_fields(judge, seen, reads.front().request);
  judge_wrapping_read(judge, seen, reads.front().request);
  return true;
}

void check_missing_read_response(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.advise(rule<"RDMAP-5.2-1">, false, {}, expected("the RDMA Read Response"), actual("nothing for 100 seconds"),
               [&] { return fmt::format("{} octets of it have come; or the rest was not captured", fact.received); });
}

void judge_zero_length_answer(Judge& judge, Seen& seen, const OutstandingRead& read) {
  if (read.received > 0) {
    seen.blame(error::kDdpBaseOrBounds);
    seen.blame(error::kDdpInvalidStag);
  }
  if (read.received > 0 && std::exchange(seen.from.excess_reported, true)) return;
  if (read.received > 0 || seen.header.last)
    judge.require(rule<"RDMAP-5.2.1-13">, read.received == 0, field::kUlpduLength, expected(0), actual(read.received),
                  "octets of payload", evidence_of_lack(seen.connection, seen.from));
}

namespace {

void take_request(Judge& judge, Seen& seen) {
  const auto request = request_in(judge, seen);
  if (!request) {
    // A responder that answers a request in a wrong place has been asked, too.
    if (seen.header.last) ++seen.from.reads_forgotten;
    return;
  }
  auto& reads = seen.from.reads;
  if (reads.size() >= kMaxOutstandingReads) {
    ++seen.from.reads_forgotten;
    return;
  }
  reads.push_back({.request = *request,
                   .index = seen.message.index,
                   .frame = seen.message.frame,
                   .time_ns = judge.message().time_ns});
  judge_outstanding_reads(judge, seen);
}

// A response in an untagged header is still an answer. RDMAP-4.1-12 reports its fault.
void pass_over_response(Seen& seen) {
  auto& reads = seen.to.reads;
  const auto due = std::ranges::find_if(reads, [](const OutstandingRead& read) { return !read.atomic; });
  if (seen.header.last && due != reads.end() && !seen.from.answering) reads.erase(due);
}

void take_response(Judge& judge, Seen& seen) {
  if (seen.first_segment) {
    seen.from.excess_reported = false;
    seen.from.answering = judge_answer(judge, seen);
    if (seen.from.answering) seen.from.tagged.whole = seen.to.reads.front().request.size;
  }
  if (!seen.from.answering) return;
  OutstandingRead& read = seen.to.reads.front();
  read.received += seen.payload.size();
  if (read.request.size == 0)
    judge_zero_length_answer(judge, seen, read);
  else
    judge_response_length(judge, seen, read);
  if (!seen.header.last) return;
  seen.to.reads.pop_front();
  seen.from.answering = false;
}

}  // namespace

void judge_reads(Judge& judge, Seen& seen) {
  // A tagged message that begins ends the response that was open, whatever it lacked.
  if (seen.first_segment && seen.header.tagged && std::exchange(seen.from.answering, false)) seen.to.reads.pop_front();
  // A later segment is of the message that its first one has begun, whatever its opcode has become.
  const bool goes_on = !seen.first_segment && seen.header.tagged && seen.from.answering;
  if (goes_on || (seen.is(Opcode::read_response) && seen.header.tagged)) return take_response(judge, seen);
  if (seen.is(Opcode::read_response)) return pass_over_response(seen);
  if (!seen.is(Opcode::read_request)) return;
  if (is_as_its_opcode_demands(seen)) return take_request(judge, seen);
  // A request on the wrong queue: a responder may still answer it, so later answers cannot be assigned with certainty.
  ++seen.from.reads_forgotten;
}

}  // namespace wirelaw::rdmap
