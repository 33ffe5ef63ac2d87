// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figures 7 and 8: what is where in a Terminate, and that the terminated headers are those
// of a segment that really came.
#include <algorithm>

#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 5040 4.8"};
// A Terminate is compared with the segments that went the other way: another, not captured, could explain it.
constexpr Section kCompared = kSection.resting_on(Evidence::absence);
constexpr std::string_view kNotCaptured = "or the segment blamed was not captured";

constinit const Rule kHeaderIsThere = kSection.must(
    "RDMAP-4.8-1", "A Terminate Message carries a Terminate Header behind its DDP header.", "RDMAP/A-04, RDMAP/A-39b");
constinit const Rule kControlFormat = kSection.must(
    "RDMAP-4.8-2",
    "Terminate Control is laid out as figure 8: Layer in the high half of its first octet, HdrCt in the high bits.",
    "RDMAP/A-42, RDMAP/A-60");
constinit const Rule kReservedIsZero = kSection.must("RDMAP-4.8-7", "The 13 bits behind HdrCt are zero.", "RDMAP/A-42");
constinit const Rule kSegmentLengthPresent = kSection.must(
    "RDMAP-4.8-9", "DDP Segment Length is there where the M or the D bit is set.", "RDMAP/A-03, RDMAP/A-04");
constinit const Rule kSegmentLengthValid = kCompared.must(
    "RDMAP-4.8-10", "Where the M bit is set, DDP Segment Length is the length of the segment blamed.", "RDMAP/A-06");
constinit const Rule kDdpHeaderPresent =
    kSection.must("RDMAP-4.8-11", "The terminated DDP header is there, whole, where the D bit is set.", "RDMAP/A-04");
constinit const Rule kDdpHeaderOfAMessage =
    kCompared.must("RDMAP-4.8-12", "The terminated DDP header is that of a segment that was received.", "RDMAP/A-74");
constinit const Rule kNoHeaderIfCatastrophic =
    kSection.must_not("RDMAP-4.8-13", "A Terminate for a Local Catastrophic Error carries no terminated DDP header.");
constinit const Rule kRdmaHeaderForReadsOnly = kSection.must(
    "RDMAP-4.8-14", "A Terminate carries a terminated RDMA header only where it concerns an RDMA Read Request.",
    "RDMAP/A-05, RDMAP/A-36: section 7.1, case 2, has the MUST for other messages that DDP has delivered. Warned of "
    "for a Send "
    "with Invalidate, whose row in figure 10 reads otherwise, and for errors of DDP and of MPA.");
constinit const Rule kRdmaHeaderPresent = kSection.must(
    "RDMAP-4.8-15", "The terminated RDMA header is there, whole, where the R bit is set.", "RDMAP/A-04, RDMAP/A-05");
constinit const Rule kCurrentLocation = kCompared.must(
    "RDMAP-4.8-16",
    "The terminated Read Request is as it came where no data has been sent for it, else it is moved on by what has.",
    "RDMAP/A-50");
constinit const Rule kSinkStag =
    kSection.must("RDMAP-4.8-17", "A terminated Read Request keeps the Data Sink STag of the request.");
constinit const Rule kSinkOffset = kSection.must("RDMAP-4.8-18",
                                                 "The Data Sink Tagged Offset of a terminated Read Request is the "
                                                 "current one: that of the request and what was sent.");
constinit const Rule kSizeLeft =
    kSection.must("RDMAP-4.8-19", "The size of a terminated Read Request is what is left to transfer.", "RDMAP/A-49b");
constinit const Rule kSourceStag =
    kSection.must("RDMAP-4.8-20", "A terminated Read Request keeps the Data Source STag of the request.");
constinit const Rule kSourceOffset = kSection.must("RDMAP-4.8-21",
                                                   "The Data Source Tagged Offset of a terminated Read Request is the "
                                                   "current one: that of the request and what was sent.");

bool judge_presence(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  const std::size_t have = seen.octets;
  const OctetRange all = seen.at(0, have);
  const auto got = actual([have] { return fmt::format("{} octets of Terminate Header", have); });
  if (terminate.has_length || terminate.has_ddp_header) {
    const std::size_t needed = layout::kTerminate + layout::kDdpSegmentLengthOctets;
    if (!judge.require(kSegmentLengthPresent, have >= needed, all, expected(needed), got, "it ends inside the length"))
      return false;
  }
  // The T bit of the terminated header says how long it is.
  const std::size_t at = seen.headers_offset();
  std::size_t needed = at;
  if (terminate.has_ddp_header) {
    constexpr Octet kTagged = 0x80;
    const Octets header = terminate.ddp_header.empty() ? terminate.tail : terminate.ddp_header;
    const bool tagged = header.empty() || (header.front() & kTagged) != 0;
    needed += tagged ? ddp::layout::kTagged : ddp::layout::kUntagged;
    if (!judge.require(kDdpHeaderPresent, have >= needed, all, expected(needed), got,
                       "it ends inside the terminated DDP header"))
      return false;
  }
  if (!terminate.has_rdma_header) return true;
  // RDMAP/A-05: no other message has such a header, so it is the R bit that is wrong (RDMAP-4.8-14).
  if (seen.blamed && !seen.blamed->is(Opcode::read_request)) return true;
  needed += layout::kReadRequest;
  return judge.require(kRdmaHeaderPresent, have >= needed, all, expected(needed), got,
                       "it ends inside the terminated RDMA header");
}

// The DDP Segment Length of deployed software that counts the payload only, with or without the RDMAP header
// (RDMAP/A-06).
bool is_payload_length(const Blamed& blamed, std::size_t length) {
  const auto payload = blamed.payload_octets();
  if (!payload) return false;
  const std::size_t own = blamed.row && !blamed.is(Opcode::terminate) ? blamed.row->header_octets : 0;
  return length == *payload || (*payload >= own && length == *payload - own);
}

void judge_segment_length(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  if (!terminate.has_length) return;
  const std::uint16_t length = terminate.ddp_segment_length;
  if (!seen.blamed) {
    // A segment too short for its header is blamed by its length alone.
    if (terminate.has_ddp_header || !seen.history) return;
    const auto recent = seen.seen.to.recent.in_any_order();
    judge.require(kSegmentLengthValid, std::ranges::find(recent, length, &RecentSegment::ulpdu_length) != recent.end(),
                  seen.segment_length(), expected("the length of a segment that came"), actual(length), kNotCaptured,
                  seen.of_received);
    return;
  }
  const RecentSegment* const segment = seen.blamed->segment;
  if (!segment) return;
  const auto want = expected(segment->ulpdu_length);
  if (length != segment->ulpdu_length && is_payload_length(*seen.blamed, length))
    judge.advise(kSegmentLengthValid, false, seen.segment_length(), want, actual(length),
                 "the payload without its headers: the length of the segment is its ULPDU_Length");
  else
    // Queue, MSN and MO name one segment; a tagged header may be that of several.
    judge.require(kSegmentLengthValid, length == segment->ulpdu_length, seen.segment_length(), want, actual(length),
                  "the ULPDU_Length of the segment blamed",
                  seen.blamed->exact && !seen.blamed->header.tagged ? Evidence::octets : seen.of_received);
}

// How far a read had come, by what two of the three moving fields agree on.
std::uint64_t progress(const ReadRequest& was, const ReadRequest& is) {
  const std::uint64_t sink = is.sink_to - was.sink_to, left = std::uint64_t{was.size} - is.size,
                      source = is.source_to - was.source_to;
  return sink == left || sink == source ? sink : left == source ? left : sink;
}

void judge_read_request(Judge& judge, const TerminateSeen& seen) {
  if (!seen.terminate.has_rdma_header || !seen.blamed) return;
  // Nobody knows whether a marker is in what was read of the request.
  if (seen.seen.to.mid_stream && !seen.seen.to.crc_seen_to_hold) return;
  const auto was = seen.blamed->read_request();
  const auto is = decode_read_request(seen.terminate.rdma_header);
  if (!was || !is) return;
  judge.require(kSinkStag, is->sink_stag == was->sink_stag, seen.rdma_header(layout::kSinkStag, 4),
                expected(hex(was->sink_stag)), actual(hex(is->sink_stag)));
  judge.require(kSourceStag, is->source_stag == was->source_stag, seen.rdma_header(layout::kSourceStag, 4),
                expected(hex(was->source_stag)), actual(hex(is->source_stag)));

  const std::uint64_t moved = progress(*was, *is);
  const auto left = static_cast<std::uint32_t>(was->size - moved);
  const auto by = [moved] { return fmt::format("moved on by {} octets", moved); };
  bool agree = judge.require(kSinkOffset, is->sink_to == was->sink_to + moved, seen.rdma_header(layout::kSinkTo, 8),
                             expected(hex(was->sink_to + moved)), actual(hex(is->sink_to)), by);
  agree &= judge.require(kSizeLeft, is->size == left, seen.rdma_header(layout::kReadSize, 4), expected(left),
                         actual(is->size), by);
  agree &= judge.require(kSourceOffset, is->source_to == was->source_to + moved, seen.rdma_header(layout::kSourceTo, 8),
                         expected(hex(was->source_to + moved)), actual(hex(is->source_to)), by);
  if (!agree) return;

  // What was sent of it before the Terminate; more may have been read and not been sent.
  const auto& reads = seen.seen.to.reads;
  const auto read = std::ranges::find(reads, seen.blamed->segment->index, &OutstandingRead::index);
  const std::uint64_t sent = read == reads.end() ? 0 : read->received;
  judge.require(
      kCurrentLocation, moved >= sent && moved <= was->size, seen.rdma_header(0, layout::kReadRequest),
      expected([&] { return fmt::format("moved on by {} to {} octets", sent, was->size); }), actual(by),
      [&] { return fmt::format("{} octets of the response have been sent", sent); }, seen.of_received);
}

constexpr Breach kBreaches[] = {
    {Deviation::terminate_reserved_set, kReservedIsZero},
    {Deviation::terminate_length_wrong, kSegmentLengthValid},
    {Deviation::terminate_length_of_payload, kSegmentLengthValid, {.severity = Severity::warning}},
    {Deviation::terminate_cut, kDdpHeaderPresent},
    {Deviation::terminate_header_altered, kDdpHeaderOfAMessage},
    {Deviation::terminate_r_set, kRdmaHeaderForReadsOnly},
};

}  // namespace

SectionRules terminate_header_rules() {
  static constexpr const Rule* kRules[] = {&kHeaderIsThere,
                                           &kControlFormat,
                                           &kReservedIsZero,
                                           &kSegmentLengthPresent,
                                           &kSegmentLengthValid,
                                           &kDdpHeaderPresent,
                                           &kDdpHeaderOfAMessage,
                                           &kNoHeaderIfCatastrophic,
                                           &kRdmaHeaderForReadsOnly,
                                           &kRdmaHeaderPresent,
                                           &kCurrentLocation,
                                           &kSinkStag,
                                           &kSinkOffset,
                                           &kSizeLeft,
                                           &kSourceStag,
                                           &kSourceOffset};
  return {kRules, kBreaches};
}

bool judge_terminate_header(Judge& judge, const TerminateSeen& seen) {
  judge.require(
      kControlFormat, !seen.swapped, seen.control(), expected("the bits in the order of figure 8"),
      actual([&] { return fmt::format("{}, as a little-endian host lays out bit fields", to_string(seen.error())); }),
      "the halves of the first octet are swapped, and HdrCt is in low bits");
  judge.require(kReservedIsZero, seen.terminate.reserved == 0, seen.at(layout::kTerminateControl + 2, 2), expected(0u),
                actual(hex(seen.terminate.reserved)));
  return judge_presence(judge, seen);
}

void judge_terminated_headers(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  const bool catastrophic = seen.is(Layer::rdma) && terminate.error.etype == 0;
  if (catastrophic)
    judge.require(kNoHeaderIfCatastrophic, !terminate.has_ddp_header, seen.header_control(),
                  expected("the D bit clear"), actual("set"), "such an error concerns no message");
  judge_segment_length(judge, seen);
  if (!seen.blamed) return;
  const Blamed& blamed = *seen.blamed;
  if (blamed.exact || blamed.begun || seen.history)
    judge.require(
        kDdpHeaderOfAMessage, blamed.exact || blamed.begun, seen.ddp_header(),
        expected("the DDP header of a segment that came"), actual("one that did not come"),
        [&] {
          const std::string alike = blamed.segment
                                        ? fmt::format("that of message {} is the most alike", blamed.segment->index + 1)
                                        : std::string("none is like it");
          return seen.of_received == Evidence::octets ? alike : fmt::format("{}, {}", alike, kNotCaptured);
        },
        seen.of_received);
  else
    judge.inconclusive(kDdpHeaderOfAMessage, "the segment blamed is not among the last that were seen");
  if (terminate.has_rdma_header && blamed.invalidates())
    judge.advise(kRdmaHeaderForReadsOnly, false, seen.header_control(), expected("the R bit clear"), actual("set"),
                 "a Send with Invalidate has no RDMA header, whatever figure 10 says of it");
  else if (terminate.has_rdma_header && !blamed.is(Opcode::read_request) && !seen.is(Layer::rdma))
    judge.advise(kRdmaHeaderForReadsOnly, false, seen.header_control(), expected("the R bit clear"), actual("set"),
                 "section 7.1 wants it clear for messages that DDP has delivered: of an error of a lower layer section "
                 "4.8 says it, and figure 10, without a MUST");
  else if (terminate.has_rdma_header)
    judge.require(kRdmaHeaderForReadsOnly, blamed.is(Opcode::read_request), seen.header_control(),
                  expected("the R bit clear"), actual("set"), [&] {
                    return fmt::format("the segment blamed is {}",
                                       blamed.row ? blamed.row->name : "of a reserved opcode");
                  });
  if (blamed.is(Opcode::read_request)) judge_read_request(judge, seen);
}

bool judge_terminate_is_there(Judge& judge, const Seen& seen) {
  const auto where = field::rdmap(seen, 0, seen.payload.size());
  if (!seen.header.last || seen.header.mo != 0) {
    // RDMAP/A-39b: nothing forbids it; deployed receivers take a Terminate as one segment.
    judge.advise(kHeaderIsThere, false, where, expected("a Terminate in one segment"), actual("a part of one"),
                 "deployed receivers do not put it together");
    return false;
  }
  return judge.require(kHeaderIsThere, seen.payload.size() >= layout::kTerminate, where,
                       expected("at least four octets"), actual(seen.payload.size()));
}

}  // namespace wirelaw::rdmap
