// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, section 4: conforming ones, and one that breaks each rule.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

void write(UmspTraceBuilder& builder) {
  builder.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
}

// A request from side a, and the response from side b.
void written(UmspTraceBuilder& builder, Opcode response, const UmspTraceBuilder::Edit& edit = {},
             OctetBuffer operands = {}) {
  builder.open_session();
  write(builder);
  builder.respond(Side::b, response, std::move(operands), UmspTraceBuilder::kReqId, edit);
}

// -------------------------------------------------------------------------------------------------------- chains
constexpr std::uint16_t kChain = 5;

void begin_sequence(UmspTraceBuilder& builder) {
  builder.chained(Side::a, Opcode::nop, {kChain, 0}, {}, {{.code = HeadCode::begin_sq}});
}

// The first two of three fragments of a WRITE of 28 octets, without its SESSION_ID (7.3).
OctetBuffer fragment(unsigned number) {
  const OctetBuffer whole = UmspOctets()
                                .u8(static_cast<std::uint8_t>(Opcode::write_4))
                                .u8(0x66)  // PCK 11, OPR_LENGTH 6
                                .u32(16)
                                .u64(1)
                                .u64(2)
                                .u32(3);
  const std::size_t at = number * 8;
  const std::size_t length = std::min<std::size_t>(8, whole.size() - at);
  return {whole.begin() + static_cast<std::ptrdiff_t>(at), whole.begin() + static_cast<std::ptrdiff_t>(at + length)};
}
void send_fragment(UmspTraceBuilder& builder, std::uint16_t number, bool last = false) {
  std::vector<UmspExtension> extensions;
  if (number == 0) extensions.push_back({.code = HeadCode::begin_frg});
  if (last) extensions.push_back({.code = HeadCode::end_chain});
  builder.chained(Side::a, Opcode::nop, {kChain, number}, fragment(number), std::move(extensions));
}
void cancel(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {},
            OctetBuffer operands = UmspOctets().u16(1).u16(0)) {
  builder.chained(Side::a, Opcode::snd_cancel, {kChain, 0}, std::move(operands), {}, edit);
}
// Fragments that are cancelled before the last one.
void cancelled(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {},
               OctetBuffer operands = UmspOctets().u16(1).u16(0)) {
  builder.open_session();
  send_fragment(builder, 0);
  send_fragment(builder, 1);
  cancel(builder, edit, std::move(operands));
}

constexpr UmspSample kSamples[] = {
    {{},
     "Positive and negative responses of the VM and of the protocol layer.",
     [](UmspTraceBuilder& builder) {
       written(builder, Opcode::rsp);
       write(builder);
       builder.respond(Side::b, Opcode::rsp, UmspOctets().u16(1).u16(2));
       builder.request(Side::a, Opcode::req_buf, UmspOctets().u32(4096));
       builder.respond(Side::b, Opcode::rsp_p);
       write(builder);
       builder.respond(Side::b, Opcode::rsp, {}, UmspTraceBuilder::kReqId,
                       [](Instruction& rsp) { rsp.header.pck = Pck::same_session; });
     },
     "umsp-responses"},
    {{},
     "Requests of no session, with PCK 00 and with SESSION_ID 0, are answered alike.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       for (const Pck pck : {Pck::no_session, Pck::own_session})
         for (const Side side : {Side::a, Side::b})
           builder.send(side,
                        {.opcode = static_cast<std::uint8_t>(side == Side::a ? Opcode::write_4 : Opcode::rsp),
                         .ask = true,
                         .pck = pck,
                         .req_id = UmspTraceBuilder::kReqId},
                        side == Side::a ? UmspOctets().u32(16).u32(7) : UmspOctets());
     },
     "umsp-responses-of-no-session"},
    {"UMSP-4.1-1", "RSP_P in answer to a WRITE.", [](UmspTraceBuilder& builder) { written(builder, Opcode::rsp_p); }},
    {"UMSP-4.1-2", "RSP in answer to REQ_BUF.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_buf, UmspOctets().u32(4096));
       builder.respond(Side::b);
     }},
    {"UMSP-4.1-3", "RSP with ASK 0.",
     [](UmspTraceBuilder& builder) {
       written(builder, Opcode::rsp, [](Instruction& rsp) { rsp.header.ask = false; });
     }},
    {"UMSP-4.1-4", "RSP with PCK 10.",
     [](UmspTraceBuilder& builder) {
       written(builder, Opcode::rsp, [](Instruction& rsp) { rsp.header.pck = Pck::same_chain; });
     }},
    {"UMSP-4.1-4", "RSP with PCK 00 to a request that had none.",
     [](UmspTraceBuilder& builder) {
       written(builder, Opcode::rsp, [](Instruction& rsp) { rsp.header.pck = Pck::no_session; });
     },
     "pck-00", Severity::warning},
    {"UMSP-4.1-6", "RSP in a chain.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder);
       builder.chained(Side::b, Opcode::rsp, {kChain, 0}, {},
                       {{.code = HeadCode::begin_sq}, {.code = HeadCode::end_chain}}, [](Instruction& rsp) {
                         rsp.header.ask = true;
                         rsp.header.req_id = UmspTraceBuilder::kReqId;
                       });
     }},
    {"UMSP-4.1-7", "RSP with two words of operands.",
     [](UmspTraceBuilder& builder) { written(builder, Opcode::rsp, {}, UmspOctets().u64(0)); }},
    {"UMSP-4.1-8",
     "RSP with the SESSION_ID of the request.",
     [](UmspTraceBuilder& builder) {
       written(builder, Opcode::rsp, [](Instruction& rsp) { rsp.header.session_id = UmspTraceBuilder::kSessionOfB; });
     },
     {},
     Severity::warning},
    {"UMSP-4.1-9",
     "RSP with a REQ_ID that no request has.",
     [](UmspTraceBuilder& builder) { written(builder, Opcode::rsp, [](Instruction& rsp) { ++rsp.header.req_id; }); },
     {},
     Severity::warning},

    {{},
     "Fragments are cancelled before all were sent, and a chain of the same number begins anew.",
     [](UmspTraceBuilder& builder) {
       cancelled(builder);
       send_fragment(builder, 0);
       send_fragment(builder, 1);
       cancel(builder, [](Instruction& one) { one.header.pck = Pck::same_chain; });
     },
     "umsp-cancelled"},
    {"UMSP-4.2-1", "SND_CANCEL with ASK 1.",
     [](UmspTraceBuilder& builder) { cancelled(builder, [](Instruction& one) { one.header.ask = true; }); }},
    {"UMSP-4.2-2", "SND_CANCEL with PCK 00.",
     [](UmspTraceBuilder& builder) { cancelled(builder, [](Instruction& one) { one.header.pck = Pck::no_session; }); }},
    {"UMSP-4.2-4", "SND_CANCEL with CHN 0.",
     [](UmspTraceBuilder& builder) { cancelled(builder, [](Instruction& one) { one.header.chn = false; }); }},
    {"UMSP-4.2-5", "SND_CANCEL with two words of operands.",
     [](UmspTraceBuilder& builder) { cancelled(builder, {}, UmspOctets().u64(0)); }},
    {"UMSP-4.2-7",
     "SND_CANCEL of a chain that was not sent.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       cancel(builder);
     },
     {},
     Severity::warning},
    {"UMSP-4.2-8", "SND_CANCEL with the INSTR_NUMBER that is due.",
     [](UmspTraceBuilder& builder) { cancelled(builder, [](Instruction& one) { one.header.instr_number = 2; }); }},
    {"UMSP-4.2-11", "SND_CANCEL of a sequence.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       begin_sequence(builder);
       cancel(builder);
     }},
    {"UMSP-4.2-12", "SND_CANCEL of fragments that are complete.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       for (std::uint16_t number = 0; number < 4; ++number) send_fragment(builder, number, number == 3);
       cancel(builder);
     }},
    {"UMSP-4.2-14", "A fragment behind SND_CANCEL.",
     [](UmspTraceBuilder& builder) {
       cancelled(builder);
       send_fragment(builder, 2);
     }},
};

}  // namespace

std::span<const UmspSample> umsp_response_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
