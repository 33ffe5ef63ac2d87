// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figures 7 and 8: the layout of a Terminate, and that its terminated headers are those of a
// segment that was sent.
#include <algorithm>

#include "conformance/rdmap/rdmap/4.8-terminate-header/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
namespace {

// A Terminate is compared with the segments that went the other way: another, not captured, could explain it.
constexpr std::string_view kNotCaptured = "or the segment blamed was not captured";

bool check_presence(Judge& judge, const TerminateFact& fact) {
  const Terminate& terminate = fact.terminate;
  const std::size_t have = fact.octets;
  const OctetRange all = field::terminate(0, have);
  const auto got = actual([have] { return fmt::format("{} octets of Terminate Header", have); });
  if (terminate.has_length || terminate.has_ddp_header) {
    const std::size_t needed = layout::kTerminate + layout::kDdpSegmentLengthOctets;
    if (!judge.require(rule<"RDMAP-4.8-9">, have >= needed, all, expected(needed), got, "it ends inside the length"))
      return false;
  }
  // The T bit of the terminated header determines its length.
  const std::size_t at = field::terminated_headers(terminate);
  std::size_t needed = at;
  if (terminate.has_ddp_header) {
    constexpr Octet kTagged = 0x80;
    const Octets header = terminate.ddp_header.empty() ? terminate.tail : terminate.ddp_header;
    const bool tagged = header.empty() || (header.front() & kTagged) != 0;
    needed += tagged ? ddp::layout::kTagged : ddp::layout::kUntagged;
    if (!judge.require(rule<"RDMAP-4.8-11">, have >= needed, all, expected(needed), got,
                       "it ends inside the terminated DDP header"))
      return false;
  }
  if (!terminate.has_rdma_header) return true;
  // RDMAP/A-05: no other message has such a header, so it is the R bit that is wrong (RDMAP-4.8-14).
  if (fact.blamed && !fact.blamed->is(Opcode::read_request)) return true;
  needed += layout::kReadRequest;
  return judge.require(rule<"RDMAP-4.8-15">, have >= needed, all, expected(needed), got,
                       "it ends inside the terminated RDMA header");
}

// The DDP Segment Length of deployed software that counts the payload only, with or without the RDMAP header
// (RDMAP/A-06).
bool is_payload_length(const BlamedFact& blamed, std::size_t length) {
  const auto payload = blamed.payload_octets();
  if (!payload) return false;
  const std::size_t own = blamed.row && !blamed.is(Opcode::terminate) ? blamed.row->header_octets : 0;
  return length == *payload || (*payload >= own && length == *payload - own);
}

void check_segment_length(Judge& judge, const TerminateFact& fact) {
  const Terminate& terminate = fact.terminate;
  if (!terminate.has_length) return;
  const std::uint16_t length = terminate.ddp_segment_length;
  if (!fact.blamed) {
    // A segment too short for its header is identified only by its length.
    if (terminate.has_ddp_header || !fact.is_history_known) return;
    judge.require(rule<"RDMAP-4.8-10">, fact.is_length_known, field::kSegmentLength,
                  expected("the length of a segment that came"), actual(length), kNotCaptured, fact.of_received);
    return;
  }
  const auto& segment = fact.blamed->segment;
  if (!segment) return;
  const auto want = expected(segment->ulpdu_length);
  if (length != segment->ulpdu_length && is_payload_length(*fact.blamed, length))
    judge.advise(
        rule<"RDMAP-4.8-10">, false, field::kSegmentLength, want, actual(length),
        "this is the length of the payload; the length of the segment, its ULPDU_Length, includes the headers");
  else
    // Queue, MSN and MO name one segment; a tagged header may be that of several.
    judge.require(
        rule<"RDMAP-4.8-10">, length == segment->ulpdu_length, field::kSegmentLength, want, actual(length),
        "the ULPDU_Length of the segment blamed",
        fact.blamed->came == Came::whole && !fact.blamed->header.tagged ? Evidence::octets : fact.of_received);
}

// The progress of a read in octets: the value on which two of its three advancing fields agree.
std::uint64_t progress(const ReadRequest& was, const ReadRequest& is) {
  const std::uint64_t sink = is.sink_to - was.sink_to, left = std::uint64_t{was.size} - is.size,
                      source = is.source_to - was.source_to;
  return sink == left || sink == source ? sink : left == source ? left : sink;
}

void check_read_request(Judge& judge, const TerminateFact& fact) {
  if (!fact.terminate.has_rdma_header || !fact.blamed || !fact.blamed->is_read_as_it_was) return;
  const auto was = fact.blamed->read_request();
  const auto is = decode_read_request(fact.terminate.rdma_header);
  if (!was || !is) return;
  judge.require(rule<"RDMAP-4.8-17">, is->sink_stag == was->sink_stag,
                field::terminated_rdma_header(fact.terminate, layout::kSinkStag, 4), expected(hex(was->sink_stag)),
                actual(hex(is->sink_stag)));
  judge.require(rule<"RDMAP-4.8-20">, is->source_stag == was->source_stag,
                field::terminated_rdma_header(fact.terminate, layout::kSourceStag, 4), expected(hex(was->source_stag)),
                actual(hex(is->source_stag)));

  const std::uint64_t moved = progress(*was, *is);
  const auto left = static_cast<std::uint32_t>(was->size - moved);
  const auto by = [moved] { return fmt::format("moved on by {} octets", moved); };
  bool agree = judge.require(rule<"RDMAP-4.8-18">, is->sink_to == was->sink_to + moved,
                             field::terminated_rdma_header(fact.terminate, layout::kSinkTo, 8),
                             expected(hex(was->sink_to + moved)), actual(hex(is->sink_to)), by);
  agree &= judge.require(rule<"RDMAP-4.8-19">, is->size == left,
                         field::terminated_rdma_header(fact.terminate, layout::kReadSize, 4), expected(left),
                         actual(is->size), by);
  agree &= judge.require(rule<"RDMAP-4.8-21">, is->source_to == was->source_to + moved,
                         field::terminated_rdma_header(fact.terminate, layout::kSourceTo, 8),
                         expected(hex(was->source_to + moved)), actual(hex(is->source_to)), by);
  if (!agree) return;

  // Octets of the response sent before the Terminate; the responder may have read more.
  const std::uint64_t sent = fact.blamed->answered;
  judge.require(
      rule<"RDMAP-4.8-16">, moved >= sent && moved <= was->size,
      field::terminated_rdma_header(fact.terminate, 0, layout::kReadRequest),
      expected([&] { return fmt::format("moved on by {} to {} octets", sent, was->size); }), actual(by),
      [&] { return fmt::format("{} octets of the response have been sent", sent); }, fact.of_received);
}

}  // namespace

bool check_terminate_header(Judge& judge, const TerminateFact& fact) {
  judge.require(
      rule<"RDMAP-4.8-2">, !fact.is_swapped, field::kTerminateControl, expected("the bits in the order of figure 8"),
      actual([&] { return fmt::format("{}, as a little-endian host lays out bit fields", to_string(fact.error())); }),
      "the halves of the first octet are swapped, and HdrCt is in low bits");
  judge.require(rule<"RDMAP-4.8-7">, fact.terminate.reserved == 0, field::terminate(layout::kTerminateControl + 2, 2),
                expected(0u), actual(hex(fact.terminate.reserved)));
  return check_presence(judge, fact);
}

void check_terminated_headers(Judge& judge, const TerminateFact& fact) {
  const Terminate& terminate = fact.terminate;
  const bool catastrophic = fact.is(Layer::rdma) && terminate.error.etype == 0;
  if (catastrophic)
    judge.require(rule<"RDMAP-4.8-13">, !terminate.has_ddp_header, field::kHeaderControl, expected("the D bit clear"),
                  actual("set"), "such an error concerns no message");
  check_segment_length(judge, fact);
  if (!fact.blamed) return;
  const BlamedFact& blamed = *fact.blamed;
  if (blamed.came != Came::no || fact.is_history_known)
    judge.require(
        rule<"RDMAP-4.8-12">, blamed.came != Came::no, field::terminated_ddp_header(terminate),
        expected("the DDP header of a segment that came"), actual("one that did not come"),
        [&] {
          const std::string alike =
              blamed.segment ? fmt::format("that of message {} is the most similar", blamed.segment->index + 1)
                             : std::string("none is like it");
          return fact.of_received == Evidence::octets ? alike : fmt::format("{}, {}", alike, kNotCaptured);
        },
        fact.of_received);
  else
    judge.inconclusive(rule<"RDMAP-4.8-12">, "the segment blamed is not among the last that were seen");
  if (terminate.has_rdma_header && blamed.invalidates())
    judge.advise(rule<"RDMAP-4.8-14">, false, field::kHeaderControl, expected("the R bit clear"), actual("set"),
                 "a Send with Invalidate has no RDMA header, whatever figure 10 says of it");
  else if (terminate.has_rdma_header && !blamed.is(Opcode::read_request) && !fact.is(Layer::rdma))
    judge.advise(rule<"RDMAP-4.8-14">, false, field::kHeaderControl, expected("the R bit clear"), actual("set"),
                 "section 7.1 wants it clear for messages that DDP has delivered: of an error of a lower layer section "
                 "4.8 says it, and figure 10, without a MUST");
  else if (terminate.has_rdma_header)
    judge.require(rule<"RDMAP-4.8-14">, blamed.is(Opcode::read_request), field::kHeaderControl,
                  expected("the R bit clear"), actual("set"), [&] {
                    return fmt::format("the segment blamed is {}",
                                       blamed.row ? blamed.row->name : "of a reserved opcode");
                  });
  if (blamed.is(Opcode::read_request)) check_read_request(judge, fact);
}

void check_terminate_is_there(Judge& judge, const TerminateSegmentFact& fact) {
  const auto where = field::terminate(0, fact.octets);
  if (fact.is_whole)
    judge.require(rule<"RDMAP-4.8-1">, fact.octets >= layout::kTerminate, where, expected("at least four octets"),
                  actual(fact.octets));
  else  // RDMAP/A-39b: nothing forbids it; deployed receivers take a Terminate as one segment.
    judge.advise(rule<"RDMAP-4.8-1">, false, where, expected("a Terminate in one segment"), actual("a part of one"),
                 "deployed receivers do not put it together");
}

}  // namespace wirelaw::rdmap
