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

void check_version(Judge& judge, const SegmentFacts& segment) {
  const std::uint8_t version = segment.control.version;
  const TermsFact& terms = *segment.terms;
  judge.require(rule<"RDMAP-4.1-4">, version == 1 || (version == 0 && terms.may_be_consortium), field::kRdmapControl,
                expected("01b"), actual([&] { return fmt::format("{:02b}b", version); }), [&] {
                  if (version != 0) return std::string("no version has this number");
                  return fmt::format("as the RDMA Consortium's protocol has it, but MPA revision {} was agreed",
                                     terms.mpa_revision);
                });
}

void check_opcode(Judge& judge, const SegmentFacts& segment) {
  constexpr std::uint8_t kExperiments = 15;  // RFC 6580, 3.1
  const auto assigned = expected("an opcode from 0 to 7");
  const auto opcode = actual([&] { return fmt::format("{:04b}b", segment.control.opcode); });
  if (segment.row && segment.row->extension)
    judge.advise(rule<"RDMAP-4.1-7">, false, field::kRdmapControl, assigned, opcode,
                 "RFC 7306 has assigned it; its extensions are not declared (--feature rfc7306)");
  else if (segment.control.opcode == kExperiments)
    judge.advise(rule<"RDMAP-4.1-7">, false, field::kRdmapControl, assigned, opcode,
                 "kept for experiments by RFC 6580");
  else
    judge.require(rule<"RDMAP-4.1-7">, segment.row != nullptr, field::kRdmapControl, assigned, opcode, "reserved");
}

}  // namespace

void check_control_field(Judge& judge, const SegmentFacts& segment) {
  check_version(judge, segment);
  judge.require(rule<"RDMAP-4.1-5">, segment.control.reserved == 0, field::kRdmapControl, expected(0),
                actual(segment.control.reserved), "bits 2 and 3 of the octet");
  const bool is_extension = segment.row && segment.row->extension;
  if (is_extension && segment.terms->has_extensions) return;
  check_opcode(judge, segment);
  if (!segment.row || is_extension) return;
  const ddp::Header& header = segment.header;
  const Row& row = kFigure4[segment.control.opcode];
  if (!judge.require(*row.tagged, segment.carriage != Carriage::wrong_model, field::kDdpControl,
                     expected(segment.row->tagged), actual(header.tagged), "the T flag"))
    return;
  if (row.queue)
    judge.require(*row.queue, segment.carriage == Carriage::right, field::kQn, expected(segment.row->queue),
                  actual(header.qn));
  if (row.invalidate)
    judge.require(*row.invalidate, header.rsvd_ulp_rest == 0, field::kInvalidateStag, expected(hex(0u)),
                  actual(hex(header.rsvd_ulp_rest)));
}

}  // namespace wirelaw::rdmap
