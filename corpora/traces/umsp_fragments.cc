// SPDX-License-Identifier: Apache-2.0
// What breaks RFC 3018, section 7.3.
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

void fragment(UmspScript& script, std::uint16_t number, OctetBuffer octets, std::vector<UmspExtension> extensions,
              const UmspScript::Edit& edit = {}) {
  script.chained(Side::b, Opcode::nop, {1, number}, std::move(octets), std::move(extensions), edit);
}
void begin(UmspScript& script, OctetBuffer octets = first_half(), UmspExtension header = begin_frg(),
           const UmspScript::Edit& edit = {}) {
  script.open_session();
  fragment(script, 0, std::move(octets), {std::move(header)}, edit);
}
void two(UmspScript& script, OctetBuffer first, OctetBuffer second) {
  begin(script, std::move(first));
  fragment(script, 1, std::move(second), {end_chain()});
}

void set_ask(Instruction& instruction) {
  instruction.header.ask = true;
  instruction.header.req_id = UmspScript::kReqId;
}

constexpr UmspSample kSamples[] = {
    {"", "Two fragments of a WRITE.", [](UmspScript& script) { two(script, first_half(), second_half()); },
     "umsp-fragments"},
    {"", "Two fragments of a WRITE that asks for an answer.",
     [](UmspScript& script) {
       begin(script, first_half(kWriteAsked), begin_frg(), set_ask);
       fragment(script, 1, second_half(), {end_chain()});
       script.respond(Side::a);
     },
     "umsp-fragments-asked"},
    {"", "The second instruction of a sequence is fragmented.",
     [](UmspScript& script) {
       script.open_session();
       script.chained(Side::b, Opcode::nop, {7, 0}, {}, {{HeadCode::begin_sq}});
       // With the numbers of the parental chain behind its header.
       fragment(script, 0, UmspOctets().u16(0x8672).u16(7).u16(1).u32(0x2000).u32(1).u16(0),
                {begin_frg(UmspOctets().u16(7).u16(1)), end_chain()});
       script.chained(Side::b, Opcode::nop, {7, 2}, {}, {end_chain()});
     },
     "umsp-fragments-subordinate"},

    {"UMSP-7.3-4", "The second fragment is in a WRITE.",
     [](UmspScript& script) {
       begin(script);
       script.chained(Side::b, Opcode::write_4, {1, 1}, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-5", "_BEGIN_FRG is in an instruction with CHN 0.",
     [](UmspScript& script) { begin(script, {}, begin_frg(), [](Instruction& nop) { nop.header.chn = false; }); }},
    {"UMSP-7.3-7", "The first fragment has no REQ_ID, and the fragmented instruction asks for an answer.",
     [](UmspScript& script) { two(script, first_half(kWriteAsked), second_half()); }},
    {"UMSP-7.3-8", "The first fragment has a REQ_ID, and the fragmented instruction asks for no answer.",
     [](UmspScript& script) {
       begin(script, first_half(), begin_frg(), set_ask);
       fragment(script, 1, second_half(), {end_chain()});
       script.respond(Side::a);
     },
     "", Severity::warning},
    {"UMSP-7.3-10", "SESSION_ID is left in the fragmented instruction.",
     [](UmspScript& script) {
       two(script, UmspOctets().u16(kWrite).u32(UmspScript::kSessionOfA).u32(0x2000).u16(0), second_half());
     }},
    {"UMSP-7.3-12", "The second half of the fragmented instruction is missing.",
     [](UmspScript& script) { two(script, first_half(), UmspOctets().u32(0)); }},
    {"UMSP-7.3-13", "Two words follow the fragmented instruction.",
     [](UmspScript& script) {
       two(script, first_half(), UmspOctets().octets(OctetBuffer(second_half())).u32(0).u32(0));
     }},
    {"UMSP-7.3-13", "The padding behind the fragmented instruction is not zero.",
     [](UmspScript& script) { two(script, first_half(), second_half(1)); }, "padding"},
    {"UMSP-7.3-15", "_BEGIN_FRG is in a WRITE.",
     [](UmspScript& script) {
       script.open_session();
       script.chained(Side::b, Opcode::write_4, {1, 0}, UmspOctets().u32(0x2000).u32(1), {begin_frg(), end_chain()});
     }},
    {"UMSP-7.3-17", "_BEGIN_FRG has three words of data.",
     [](UmspScript& script) {
       begin(script, first_half(), begin_frg(UmspOctets().u16(7).u16(1).u16(1)));
       fragment(script, 1, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-18", "_BEGIN_FRG has HOB 0.",
     [](UmspScript& script) {
       begin(script, first_half(), {.code = HeadCode::begin_frg, .data = {}, .hob = false});
       fragment(script, 1, second_half(), {end_chain()});
     }},
    {"UMSP-7.3-19", "The parental chain has number 0.",
     [](UmspScript& script) { begin(script, first_half(), begin_frg(UmspOctets().u16(0).u16(1))); }},
    {"UMSP-7.3-20", "The number in the parental chain is 65535.",
     [](UmspScript& script) { begin(script, first_half(), begin_frg(UmspOctets().u16(7).u16(0xffff))); }},
    {"UMSP-7.3-21", "_END_CHAIN comes behind the last fragment.",
     [](UmspScript& script) {
       begin(script);
       fragment(script, 1, second_half(), {});
       fragment(script, 2, {}, {end_chain()});
     }},
};

}  // namespace

std::span<const UmspSample> umsp_fragment_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
