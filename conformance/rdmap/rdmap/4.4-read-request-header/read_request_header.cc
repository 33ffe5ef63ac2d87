// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.4: the RDMA Read Request Header, and its fields that the RDMA Read Response copies.
#include <algorithm>

#include "conformance/rdmap/rdmap/4.4-read-request-header/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

// A response is compared with the oldest waiting request. Another request that was not captured could explain a
// difference.
}  // namespace

std::optional<ReadRequest> request_in(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  const bool whole = header.last && header.mo == 0;
  const bool is_out_of_state = header.last && seen.first_segment && !whole;  // DDP-4.3-11
  if ((seen.first_segment || header.last) && !is_out_of_state)
    judge.advise(rule<"RDMAP-4.4-1">, whole, field::rdmap(seen.header, 0, seen.payload.size()), expected("one segment"),
                 actual("several"), "deployed receivers take requests of one segment only");
  if (whole) return decode_read_request(seen.payload);
  auto& split = seen.from.split_request;
  if (header.mo >= split.size()) return std::nullopt;
  const auto octets = seen.payload.first(std::min<std::size_t>(seen.payload.size(), split.size() - header.mo));
  std::ranges::copy(octets, split.begin() + header.mo);
  const OpenMessage& message = seen.from.queues[kReadRequestQueue].message;
  if (message.is_open() || message.is_unsettled() || message.octets != split.size()) return std::nullopt;
  return decode_read_request(split);
}

namespace {

// RFC 5041, 5.2 does not require valid fields in a segment without payload, so the copy has no effect.
void judge_empty_copies(Judge& judge, const Seen& seen, const ReadRequest& request) {
  constexpr std::string_view kWhy = "nobody may look at it in a segment without payload";
  if (judge.advise(rule<"RDMAP-4.4-3">, seen.header.stag == request.sink_stag, field::kStag,
                   expected(hex(request.sink_stag)), actual(hex(seen.header.stag)), kWhy))
    judge.advise(rule<"RDMAP-4.4-4">, seen.header.to == request.sink_to, field::kTo, expected(hex(request.sink_to)),
                 actual(hex(seen.header.to)), kWhy);
}

}  // namespace

void judge_copied_fields(Judge& judge, Seen& seen, const ReadRequest& request) {
  const ddp::Header& header = seen.header;
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  const std::string_view why = or_another_request(evidence);
  if (request.size == 0 && seen.payload.empty()) return judge_empty_copies(judge, seen, request);
  const bool stag = judge.require(rule<"RDMAP-4.4-3">, header.stag == request.sink_stag, field::kStag,
                                  expected(hex(request.sink_stag)), actual(hex(header.stag)), why, evidence);
  // If both are wrong, it answers another request or none: that is one fault.
  const bool to = stag && judge.require(rule<"RDMAP-4.4-4">, header.to == request.sink_to, field::kTo,
                                        expected(hex(request.sink_to)), actual(hex(header.to)), why, evidence);
  if (stag && to) return;
  seen.blame(error::kDdpInvalidStag);
  seen.blame(error::kDdpStagNotAssociated);
  seen.blame(error::kDdpBaseOrBounds);
}

void judge_response_length(Judge& judge, Seen& seen, const OutstandingRead& read) {
  const std::uint32_t size = read.request.size;
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  const bool too_long = read.received > size, too_short = seen.header.last && read.received < size;
  if (too_long) {
    seen.blame(error::kDdpBaseOrBounds);
    seen.blame(error::kDdpInvalidStag);
    seen.blame(error::kUnexpectedOpcode);
  }
  if (too_short) {  // no specification defines a code for this
    seen.blame(error::kCatastrophicStream);
    seen.blame(error::kDdpBaseOrBounds);
  }
  if (too_long && std::exchange(seen.from.excess_reported, true)) return;
  if (too_long || seen.header.last)
    judge.require(
        rule<"RDMAP-4.4-5">, !too_long && !too_short, field::kUlpduLength, expected(size), actual(read.received),
        [&] {
          const std::string_view what = too_long ? "so far" : "in all";
          const std::string_view otherwise = or_another_request(evidence);
          return fmt::format("octets of the response {}{}{}", what, otherwise.empty() ? "" : "; ", otherwise);
        },
        evidence);
}

}  // namespace wirelaw::rdmap
