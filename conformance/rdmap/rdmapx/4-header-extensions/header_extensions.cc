// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 4: the opcodes that it adds, as DDP and RDMAP fields show them (figures 2 and 3). Each entry of the
// figures is a rule.
#include "conformance/rdmap/rdmapx/4-header-extensions/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {
namespace {

// Figure 2, by opcode.
constexpr const Rule* kUntagged[] = {&rule<"RDMAPX-4.1-5">, &rule<"RDMAPX-4.1-6">, &rule<"RDMAPX-4.1-7">,
                                     &rule<"RDMAPX-4.1-8">};
constexpr const Rule* kQueue[] = {&rule<"RDMAPX-4.1-9">, &rule<"RDMAPX-4.1-10">, &rule<"RDMAPX-4.1-11">,
                                  &rule<"RDMAPX-4.1-12">};
// Figure 3, by opcode.
constexpr const Rule* kHeader[] = {&rule<"RDMAPX-4.2-1">, &rule<"RDMAPX-4.2-2">, &rule<"RDMAPX-4.2-3">,
                                   &rule<"RDMAPX-4.2-4">};
constexpr const Rule* kNoPayload[] = {&rule<"RDMAPX-4.2-5">, &rule<"RDMAPX-4.2-6">, &rule<"RDMAPX-4.2-7">,
                                      &rule<"RDMAPX-4.2-8">};

}  // namespace

bool judge_extension_fields(Judge& judge, Seen& seen) {
  const OpcodeRow& row = *seen.row;
  const std::size_t of = static_cast<std::size_t>(row.opcode) - static_cast<std::size_t>(Opcode::immediate_data);
  if (!judge.require(*kUntagged[of], !seen.header.tagged, field::kDdpControl, expected("the T bit clear"),
                     actual("set"), row.name)) {
    seen.blame(error::kUnexpectedOpcode);
    return false;
  }
  if (!judge.require(*kQueue[of], seen.header.qn == row.queue, field::kQn, expected(row.queue), actual(seen.header.qn),
                     row.name)) {
    seen.blame(error::kUnexpectedOpcode);
    seen.blame(error::kDdpInvalidQn);
    return false;
  }
  judge.require(rule<"RDMAPX-4.1-3">, seen.header.rsvd_ulp_rest == 0, field::kInvalidateStag, expected(0),
                actual(hex(seen.header.rsvd_ulp_rest)), row.name);
  // These messages are shorter than the minimum MULPDU. A part of one does not show its length.
  if (!seen.header.last || seen.header.mo != 0) return false;
  const std::size_t have = seen.payload.size();
  const OctetRange where = field::rdmap(seen.header, 0, have);
  const auto octets = [&] { return fmt::format("{} octets behind the DDP header", have); };
  const bool whole = judge.require(*kHeader[of], have >= row.header_octets, where, expected(row.header_octets),
                                   actual(octets), row.name);
  const bool alone = !whole || judge.require(*kNoPayload[of], have <= row.header_octets, where,
                                             expected(row.header_octets), actual(octets), row.name);
  if (!whole || !alone)
    for (const ErrorCode& error : {error::kUnexpectedOpcode, error::kCatastrophicStream, error::kOperationUnspecified})
      seen.blame(error);
  return whole;
}

}  // namespace wirelaw::rdmap
