// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, section 7.4.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr std::size_t kLong = 4200;  // in octets, more than a's window

void ask_buffer(UmspTraceBuilder& builder, std::uint32_t octets, const UmspTraceBuilder::Edit& edit = {}) {
  builder.request(Side::b, Opcode::req_buf, UmspOctets().u32(octets), {}, UmspTraceBuilder::kReqId, edit);
}
void grant(UmspTraceBuilder& builder, std::uint32_t octets) {
  builder.open_session();
  ask_buffer(builder, octets);
  builder.respond(Side::a, Opcode::rsp_p);
}
// Octets of headers in a transaction of one instruction: 10 for the instruction, 6 for its extension headers.
constexpr std::size_t kHeads = 16;
void transaction(UmspTraceBuilder& builder, std::size_t octets, std::uint8_t flags = 0x40) {
  builder.chained(Side::b, Opcode::nop, {1, 0}, OctetBuffer(octets),
                  {{HeadCode::begin_tr, UmspOctets().u8(flags).u8(0)}, {HeadCode::end_chain}});
}

constexpr std::uint16_t kChains[] = {1, 2}, kNumbers[] = {0, 1};
// One instruction of a transaction of two, each longer than 2000 octets.
void half_transaction(UmspTraceBuilder& builder, std::uint16_t chain, std::uint16_t number) {
  const UmspExtension begin{HeadCode::begin_tr, UmspOctets().u8(0x40).u8(0)}, end{HeadCode::end_chain};
  builder.chained(Side::b, Opcode::nop, {chain, number}, OctetBuffer(2000), {number == 0 ? begin : end});
}

template <void (*kEdit)(Instruction&)>
void ask_with(UmspTraceBuilder& builder) {
  builder.open_session();
  ask_buffer(builder, 64, kEdit);
}

constexpr UmspSample kSamples[] = {
    {"", "A transaction that fits the window is sent without REQ_BUF.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       transaction(builder, 16);
     },
     "umsp-window"},
    {"", "Chains are sent to buffers that were granted.",
     [](UmspTraceBuilder& builder) {
       grant(builder, kHeads + 16);
       transaction(builder, 16, 0);
     },
     "umsp-buffer"},

    {"", "Two transactions are sent one after the other, together longer than the window.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       for (const std::uint16_t chain : kChains) {
         half_transaction(builder, chain, 0);
         half_transaction(builder, chain, 1);
       }
     },
     "umsp-window-in-turn"},

    {"UMSP-7.4-10", "Two transactions are open at once, together longer than the window.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       for (const std::uint16_t number : kNumbers)
         for (const std::uint16_t chain : kChains) half_transaction(builder, chain, number);
     },
     "", Severity::warning},
    {"UMSP-7.4-12", "A transaction is longer than the window, and no buffer was granted.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       transaction(builder, kLong);
     },
     "", Severity::warning},
    {"UMSP-7.4-12", "A transaction is longer than the window, and the buffer was refused.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       ask_buffer(builder, kLong + 18);
       builder.respond(Side::a, Opcode::rsp_p, UmspOctets().u16(1).u16(0));
       transaction(builder, kLong);
     },
     "refused", Severity::warning},
    {"UMSP-7.4-14", "A REQ_BUF has ASK 0.", ask_with<[](Instruction& one) { one.header.ask = false; }>},
    {"UMSP-7.4-15", "A REQ_BUF has PCK 00.", ask_with<[](Instruction& one) { one.header.pck = Pck::no_session; }>},
    {"UMSP-7.4-16", "A REQ_BUF has CHN 1.", ask_with<[](Instruction& one) {
       one.header.chn = true;
       one.header.chain_number = 1;
     }>},
    {"UMSP-7.4-18", "A REQ_BUF has two words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::b, Opcode::req_buf, UmspOctets().u32(64).u32(0));
     }},
    {"UMSP-7.4-20", "A chain is shorter than its REQ_BUF has it.",
     [](UmspTraceBuilder& builder) {
       grant(builder, 64);
       transaction(builder, 16);
     },
     "", Severity::warning},
    {"UMSP-7.4-31", "A transaction that waits for EXEC_TR is sent without a REQ_BUF.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       transaction(builder, 16, 0);
     },
     "", Severity::warning},
};

}  // namespace

std::span<const UmspSample> umsp_buffer_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
