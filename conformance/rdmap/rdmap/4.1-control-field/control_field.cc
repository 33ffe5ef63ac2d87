// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: the RDMAP control field and the Invalidate STag, and figure 4 row by row. The later segments
// of a message repeat its first one's field (DDP-4.2-4, DDP-4.3-4), so the first one is judged.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 5040 4.1"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr Section kFigure{"RFC 5040 4.1, figure 4"};
constexpr Section kFigureAtVerbs = kFigure.by(Observable::api);

constinit const Rule kVersion =
    kSection.must("RDMAP-4.1-4", "RV is 01b on a stream that MPA has started with revision 1 or higher.",
                  "RDMAP/A-11: 00b belongs to the RDMA Consortium's protocol, under MPA revision 0");
constinit const Rule kReservedIsZero = kSection.must("RDMAP-4.1-5", "The two reserved bits are sent as zero.");
constinit const Rule kOpcodeIsAssigned = kFigure.must(
    "RDMAP-4.1-7", "The opcode is one of those assigned.",
    "RDMAP/A-10: 8 to 11 belong to RFC 7306 (the feature rfc7306), 15 to experiments: a breach by them is a warning");

// The columns of figure 4, by opcode.
constinit const Rule kTaggedFlag[] = {
    kFigure.must("RDMAP-4.1-10", "An RDMA Write is tagged."),
    kFigure.must("RDMAP-4.1-11", "An RDMA Read Request is untagged."),
    kFigure.must("RDMAP-4.1-12", "An RDMA Read Response is tagged."),
    kFigure.must("RDMAP-4.1-13", "A Send is untagged."),
    kFigure.must("RDMAP-4.1-14", "A Send with Invalidate is untagged."),
    kFigure.must("RDMAP-4.1-15", "A Send with Solicited Event is untagged."),
    kFigure.must("RDMAP-4.1-16", "A Send with Solicited Event and Invalidate is untagged."),
    kFigure.must("RDMAP-4.1-17", "A Terminate is untagged.")};
constinit const Rule kReadRequestQueueIsOne = kFigure.must("RDMAP-4.1-21", "An RDMA Read Request is on queue 1.");
constinit const Rule kSendQueueIsZero = kFigure.must("RDMAP-4.1-23", "A Send is on queue 0.");
constinit const Rule kSendInvalidateQueueIsZero = kFigure.must("RDMAP-4.1-24", "A Send with Invalidate is on queue 0.");
constinit const Rule kSendSeQueueIsZero = kFigure.must("RDMAP-4.1-25", "A Send with Solicited Event is on queue 0.");
constinit const Rule kSendSeInvalidateQueueIsZero =
    kFigure.must("RDMAP-4.1-26", "A Send with Solicited Event and Invalidate is on queue 0.");
constinit const Rule kTerminateQueueIsTwo = kFigure.must("RDMAP-4.1-27", "A Terminate is on queue 2.");
constinit const Rule kReadRequestInvalidatesNothing =
    kSection.must("RDMAP-4.1-31", "The Invalidate STag field of an RDMA Read Request is zero.");
constinit const Rule kSendInvalidatesNothing =
    kSection.must("RDMAP-4.1-33", "The Invalidate STag field of a Send is zero.");
constinit const Rule kSendSeInvalidatesNothing =
    kSection.must("RDMAP-4.1-35", "The Invalidate STag field of a Send with Solicited Event is zero.");
constinit const Rule kTerminateInvalidatesNothing =
    kSection.must("RDMAP-4.1-37", "The Invalidate STag field of a Terminate is zero.");
constinit const Rule kCarriesControl =
    kNotJudged.must("RDMAP-4.1-1", "The first octet of RsvdULP is the RDMAP control field.",
                    "another octet in its place breaks the rules of its version and opcode");
constinit const Rule kBitOrder =
    kNotJudged.must("RDMAP-4.1-2", "The bits of the control field are laid out as figure 3 has them.",
                    "another order breaks the rules of its version and opcode");
constinit const Rule kInvalidateStag = kAtVerbs.must(
    "RDMAP-4.1-3",
    "A Send with Invalidate carries the STag to be invalidated in the octets of RsvdULP behind the first.",
    "which STag was meant is known to verbs");
constinit const Rule kStagAndTo =
    kNotJudged.must("RDMAP-4.1-20", "An RDMA Write and an RDMA Read Response have an STag and TO.",
                    "figure 4: the tagged header has room for nothing else; judged by DDP-4.2-1");
constinit const Rule kLength =
    kFigureAtVerbs.must("RDMAP-4.1-40", "RDMAP and DDP report to each other the length of every message.",
                        "between two layers of one implementation; byte_len of a receive shows what came of it");

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

constexpr Breach kBreaches[] = {
    {Deviation::invalidate_stag_lost, kInvalidateStag, {.given = "verbs pair"}},
    {Deviation::rdmap_version_zero, kVersion},
    {Deviation::rdmap_version_two, kVersion},
    {Deviation::rdmap_reserved_set, kReservedIsZero},
    {Deviation::opcode_extension_unasked, kOpcodeIsAssigned, {.severity = Severity::warning}},
    {Deviation::opcode_reserved, kOpcodeIsAssigned},
    {Deviation::write_untagged, kTaggedFlag[0], {.given = "verbs"}},
    {Deviation::write_untagged, kTaggedFlag[0], {.who = wirelaw::Role::initiator}},
    {Deviation::read_request_on_send_queue, kReadRequestQueueIsOne, {.given = "verbs"}},
    {Deviation::read_request_on_send_queue, kReadRequestQueueIsOne, {.who = wirelaw::Role::initiator}},
    {Deviation::queue_number_three, kSendQueueIsZero},
    {Deviation::send_on_read_queue, kSendQueueIsZero},
    {Deviation::terminate_on_send_queue, kTerminateQueueIsTwo},
    {Deviation::invalidate_stag_not_zero, kSendInvalidatesNothing},
    {Deviation::receive_length_wrong, kLength, {.given = "verbs pair"}},
};

}  // namespace

SectionRules control_field_rules() {
  static constexpr const Rule* kRules[] = {&kCarriesControl,
                                           &kBitOrder,
                                           &kInvalidateStag,
                                           &kVersion,
                                           &kReservedIsZero,
                                           &kOpcodeIsAssigned,
                                           &kStagAndTo,
                                           &kLength,
                                           &kTaggedFlag[0],
                                           &kTaggedFlag[1],
                                           &kReadRequestQueueIsOne,
                                           &kReadRequestInvalidatesNothing,
                                           &kTaggedFlag[2],
                                           &kTaggedFlag[3],
                                           &kSendQueueIsZero,
                                           &kSendInvalidatesNothing,
                                           &kTaggedFlag[4],
                                           &kSendInvalidateQueueIsZero,
                                           &kTaggedFlag[5],
                                           &kSendSeQueueIsZero,
                                           &kSendSeInvalidatesNothing,
                                           &kTaggedFlag[6],
                                           &kSendSeInvalidateQueueIsZero,
                                           &kTaggedFlag[7],
                                           &kTerminateQueueIsTwo,
                                           &kTerminateInvalidatesNothing};
  return {kRules, kBreaches};
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
