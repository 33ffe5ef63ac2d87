// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.4: the RDMA Read Request Header, and its fields that the RDMA Read Response copies.
#include "conformance/rdmap/rdmap/4.4-read-request-header/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

// RFC 5041, 5.2 does not require valid fields in a segment without payload, so the copy has no effect.
void check_empty_copies(Judge& judge, const AnswerFact& answer) {
  constexpr std::string_view kWhy = "nobody may look at it in a segment without payload";
  const ReadRequest& request = answer.request;
  if (judge.advise(rule<"RDMAP-4.4-3">, answer.stag == request.sink_stag, field::kStag,
                   expected(hex(request.sink_stag)), actual(hex(answer.stag)), kWhy))
    judge.advise(rule<"RDMAP-4.4-4">, answer.to == request.sink_to, field::kTo, expected(hex(request.sink_to)),
                 actual(hex(answer.to)), kWhy);
}

}  // namespace

void check_single_request(Judge& judge, const SegmentFacts& segment, bool is_whole) {
  judge.advise(rule<"RDMAP-4.4-1">, is_whole, field::rdmap(segment.header, 0, segment.payload.size()),
               expected("one segment"), actual("several"), "deployed receivers take requests of one segment only");
}

void check_copied_fields(Judge& judge, const SegmentFacts& segment, const AnswerFact& answer) {
  const ReadRequest& request = answer.request;
  const std::string_view why = or_another_request(segment.of_lack);
  if (request.size == 0 && segment.payload.empty()) return check_empty_copies(judge, answer);
  // If both are wrong, it answers another request or none: that is one fault.
  if (judge.require(rule<"RDMAP-4.4-3">, answer.stag == request.sink_stag, field::kStag,
                    expected(hex(request.sink_stag)), actual(hex(answer.stag)), why, segment.of_lack))
    judge.require(rule<"RDMAP-4.4-4">, answer.to == request.sink_to, field::kTo, expected(hex(request.sink_to)),
                  actual(hex(answer.to)), why, segment.of_lack);
}

void check_response_length(Judge& judge, const ResponseFact& fact, Evidence evidence) {
  judge.require(
      rule<"RDMAP-4.4-5">, fact.received == fact.size, field::kUlpduLength, expected(fact.size), actual(fact.received),
      [&] {
        const std::string_view what = fact.received > fact.size ? "so far" : "in all";
        const std::string_view otherwise = or_another_request(evidence);
        return fmt::format("octets of the response {}{}{}", what, otherwise.empty() ? "" : "; ", otherwise);
      },
      evidence);
}

}  // namespace wirelaw::rdmap
