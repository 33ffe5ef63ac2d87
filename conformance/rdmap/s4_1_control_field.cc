// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: the RDMAP control field and the Invalidate STag, and figure 4 row by row. The later segments
// of a message repeat its first one's field (DDP-4.2-4, DDP-4.3-4), so the first one is judged.
#include <algorithm>
#include <array>

#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 4.1", kFigure = "RFC 5040 4.1, figure 4";

constexpr Rule trace_rule(std::string_view id, std::string_view section, std::string_view summary,
                          std::string_view note = {}) {
  return rdmap_rule(id, Level::must, section, Observable::trace, summary, note);
}

constinit const Rule kVersion =
    trace_rule("RDMAP-4.1-4", kSection, "RV is 01b on a stream that MPA has started with revision 1 or higher.",
               "A-11: 00b belongs to the RDMA Consortium's protocol, under MPA revision 0");
constinit const Rule kReservedIsZero = trace_rule("RDMAP-4.1-5", kSection, "The two reserved bits are sent as zero.");
constinit const Rule kOpcodeIsAssigned = trace_rule(
    "RDMAP-4.1-7", kFigure, "The opcode is one of those assigned.",
    "A-10: 8 to 11 belong to RFC 7306 (the feature rfc7306), 15 to experiments: a breach by them is a warning");

// The columns of figure 4, by opcode.
constinit const Rule kTaggedFlag[] = {
    trace_rule("RDMAP-4.1-10", kFigure, "An RDMA Write is tagged."),
    trace_rule("RDMAP-4.1-11", kFigure, "An RDMA Read Request is untagged."),
    trace_rule("RDMAP-4.1-12", kFigure, "An RDMA Read Response is tagged."),
    trace_rule("RDMAP-4.1-13", kFigure, "A Send is untagged."),
    trace_rule("RDMAP-4.1-14", kFigure, "A Send with Invalidate is untagged."),
    trace_rule("RDMAP-4.1-15", kFigure, "A Send with Solicited Event is untagged."),
    trace_rule("RDMAP-4.1-16", kFigure, "A Send with Solicited Event and Invalidate is untagged."),
    trace_rule("RDMAP-4.1-17", kFigure, "A Terminate is untagged."),
};
constinit const Rule kReadRequestQueueIsOne =
    trace_rule("RDMAP-4.1-21", kFigure, "An RDMA Read Request is on queue 1.");
constinit const Rule kSendQueueIsZero = trace_rule("RDMAP-4.1-23", kFigure, "A Send is on queue 0.");
constinit const Rule kSendInvalidateQueueIsZero =
    trace_rule("RDMAP-4.1-24", kFigure, "A Send with Invalidate is on queue 0.");
constinit const Rule kSendSeQueueIsZero =
    trace_rule("RDMAP-4.1-25", kFigure, "A Send with Solicited Event is on queue 0.");
constinit const Rule kSendSeInvalidateQueueIsZero =
    trace_rule("RDMAP-4.1-26", kFigure, "A Send with Solicited Event and Invalidate is on queue 0.");
constinit const Rule kTerminateQueueIsTwo = trace_rule("RDMAP-4.1-27", kFigure, "A Terminate is on queue 2.");
constinit const Rule kReadRequestInvalidatesNothing =
    trace_rule("RDMAP-4.1-31", kSection, "The Invalidate STag field of an RDMA Read Request is zero.");
constinit const Rule kSendInvalidatesNothing =
    trace_rule("RDMAP-4.1-33", kSection, "The Invalidate STag field of a Send is zero.");
constinit const Rule kSendSeInvalidatesNothing =
    trace_rule("RDMAP-4.1-35", kSection, "The Invalidate STag field of a Send with Solicited Event is zero.");
constinit const Rule kTerminateInvalidatesNothing =
    trace_rule("RDMAP-4.1-37", kSection, "The Invalidate STag field of a Terminate is zero.");

struct Row {
  const Rule* tagged;
  const Rule* queue;       // nullptr: it has none
  const Rule* invalidate;  // the field is zero; nullptr: it is not there, or valid
};
constexpr Row kFigure4[] = {
    {&kTaggedFlag[0], nullptr, nullptr},
    {&kTaggedFlag[1], &kReadRequestQueueIsOne, &kReadRequestInvalidatesNothing},
    {&kTaggedFlag[2], nullptr, nullptr},
    {&kTaggedFlag[3], &kSendQueueIsZero, &kSendInvalidatesNothing},
    {&kTaggedFlag[4], &kSendInvalidateQueueIsZero, nullptr},
    {&kTaggedFlag[5], &kSendSeQueueIsZero, &kSendSeInvalidatesNothing},
    {&kTaggedFlag[6], &kSendSeInvalidateQueueIsZero, nullptr},
    {&kTaggedFlag[7], &kTerminateQueueIsTwo, &kTerminateInvalidatesNothing},
};

void judge_version(Judge& judge, Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  const std::uint8_t version = seen.control.version;
  const bool consortium_may_be = agreed.assumed || agreed.revision == 0;
  if (version != 1) seen.blame(error::kInvalidVersion);
  judge.require(kVersion, version == 1 || (version == 0 && consortium_may_be), field::kRdmapControl, expected("01b"),
                actual([&] { return fmt::format("{:02b}b", version); }), [&] {
                  if (version != 0) return std::string("no version has this number");
                  return fmt::format("as the RDMA Consortium's protocol has it, but MPA revision {} was agreed",
                                     agreed.revision);
                });
}

// False: the opcode says nothing that could be judged here.
bool judge_opcode(Judge& judge, Seen& seen) {
  constexpr std::uint8_t kExperiments = 15;  // RFC 6580, 3.1
  const bool extension = seen.row && seen.row->extension;
  if (extension && seen.connection.extensions) return false;
  const auto assigned = expected("an opcode from 0 to 7");
  const auto opcode = actual([&] { return fmt::format("{:04b}b", seen.control.opcode); });
  if (!seen.row || extension) seen.blame(error::kUnexpectedOpcode);
  if (extension)
    judge.advise(kOpcodeIsAssigned, false, field::kRdmapControl, assigned, opcode,
                 "RFC 7306 has assigned it; its extensions are not declared (--feature rfc7306)");
  else if (seen.control.opcode == kExperiments)
    judge.advise(kOpcodeIsAssigned, false, field::kRdmapControl, assigned, opcode, "kept for experiments by RFC 6580");
  else
    judge.require(kOpcodeIsAssigned, seen.row != nullptr, field::kRdmapControl, assigned, opcode, "reserved");
  return seen.row && !extension;
}

}  // namespace

RuleList control_field_rules() {
  static constexpr auto none = [](std::string_view id, std::string_view summary, std::string_view note) {
    return rdmap_rule(id, Level::must, kSection, Observable::none, summary, note);
  };
  static constinit const Rule kCarriesControl =
      none("RDMAP-4.1-1", "The first octet of RsvdULP is the RDMAP control field.",
           "another octet in its place breaks the rules of its version and opcode");
  static constinit const Rule kBitOrder =
      none("RDMAP-4.1-2", "The bits of the control field stand as figure 3 has them.",
           "another order breaks the rules of its version and opcode");
  static constinit const Rule kInvalidateStag =
      rdmap_rule("RDMAP-4.1-3", Level::must, kSection, Observable::api,
                 "A Send with Invalidate carries the STag to be invalidated in the octets of RsvdULP behind the first.",
                 "which STag was meant is known to verbs");
  static constinit const Rule kStagAndTo =
      none("RDMAP-4.1-20", "An RDMA Write and an RDMA Read Response have an STag and TO.",
           "figure 4: the tagged header has room for nothing else; judged by DDP-4.2-1");
  static constinit const Rule kLength =
      rdmap_rule("RDMAP-4.1-40", Level::must, kFigure, Observable::api,
                 "RDMAP and DDP tell each other the length of every message.",
                 "between two layers of one implementation; byte_len of a receive shows what came of it");
  static const auto kRules = [] {
    std::array<const Rule*, 8 + std::size(kFigure4) * 3> rules{&kCarriesControl, &kBitOrder,       &kInvalidateStag,
                                                               &kVersion,        &kReservedIsZero, &kOpcodeIsAssigned,
                                                               &kStagAndTo,      &kLength};
    std::size_t count = 8;
    for (const Row& row : kFigure4)
      for (const Rule* const rule : {row.tagged, row.queue, row.invalidate})
        if (rule) rules[count++] = rule;
    return std::pair(rules, count);
  }();
  return RuleList(kRules.first).first(kRules.second);
}

bool is_as_its_opcode_demands(const Seen& seen) {
  const OpcodeRow* const row = seen.row;
  return row && row->tagged == seen.header.tagged && (row->tagged || row->queue == seen.header.qn);
}

void judge_control_field(Judge& judge, Seen& seen) {
  if (!seen.first_segment) return;
  judge_version(judge, seen);
  judge.require(kReservedIsZero, seen.control.reserved == 0, field::kRdmapControl, expected(0),
                actual(seen.control.reserved), "bits 2 and 3 of the octet");
  if (!judge_opcode(judge, seen)) return;
  const ddp::Header& header = seen.header;
  const OpcodeRow& opcode = *seen.row;
  const Row& row = kFigure4[seen.control.opcode];
  if (!judge.require(*row.tagged, header.tagged == opcode.tagged, field::kDdpControl, expected(opcode.tagged),
                     actual(header.tagged), "the T flag")) {
    seen.blame(error::kUnexpectedOpcode);
    return;
  }
  if (row.queue &&
      !judge.require(*row.queue, header.qn == opcode.queue, field::kQn, expected(opcode.queue), actual(header.qn))) {
    seen.blame(error::kUnexpectedOpcode);
    seen.blame(error::kDdpInvalidQn);
  }
  if (row.invalidate)
    judge.require(*row.invalidate, header.rsvd_ulp_rest == 0, field::kInvalidateStag, expected(hex(0u)),
                  actual(hex(header.rsvd_ulp_rest)));
}

}  // namespace wirelaw::rdmap
