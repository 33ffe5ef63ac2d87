// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 4: the opcodes that it adds, as DDP and RDMAP fields show them (figures 2 and 3). Each entry of the
// figures is a rule.
#include <array>

#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection4_1{"RFC 7306 4.1"};
constexpr Section kSection4_1NotJudged = kSection4_1.by(Observable::none);
constexpr Section kSection4_2{"RFC 7306 4.2"};

constinit const Rule kVersion =
    kSection4_1NotJudged.must("RDMAPX-4.1-1", "The RDMAP version of these messages is 1.",
                              "RFC 5040 4.1 says so of every message and is judged for every opcode");
constinit const Rule kOpcode = kSection4_1NotJudged.must(
    "RDMAPX-4.1-2", "The opcode of these messages is one of figure 2.",
    "It is by its opcode that such a message is known; C to F are reserved by RFC 5040 4.1 and judged there");
constinit const Rule kInvalidateStag =
    kSection4_1.must("RDMAPX-4.1-3", "The sender sets Invalidate STag of these messages to zero.");

// Figure 2, by opcode.
constinit const Rule kUntagged[] = {
    kSection4_1.must("RDMAPX-4.1-5", "Figure 2: Immediate Data is untagged.", "6.3 says the same"),
    kSection4_1.must("RDMAPX-4.1-6", "Figure 2: Immediate Data with SE is untagged.", "6.3 says the same"),
    kSection4_1.must("RDMAPX-4.1-7", "Figure 2: an Atomic Request is untagged.", "5.2.1 says the same"),
    kSection4_1.must("RDMAPX-4.1-8", "Figure 2: an Atomic Response is untagged.", "5 and 5.2.2 say the same")};
constinit const Rule kQueue[] = {
    kSection4_1.must("RDMAPX-4.1-9", "Figure 2: Immediate Data is on queue 0.", "6.3 says the same"),
    kSection4_1.must("RDMAPX-4.1-10", "Figure 2: Immediate Data with SE is on queue 0.", "6.3 says the same"),
    kSection4_1.must("RDMAPX-4.1-11", "Figure 2: an Atomic Request is on queue 1.", "5.2 and 5.2.1 say the same"),
    kSection4_1.must("RDMAPX-4.1-12", "Figure 2: an Atomic Response is on queue 3.", "5, 5.2 and 5.2.2 say the same")};

// Figure 3, by opcode.
constinit const Rule kHeader[] = {
    kSection4_2.must("RDMAPX-4.2-1", "Figure 3: Immediate Data carries eight octets of data.",
                     "6.2 and 6.3 say the same"),
    kSection4_2.must("RDMAPX-4.2-2", "Figure 3: Immediate Data with SE carries eight octets of data.",
                     "6.2 and 6.3 say the same"),
    kSection4_2.must("RDMAPX-4.2-3", "Figure 3: an Atomic Request carries its header, 52 octets.", "RDMAP/A-35"),
    kSection4_2.must("RDMAPX-4.2-4", "Figure 3: an Atomic Response carries its header, 12 octets.", "RDMAP/A-35")};
constinit const Rule kNoPayload[] = {
    kSection4_2.must("RDMAPX-4.2-5", "Figure 3: nothing follows the eight octets of Immediate Data.", "RDMAP/A-37"),
    kSection4_2.must("RDMAPX-4.2-6", "Figure 3: nothing follows the eight octets of Immediate Data with SE.",
                     "RDMAP/A-37"),
    kSection4_2.must("RDMAPX-4.2-7", "Figure 3: an Atomic Request carries no ULP payload."),
    kSection4_2.must("RDMAPX-4.2-8", "Figure 3: an Atomic Response carries no ULP payload.")};

constexpr Breach kBreaches[] = {
    {Deviation::atomic_response_queue_zero, kQueue[3], {.given = "rfc7306"}},
    {Deviation::immediate_seven_octets, kHeader[0], {.who = wirelaw::Role::responder, .given = "rfc7306"}},
    {Deviation::immediate_seven_octets, kHeader[0], {.who = wirelaw::Role::initiator, .given = "extended"}},
};

}  // namespace

SectionRules extension_field_rules() {
  static constexpr const Rule* kRules[] = {
      &kVersion,   &kOpcode,       &kInvalidateStag, &kUntagged[0],  &kUntagged[1], &kUntagged[2], &kUntagged[3],
      &kQueue[0],  &kQueue[1],     &kQueue[2],       &kQueue[3],     &kHeader[0],   &kHeader[1],   &kHeader[2],
      &kHeader[3], &kNoPayload[0], &kNoPayload[1],   &kNoPayload[2], &kNoPayload[3]};
  return {kRules, kBreaches};
}

bool judge_extension_fields(Judge& judge, Seen& seen) {
  const OpcodeRow& row = *seen.row;
  const std::size_t of = static_cast<std::size_t>(row.opcode) - static_cast<std::size_t>(Opcode::immediate_data);
  if (!judge.require(kUntagged[of], !seen.header.tagged, field::kDdpControl, expected("the T bit clear"), actual("set"),
                     row.name)) {
    seen.blame(error::kUnexpectedOpcode);
    return false;
  }
  if (!judge.require(kQueue[of], seen.header.qn == row.queue, field::kQn, expected(row.queue), actual(seen.header.qn),
                     row.name)) {
    seen.blame(error::kUnexpectedOpcode);
    seen.blame(error::kDdpInvalidQn);
    return false;
  }
  judge.require(kInvalidateStag, seen.header.rsvd_ulp_rest == 0, field::kInvalidateStag, expected(0),
                actual(hex(seen.header.rsvd_ulp_rest)), row.name);
  // These messages are shorter than the least MULPDU; a part of one says nothing of its length.
  if (!seen.header.last || seen.header.mo != 0) return false;
  const std::size_t have = seen.payload.size();
  const OctetRange where = field::rdmap(seen, 0, have);
  const auto octets = [&] { return fmt::format("{} octets behind the DDP header", have); };
  const bool whole = judge.require(kHeader[of], have >= row.header_octets, where, expected(row.header_octets),
                                   actual(octets), row.name);
  const bool alone = !whole || judge.require(kNoPayload[of], have <= row.header_octets, where,
                                             expected(row.header_octets), actual(octets), row.name);
  if (!whole || !alone)
    for (const ErrorCode& error : {error::kUnexpectedOpcode, error::kCatastrophicStream, error::kOperationUnspecified})
      seen.blame(error);
  return whole;
}

}  // namespace wirelaw::rdmap
