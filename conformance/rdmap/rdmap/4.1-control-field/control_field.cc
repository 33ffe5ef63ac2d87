// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: the RDMAP control field and the Invalidate STag, and figure 4 row by row. The later segments
// of a message repeat its first one's field (DDP-4.2-4, DDP-4.3-4), so the first one is judged.
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

struct Row {
  const Rule* tagged;
  const Rule* queue;       // nullptr: it has none
  const Rule* invalidate;  // the field is zero; nullptr: it is not there, or valid
};
constexpr Row kFigure4[] = {
    {&rule<"RDMAP-4.1-10">, nullptr, nullptr},
    {&rule<"RDMAP-4.1-11">, &rule<"RDMAP-4.1-21">, &rule<"RDMAP-4.1-31">},
    {&rule<"RDMAP-4.1-12">, nullptr, nullptr},
    {&rule<"RDMAP-4.1-13">, &rule<"RDMAP-4.1-23">, &rule<"RDMAP-4.1-33">},
    {&rule<"RDMAP-4.1-14">, &rule<"RDMAP-4.1-24">, nullptr},
    {&rule<"RDMAP-4.1-15">, &rule<"RDMAP-4.1-25">, &rule<"RDMAP-4.1-35">},
    {&rule<"RDMAP-4.1-16">, &rule<"RDMAP-4.1-26">, nullptr},
    {&rule<"RDMAP-4.1-17">, &rule<"RDMAP-4.1-27">, &rule<"RDMAP-4.1-37">},
};

void judge_version(Judge& judge, Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  const std::uint8_t version = seen.control.version;
  const bool consortium_may_be = agreed.is_assumed() || agreed.revision == 0;
  if (version != 1) seen.blame(error::kInvalidVersion);
  judge.require(rule<"RDMAP-4.1-4">, version == 1 || (version == 0 && consortium_may_be), field::kRdmapControl,
                expected("01b"), actual([&] { return fmt::format("{:02b}b", version); }), [&] {
                  if (version != 0) return std::string("no version has this number");
                  return fmt::format("as the RDMA Consortium's protocol has it, but MPA revision {} was agreed",
                                     agreed.revision);
                });
}

// Returns false if the opcode allows no further judgement here.
bool judge_opcode(Judge& judge, Seen& seen) {
  constexpr std::uint8_t kExperiments = 15;  // RFC 6580, 3.1
  const bool extension = seen.row && seen.row->extension;
  if (extension && seen.connection.extensions) return false;
  const auto assigned = expected("an opcode from 0 to 7");
  const auto opcode = actual([&] { return fmt::format("{:04b}b", seen.control.opcode); });
  if (!seen.row || extension) seen.blame(error::kUnexpectedOpcode);
  if (extension)
    judge.advise(rule<"RDMAP-4.1-7">, false, field::kRdmapControl, assigned, opcode,
                 "RFC 7306 has assigned it; its extensions are not declared (--feature rfc7306)");
  else if (seen.control.opcode == kExperiments)
    judge.advise(rule<"RDMAP-4.1-7">, false, field::kRdmapControl, assigned, opcode,
                 "kept for experiments by RFC 6580");
  else
    judge.require(rule<"RDMAP-4.1-7">, seen.row != nullptr, field::kRdmapControl, assigned, opcode, "reserved");
  return seen.row && !extension;
}

}  // namespace

bool is_as_its_opcode_demands(const Seen& seen) {
  const OpcodeRow* const row = seen.row;
  return row && row->tagged == seen.header.tagged && (row->tagged || row->queue == seen.header.qn);
}

void judge_control_field(Judge& judge, Seen& seen) {
  if (!seen.first_segment) return;
  judge_version(judge, seen);
  judge.require(rule<"RDMAP-4.1-5">, seen.control.reserved == 0, field::kRdmapControl, expected(0),
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
