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

void check_extension_fields(Judge& judge, const SegmentFacts& segment, std::optional<std::uint64_t> length) {
  const OpcodeRow& row = *segment.row;
  const std::size_t of = static_cast<std::size_t>(row.opcode) - static_cast<std::size_t>(Opcode::immediate_data);
  if (!judge.require(*kUntagged[of], segment.carriage != Carriage::wrong_model, field::kDdpControl,
                     expected("the T bit clear"), actual("set"), row.name))
    return;
  if (!judge.require(*kQueue[of], segment.carriage == Carriage::right, field::kQn, expected(row.queue),
                     actual(segment.header.qn), row.name))
    return;
  judge.require(rule<"RDMAPX-4.1-3">, segment.header.rsvd_ulp_rest == 0, field::kInvalidateStag, expected(0),
                actual(hex(segment.header.rsvd_ulp_rest)), row.name);
  if (!length) return;
  const OctetRange where = field::rdmap(segment.header, 0, segment.payload.size());
  const auto octets = actual([&] {
    return fmt::format("{} octets {}", *length,
                       segment.header.mo == 0 ? "after the DDP header" : "in all its segments");
  });
  if (judge.require(*kHeader[of], *length >= row.header_octets, where, expected(row.header_octets), octets, row.name))
    judge.require(*kNoPayload[of], *length <= row.header_octets, where, expected(row.header_octets), octets, row.name);
}

}  // namespace wirelaw::rdmap
