// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, section 7.3.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;

UmspExtension begin_frg(OctetBuffer data = {}) {
  return {.code = HeadCode::begin_frg, .data = std::move(data)};
}
UmspExtension end_chain() {
  return {.code = HeadCode::end_chain};
}

// The header of a WRITE of three words in the session, without SESSION_ID and REQ_ID.
constexpr std::uint16_t kWrite = 0x8663, kWriteAsked = 0x86e3;
// A WRITE of two octets of header and twelve of operands, and two of padding: 16 octets, in two fragments.
OctetBuffer first_half(std::uint16_t header = kWrite) {
  return UmspOctets().u16(header).u32(0x2000).u16(0);
}
OctetBuffer second_half(std::uint16_t padding = 0) {
  return UmspOctets().u16(1).u32(2).u16(padding);
}

void fragment(UmspTraceBuilder& builder, std::uint16_t number, OctetBuffer octets,
              std::vector<UmspExtension> extensions, const UmspTraceBuilder::Edit& edit = {}) {
  builder.chained(Side::b, Opcode::nop, {1, number}, std::move(octets), std::move(extensions), edit);
}
void begin(UmspTraceBuilder& builder, OctetBuffer octets = first_half(), UmspExtension header = begin_frg(),
           const UmspTraceBuilder::Edit& edit = {}) {
  builder.open_session();
  fragment(builder, 0, std::move(octets), {std::move(header)}, edit);
}
void two(UmspTraceBuilder& builder, OctetBuffer first, OctetBuffer second) {
  begin(builder, std::move(first));
  fragment(builder, 1, std::move(second), {end_chain()});
}

// A WRITE of chain 7 in one fragment, with this extension header or without one.
OctetBuffer begin_sq_head() {
  return UmspOctets().u16(0x00c3);
}
OctetBuffer begin_tr_head() {
  return UmspOctets().u16(0x01c4).u16(0x4000);
}
OctetBuffer end_chain_head() {
  return UmspOctets().u16(0x00c6);
}
void subordinate(UmspTraceBuilder& builder, const OctetBuffer& extension, std::uint16_t number) {
  constexpr std::uint16_t kChained = 0x8672, kExtended = kChained | 0x08;
  UmspOctets write;
  write.u16(extension.empty() ? kChained : kExtended).u16(7).u16(number).octets(extension).u32(0x2000).u32(1);
  if (extension.size() != 2) write.u16(0);  // padding
  fragment(builder, 0, write, {begin_frg(UmspOctets().u16(7).u16(number)), end_chain()});
}

void set_ask(Instruction& instruction) {
  instruction.header.ask = true;
  instruction.header.req_id = UmspTraceBuilder::kReqId;
}

constexpr UmspSample kSamples[] = {
    {"", "Two fragments of a WRITE.", [](UmspTraceBuilder& builder) { two(builder, first_half(), second_half()); },
     "umsp-fragments"},
    {"", "Two fragments of a WRITE that asks for an answer.",
     [](UmspTraceBuilder& builder) {
       begin(builder, first_half(kWriteAsked), begin_frg(), set_ask);
       fragment(builder, 1, second_half(), {end_chain()});
       builder.respond(Side::a);
     },
     "umsp-fragments-asked"},
    {"", "The second instruction of a sequence is fragmented.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}});
       // The header is followed by the numbers of the parental chain.
       fragment(builder, 0, UmspOctets().u16(0x8672).u16(7).u16(1).u32(0x2000).u32(1).u16(0),
                {begin_frg(UmspOctets().u16(7).u16(1)), end_chain()});
       builder.chained(Side::b, Opcode::nop, {7, 2}, {}, {end_chain()});
     },
     "umsp-fragments-subordinate"},
    {"", "The first instruction of a sequence is fragmented, and the last one of the next.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       subordinate(builder, begin_sq_head(), 0);
       builder.chained(Side::b, Opcode::nop, {7, 1}, {}, {end_chain()});
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}});
       subordinate(builder, end_chain_head(), 1);
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}});
       builder.chained(Side::b, Opcode::nop, {7, 1}, {}, {end_chain()});
     },
     "umsp-fragments-at-the-ends-of-a-sequence"},
    {"", "All instructions of a sequence are fragmented, which takes the number of one that has ended.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}, {HeadCode::end_chain}});
       subordinate(builder, begin_sq_head(), 0);
       subordinate(builder, {}, 1);
       subordinate(builder, end_chain_head(), 2);
     },
     "umsp-fragments-of-a-whole-sequence"},
    {"", "The last instruction of a transaction is fragmented, and EXEC_TR follows.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::b, Opcode::req_buf, UmspOctets().u32(80));
       builder.respond(Side::a, Opcode::rsp_p);
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_tr, UmspOctets().u8(0).u8(0)}});
       subordinate(builder, end_chain_head(), 1);
       builder.chained(Side::b, Opcode::exec_tr, {7, 0}, {}, {}, set_ask);
       builder.respond(Side::a);
     },
     "umsp-fragments-at-the-end-of-a-transaction"},
    {"", "The first instruction of a transaction is fragmented, and SND_CANCEL cancels it.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       subordinate(builder, begin_tr_head(), 0);
       builder.chained(Side::b, Opcode::snd_cancel, {7, 0}, UmspOctets().u16(1).u16(0));
     },
     "umsp-fragments-of-a-cancelled-transaction"},

    {"UMSP-7.3-4", "The second fragment is in a WRITE.",
     [](UmspTraceBuilder& builder) {
       begin(builder);
       builder.chained(Side::b, Opcode::write_4, {1, 1}, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-5", "_BEGIN_FRG is in an instruction with CHN 0.",
     [](UmspTraceBuilder& builder) {
       begin(builder, {}, begin_frg(), [](Instruction& nop) { nop.header.chn = false; });
     }},
    {"UMSP-7.3-7", "The first fragment has no REQ_ID, and the fragmented instruction asks for an answer.",
     [](UmspTraceBuilder& builder) { two(builder, first_half(kWriteAsked), second_half()); }},
    {"UMSP-7.3-8", "The first fragment has a REQ_ID, and the fragmented instruction asks for no answer.",
     [](UmspTraceBuilder& builder) {
       begin(builder, first_half(), begin_frg(), set_ask);
       fragment(builder, 1, second_half(), {end_chain()});
       builder.respond(Side::a);
     },
     "", Severity::warning},
    {"UMSP-7.3-10", "SESSION_ID is left in the fragmented instruction.",
     [](UmspTraceBuilder& builder) {
       two(builder, UmspOctets().u16(kWrite).u32(UmspTraceBuilder::kSessionOfA).u32(0x2000).u16(0), second_half());
     }},
    {"UMSP-7.3-12", "The second half of the fragmented instruction is missing.",
     [](UmspTraceBuilder& builder) { two(builder, first_half(), UmspOctets().u32(0)); }},
    {"UMSP-7.3-13", "Two words follow the fragmented instruction.",
     [](UmspTraceBuilder& builder) {
       two(builder, first_half(), UmspOctets().octets(OctetBuffer(second_half())).u32(0).u32(0));
     }},
    {"UMSP-7.3-13", "The padding behind the fragmented instruction is not zero.",
     [](UmspTraceBuilder& builder) { two(builder, first_half(), second_half(1)); }, "padding"},
    {"UMSP-7.3-15", "_BEGIN_FRG is in a WRITE.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::b, Opcode::write_4, {1, 0}, UmspOctets().u32(0x2000).u32(1), {begin_frg(), end_chain()});
     }},
    {"UMSP-7.3-17", "_BEGIN_FRG has three words of data.",
     [](UmspTraceBuilder& builder) {
       begin(builder, first_half(), begin_frg(UmspOctets().u16(7).u16(1).u16(1)));
       fragment(builder, 1, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-18", "_BEGIN_FRG has HOB 0.",
     [](UmspTraceBuilder& builder) {
       begin(builder, first_half(), {.code = HeadCode::begin_frg, .data = {}, .hob = false});
       fragment(builder, 1, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-19", "The parental chain has number 0.",
     [](UmspTraceBuilder& builder) { begin(builder, first_half(), begin_frg(UmspOctets().u16(0).u16(1))); }},
    {"UMSP-7.3-19", "The parental chain of a fragmented instruction is nowhere.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       subordinate(builder, {}, 1);
     },
     "unknown", Severity::warning},
    {"UMSP-7.3-19", "The parental chain of a fragmented instruction has ended.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}, {HeadCode::end_chain}});
       subordinate(builder, {}, 1);
     },
     "ended", Severity::warning},
    {"UMSP-7.3-20", "The parental chain of a fragmented instruction has had another one with its number.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}});
       builder.chained(Side::b, Opcode::nop, {7, 1}, {});
       subordinate(builder, {}, 1);
     },
     "again"},
    {"UMSP-7.3-20", "The number in the parental chain is 65535.",
     [](UmspTraceBuilder& builder) { begin(builder, first_half(), begin_frg(UmspOctets().u16(7).u16(0xffff))); }},
    {"UMSP-7.3-21", "_END_CHAIN comes behind the last fragment.",
     [](UmspTraceBuilder& builder) {
       begin(builder);
       fragment(builder, 1, second_half(), {});
       fragment(builder, 2, {}, {end_chain()});
     }},
};

}  // namespace

std::span<const UmspSample> umsp_fragment_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
