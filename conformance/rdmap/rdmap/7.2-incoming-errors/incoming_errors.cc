// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.2: the checks of a received message. An answer shows that a request was accepted.
#include "conformance/rdmap/rdmap/7.2-incoming-errors/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

// A range that ends exactly at 2^64 may be taken to wrap or not (RDMAP/A-22).
void check_wrapping_read(Judge& judge, const SegmentFacts& segment, const ReadRequest& request) {
  if (request.size == 0 || segment.payload.empty()) return;
  const std::uint64_t last = request.source_to + (request.size - 1);
  judge.require(
      rule<"RDMAP-7.2-12">, last >= request.source_to, field::kRdmapControl, expected("a Terminate"),
      actual("an RDMA Read Response"),
      [&] { return fmt::format("{} octets from 0x{:x} run past 2^64", request.size, request.source_to); },
      segment.of_lack);
}

// RDMAP/A-77
void check_accepted(Judge& judge, const SegmentFacts& segment, const AcceptedFact& fact) {
  using enum PlainFault::Kind;
  const PlainFault& fault = fact.fault;
  const bool is_ddps = fault.kind != opcode && fault.kind != version;
  if (is_ddps) return check_discarded(judge, segment, fault);
  const Rule& its_version = fault.is_read_request ? rule<"RDMAP-7.2-7"> : rule<"RDMAP-7.2-3">;
  judge.require(
      fault.kind == opcode ? rule<"RDMAP-7.2-2"> : its_version, false, field::kRdmapControl, expected("a Terminate"),
      actual(name_of_response(segment)),
      [&] {
        return fmt::format("message {} of the flow had {}, and {}", fault.index + 1,
                           fault.kind == opcode ? "a reserved opcode" : "no version of RDMAP",
                           fact.is_itself ? "this answers it" : "the request came after it");
      },
      segment.of_lack);
}

}  // namespace wirelaw::rdmap
