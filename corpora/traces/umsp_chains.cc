// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, sections 7 to 7.2, 7.5 and 7.6.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr std::uint8_t kTrr = 0x40;

UmspExtension begin_sq() {
  return {.code = HeadCode::begin_sq};
}
UmspExtension begin_tr(std::uint8_t flags = kTrr) {
  return {.code = HeadCode::begin_tr, .data = UmspOctets().u8(flags).u8(0)};
}
UmspExtension end_chain() {
  return {.code = HeadCode::end_chain};
}
UmspExtension set_base(std::size_t octets = 4) {
  return {.code = HeadCode::set_mbase, .data = OctetBuffer(octets)};
}

void write(UmspTraceBuilder& builder, umsp::ChainPlace place, std::vector<UmspExtension> extensions = {},
           const UmspTraceBuilder::Edit& edit = {}) {
  builder.chained(Side::a, Opcode::write_4, place, UmspOctets().u32(0x2000).u32(1), std::move(extensions), edit);
}
// Sends a chain of one instruction.
void one(UmspTraceBuilder& builder, UmspExtension begin, const UmspTraceBuilder::Edit& edit = {}) {
  builder.open_session();
  write(builder, {1, 0}, {std::move(begin), end_chain()}, edit);
}
// Sends a chain of two instructions; the second has extension headers of its own.
void two(UmspTraceBuilder& builder, UmspExtension begin, std::vector<UmspExtension> extensions = {end_chain()},
         const UmspTraceBuilder::Edit& edit = {}) {
  builder.open_session();
  write(builder, {1, 0}, {std::move(begin)});
  write(builder, {1, 1}, std::move(extensions), edit);
}

// Requests a buffer for the chain of later().
void ask_buffer(UmspTraceBuilder& builder) {
  builder.request(Side::a, Opcode::req_buf, UmspOctets().u32(22 + 20));
  builder.respond(Side::b, Opcode::rsp_p);
}
// Sends a transaction that waits for EXEC_TR.
void later(UmspTraceBuilder& builder) {
  write(builder, {1, 0}, {begin_tr(0)});
  write(builder, {1, 1}, {end_chain()});
}
void execute(UmspTraceBuilder& builder, umsp::ChainPlace place = {1, 0}, const UmspTraceBuilder::Edit& edit = {}) {
  builder.chained(Side::a, Opcode::exec_tr, place, {}, {}, [&](Instruction& exec) {
    exec.header.ask = true;
    exec.header.req_id = UmspTraceBuilder::kReqId;
    if (edit) edit(exec);
  });
}
void cancel(UmspTraceBuilder& builder, umsp::ChainPlace place = {1, 0}, const UmspTraceBuilder::Edit& edit = {}) {
  builder.chained(Side::a, Opcode::cancel_tr, place, {}, {}, edit);
}
void sent_later(UmspTraceBuilder& builder) {
  builder.open_session();
  ask_buffer(builder);
  later(builder);
}

void clear_hob(Instruction& instruction) {
  for (umsp::ExtensionHeader& header : instruction.extensions) header.hob = false;
}
void leave_chain(Instruction& instruction) {
  instruction.header.chn = false;
}
void same_chain(Instruction& instruction) {
  instruction.header.pck = Pck::same_chain;
}
void set_ask(Instruction& instruction) {
  instruction.header.ask = true;
  instruction.header.req_id = UmspTraceBuilder::kReqId;
}
void clear_ask(Instruction& instruction) {
  instruction.header.ask = false;
}
// Clears HOB in the first extension header only.
void clear_first_hob(Instruction& instruction) {
  instruction.extensions.front().hob = false;
}

// An address of 2 octets, in a chain with number 2, for b, whose own addresses have 4.
void displacement(UmspTraceBuilder& builder, std::uint16_t number, std::vector<UmspExtension> extensions) {
  builder.chained(Side::a, Opcode::write_2, {2, number}, UmspOctets().u16(16).u16(7), std::move(extensions));
}
// Side b reveals the length of its addresses by a GJID.
void show_addresses(UmspTraceBuilder& builder) {
  builder.open_session();
  builder.control_req();
  builder.control_confirm();
}

constexpr UmspSample kSamples[] = {
    {"", "Addresses of 2 octets are displacements, in a sequence behind its base, in a transaction before it.",
     [](UmspTraceBuilder& builder) {
       show_addresses(builder);
       displacement(builder, 0, {begin_sq(), set_base()});
       displacement(builder, 1, {end_chain()});
       displacement(builder, 0, {begin_tr()});
       displacement(builder, 1, {set_base(), end_chain()});
     },
     "umsp-displacements"},
    {"", "A sequence of three instructions, the first of which asks for an answer.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_sq()}, set_ask);
       write(builder, {1, 1}, {}, same_chain);
       write(builder, {1, 2}, {end_chain()}, same_chain);
       builder.respond(Side::b);
     },
     "umsp-sequence"},
    {"", "Chains go side by side, and a number is used again.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_sq()});
       write(builder, {2, 0}, {begin_tr()});
       write(builder, {1, 1}, {set_base()});
       write(builder, {2, 1}, {set_base(), end_chain()});
       write(builder, {1, 2}, {set_base(8), end_chain()});
       write(builder, {1, 0}, {begin_sq(), end_chain()});
     },
     "umsp-chains"},
    {"", "A transaction is executed by EXEC_TR, another one is cancelled.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder);
       builder.respond(Side::b);
       ask_buffer(builder);
       later(builder);
       cancel(builder, {}, same_chain);
       ask_buffer(builder);
       later(builder);
       cancel(builder);
     },
     "umsp-transactions"},
    {"", "A transaction is given up while it is sent.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_tr()});
       builder.chained(Side::a, Opcode::snd_cancel, {1, 0}, UmspOctets().u16(1).u16(0));
       write(builder, {1, 0}, {begin_tr(), end_chain()});
     },
     "umsp-transaction-given-up"},

    {"UMSP-7-6", "Two instructions of a chain have one number.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {});
       write(builder, {1, 1}, {end_chain()});
     }},
    {"UMSP-7-6", "A number of a chain is left out.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {});
       write(builder, {1, 3}, {end_chain()});
     },
     "gap", Severity::warning},
    {"UMSP-7-8", "A chain begins under the number of one that has not ended.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {});
       write(builder, {1, 0}, {begin_sq(), end_chain()});
     },
     "", Severity::warning},
    {"UMSP-7-12", "The first instruction of a chain has no header that describes it.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0});
     }},
    {"UMSP-7-13", "A chain begins as a sequence and as a transaction.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_sq(), begin_tr(), end_chain()});
     }},
    {"UMSP-7-14", "The second instruction of a sequence has _BEGIN_SQ.",
     [](UmspTraceBuilder& builder) { two(builder, begin_sq(), {begin_sq()}); }},
    {"UMSP-7-16", "An instruction of a chain that has ended.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq());
       write(builder, {1, 2});
     },
     "", Severity::warning},
    {"UMSP-7-18", "_END_CHAIN has data.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {{.code = HeadCode::end_chain, .data = OctetBuffer(4)}});
     }},
    {"UMSP-7-19", "_END_CHAIN has HOB 0.",
     [](UmspTraceBuilder& builder) { two(builder, begin_sq(), {end_chain()}, clear_hob); }},
    {"UMSP-7-20", "_END_CHAIN is in an instruction with CHN 0.",
     [](UmspTraceBuilder& builder) { two(builder, begin_sq(), {end_chain()}, leave_chain); }},
    {"UMSP-7.1-7", "_BEGIN_SQ has data.",
     [](UmspTraceBuilder& builder) { one(builder, {.code = HeadCode::begin_sq, .data = UmspOctets().u16(1)}); }},
    {"UMSP-7.1-8", "_BEGIN_SQ has HOB 0.",
     [](UmspTraceBuilder& builder) { one(builder, begin_sq(), clear_first_hob); }},
    {"UMSP-7.1-9", "_BEGIN_SQ is in an instruction with CHN 0.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_sq()}, leave_chain);
     }},

    {"UMSP-7.2.1-1", "_BEGIN_TR is in an instruction with CHN 0.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {begin_tr()}, leave_chain);
     }},
    {"UMSP-7.2.1-3", "_BEGIN_TR has two words of data.",
     [](UmspTraceBuilder& builder) {
       one(builder, {.code = HeadCode::begin_tr, .data = UmspOctets().u8(kTrr).u8(0).u16(0)});
     }},
    {"UMSP-7.2.1-4", "_BEGIN_TR has HOB 0.",
     [](UmspTraceBuilder& builder) { one(builder, begin_tr(), clear_first_hob); }},
    {"UMSP-7.2.1-16", "TRT is 1.", [](UmspTraceBuilder& builder) { one(builder, begin_tr(kTrr | 0x20)); }},
    {"UMSP-7.2.1-17", "A reserved bit of _BEGIN_TR is 1.",
     [](UmspTraceBuilder& builder) { one(builder, begin_tr(kTrr | 0x01)); }},
    {"UMSP-7.2.2-1", "EXEC_TR names a sequence.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {});
       execute(builder);
     }},
    {"UMSP-7.2.2-1", "EXEC_TR names a transaction that is nowhere.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder, {9, 0});
     },
     "unknown", Severity::warning},
    {"UMSP-7.2.2-1", "EXEC_TR names a transaction that CANCEL_TR has cancelled.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       cancel(builder);
       execute(builder);
     },
     "cancelled"},
    {"UMSP-7.2.2-1", "EXEC_TR names a transaction that was executed.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder);
       builder.respond(Side::b);
       execute(builder);
     },
     "executed", Severity::warning},
    {"UMSP-7.2.2-1", "EXEC_TR names a transaction with TRR 1, which was executed at its end.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_tr());
       execute(builder);
     },
     "trr", Severity::warning},
    {"UMSP-7.2.2-3", "EXEC_TR has ASK 0.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder, {1, 0}, clear_ask);
     }},
    {"UMSP-7.2.2-6", "EXEC_TR has CHN 0.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder, {1, 0}, leave_chain);
     }},
    {"UMSP-7.2.2-9", "EXEC_TR has INSTR_NUMBER 2.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder, {1, 2});
     }},
    {"UMSP-7.2.2-10", "EXEC_TR has operands.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       builder.chained(Side::a, Opcode::exec_tr, {1, 0}, UmspOctets().u32(0), {}, set_ask);
     }},
    {"UMSP-7.2.3-1", "CANCEL_TR names a sequence.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {});
       cancel(builder);
     }},
    {"UMSP-7.2.3-1", "CANCEL_TR names a transaction without its end.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_tr(), {});
       cancel(builder);
     },
     "unfinished", Severity::warning},
    {"UMSP-7.2.3-1", "CANCEL_TR names a transaction that was executed.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       execute(builder);
       builder.respond(Side::b);
       cancel(builder);
     },
     "executed", Severity::warning},
    {"UMSP-7.2.3-1", "CANCEL_TR names a transaction with TRR 1, which was executed at its end.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_tr());
       cancel(builder);
     },
     "trr", Severity::warning},
    {"UMSP-7.2.3-2", "CANCEL_TR has ASK 1.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       cancel(builder, {1, 0}, set_ask);
     }},
    {"UMSP-7.2.3-4", "CANCEL_TR has CHN 0.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       cancel(builder, {1, 0}, leave_chain);
     }},
    {"UMSP-7.2.3-7", "CANCEL_TR has INSTR_NUMBER 2.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       cancel(builder, {1, 2});
     }},
    {"UMSP-7.2.3-8", "CANCEL_TR has operands.",
     [](UmspTraceBuilder& builder) {
       sent_later(builder);
       builder.chained(Side::a, Opcode::cancel_tr, {1, 0}, UmspOctets().u32(0));
     }},

    {"UMSP-7.5-1", "The second instruction of a chain has a REQ_ID.",
     [](UmspTraceBuilder& builder) { two(builder, begin_sq(), {end_chain()}, set_ask); }},
    {"UMSP-7.6-2", "A sequence has an address of 2 octets and no base, and the receiver's are longer.",
     [](UmspTraceBuilder& builder) {
       show_addresses(builder);
       displacement(builder, 0, {begin_sq()});
     }},
    {"UMSP-7.6-2", "A transaction has an address of 2 octets and no base, and the receiver's are longer.",
     [](UmspTraceBuilder& builder) {
       show_addresses(builder);
       displacement(builder, 0, {begin_tr()});
       displacement(builder, 1, {end_chain()});
     },
     "transaction"},
    {"UMSP-7.6-3", "_SET_MBASE is in an instruction of no chain.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       write(builder, {1, 0}, {set_base()}, leave_chain);
     }},
    {"UMSP-7.6-5", "_SET_MBASE has 12 octets of data.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {set_base(12), end_chain()});
     }},
    {"UMSP-7.6-6", "_SET_MBASE has HOB 0.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_sq(), {set_base(), end_chain()}, clear_first_hob);
     }},
    {"UMSP-7.6-11", "The base of a transaction is set twice.",
     [](UmspTraceBuilder& builder) {
       two(builder, begin_tr(), {set_base()});
       write(builder, {1, 2}, {set_base(), end_chain()});
     }},
};

constexpr UmspDatagramSample kDatagrams[] = {
    {"", "A chain lies in one datagram.",
     [](UmspDatagrams& builder) {
       write(builder, {1, 0}, {begin_sq()});
       write(builder, {1, 1}, {end_chain()});
       builder.join();
     },
     "umsp-udp-chain"},
    {"UMSP-7-21", "A chain does not end in its datagram.",
     [](UmspDatagrams& builder) {
       write(builder, {1, 0}, {begin_sq()});
     }},
    {"UMSP-7-21", "A chain does not begin in its datagram.",
     [](UmspDatagrams& builder) {
       write(builder, {1, 1}, {end_chain()});
     },
     "beginning"},
};

}  // namespace

std::span<const UmspSample> umsp_chain_samples() {
  return kSamples;
}

std::span<const UmspDatagramSample> umsp_chained_datagram_samples() {
  return kDatagrams;
}

}  // namespace wirelaw::corpora
