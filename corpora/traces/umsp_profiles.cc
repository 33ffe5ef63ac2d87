// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, sections 5.3.4 and 5.8.
#include <algorithm>

#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr std::uint32_t kAll = UmspTraceBuilder::kOwnProfile;
constexpr std::uint32_t kBorder = 0x0000'0800, kDataLimit = 0x001f'0000;
constexpr std::uint32_t kAddress = 0x0000'2000;

constexpr std::uint32_t flag(unsigned number) {
  return 0x8000'0000u >> number;
}

// Side a sends a request, which b refuses.
void ask(UmspTraceBuilder& builder, Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions = {}) {
  builder.request(Side::a, opcode, std::move(operands), std::move(extensions));
  builder.respond(Side::b, Opcode::rsp, UmspOctets().u16(1).u16(0));
}
UmspExtension name() {
  return {.code = HeadCode::name, .data = UmspOctets().text("name"), .hob = false};
}

void reads(UmspTraceBuilder& builder) {
  ask(builder, Opcode::req_data_4, UmspOctets().u32(4).u32(kAddress));
}
void writes(UmspTraceBuilder& builder) {
  ask(builder, Opcode::write_4, UmspOctets().u32(kAddress).u32(1).u32(2));
}
void writes_far(UmspTraceBuilder& builder) {
  constexpr Octet kNode[] = {192, 0, 2, 2};
  constexpr Octet kFree[] = {1};
  const auto address = umsp::make_address(umsp::kIpv4Memory32, kNode, kAddress, kFree);
  ask(builder, Opcode::write_16, UmspOctets().octets(address->octets).u32(1));
}
void writes_much(UmspTraceBuilder& builder) {
  ask(builder, Opcode::write_4, UmspOctets().u32(kAddress), {{.code = HeadCode::data, .data = OctetBuffer(256)}});
}
void jumps(UmspTraceBuilder& builder) {
  ask(builder, Opcode::jump, UmspOctets().u32(kAddress).u16(0));
}
void synchronizes(UmspTraceBuilder& builder) {
  ask(builder, Opcode::syn_4, UmspOctets().u32(kAddress).u32(1).u32(2));
}
void reads_object(UmspTraceBuilder& builder) {
  ask(builder, Opcode::obj_req_data_4, UmspOctets().u32(1).u16(0).u16(0).u32(4).u32(0));
}
void calls_by_name(UmspTraceBuilder& builder) {
  ask(builder, Opcode::call_bname, UmspOctets().u32(0x3000'0001).u16(0).u16(0).u32(1), {name()});
}
void seeks(UmspTraceBuilder& builder) {
  ask(builder, Opcode::obj_seek, {}, {name()});
}
void nop(UmspTraceBuilder& builder) {
  builder.notify(Side::a, Opcode::nop);
}
void extended_nop(UmspTraceBuilder& builder) {
  builder.notify(Side::a, Opcode::nop, {}, {}, [](Instruction& one) { one.header.extended = true; });
}
void sends_sequence(UmspTraceBuilder& builder) {
  builder.chained(Side::a, Opcode::nop, {1, 0}, {}, {{HeadCode::begin_sq}, {HeadCode::end_chain}});
}
void sends_transaction(UmspTraceBuilder& builder) {
  builder.chained(Side::a, Opcode::nop, {2, 0}, {},
                  {{HeadCode::begin_tr, UmspOctets().u8(0x40).u8(0)}, {HeadCode::end_chain}});
}
void sends_fragment(UmspTraceBuilder& builder) {
  // A NOP of the session without its SESSION_ID, then two zeros.
  builder.chained(Side::a, Opcode::nop, {3, 0}, UmspOctets().u32(0x9c60'0000),
                  {{HeadCode::begin_frg}, {HeadCode::end_chain}});
}

// Side b does not offer one function, and a uses it.
template <unsigned kFlag, void (*kUse)(UmspTraceBuilder&), std::uint32_t kProfile = kAll>
void without(UmspTraceBuilder& builder) {
  builder.negotiate_session(kProfile & ~flag(kFlag));
  kUse(builder);
}

// Side a opens a session with these profiles.
void open_with(UmspTraceBuilder& builder, std::uint32_t required, std::uint32_t own);
// Side b accepts at once. The required profile has every function except this one.
template <unsigned kFlag, void (*kUse)(UmspTraceBuilder&)>
void accepted_without(UmspTraceBuilder& builder) {
  open_with(builder, kAll & ~flag(kFlag), kAll);
  builder.session_accept();
  kUse(builder);
}
void open_with(UmspTraceBuilder& builder, std::uint32_t required, std::uint32_t own) {
  constexpr std::size_t kRequired = 4;
  builder.open();
  OctetBuffer operands = UmspTraceBuilder::open_operands_of(Side::a, own);
  const OctetBuffer octets = UmspOctets().u32(required);
  std::ranges::copy(octets, operands.begin() + kRequired);
  builder.ask(Side::a, Opcode::session_open, operands, {}, UmspTraceBuilder::kSessionOfA);
}

void negotiate_border(UmspTraceBuilder& builder) {
  open_with(builder, kAll | kBorder, kAll | kBorder);
  builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b, kAll | kBorder));
  builder.accept(Side::a);
}
// A sequence of one NOP, whose extension headers get `zeros` zeros each.
void sequence_filled(UmspTraceBuilder& builder, std::size_t zeros) {
  builder.chained(Side::a, Opcode::nop, {1, 0}, {},
                  {{HeadCode::begin_sq, OctetBuffer(zeros)}, {HeadCode::end_chain, OctetBuffer(zeros)}},
                  [](Instruction& one) { one.header.extended = true; });
}

// Both sides declare the profiles of their zero-session.
void say_zero_profiles(UmspTraceBuilder& builder, std::uint32_t profile_of_b) {
  builder.open();
  builder.ask(Side::a, Opcode::session_open, UmspTraceBuilder::open_operands(), {}, 0);
  builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b, profile_of_b), [](Instruction& open) {
    open.header.session_id = 0;
    open.header.req_id = 0;
  });
}
void write_without_session(UmspTraceBuilder& builder) {
  builder.say(Side::a, Opcode::write_4, UmspOctets().u32(kAddress).u32(1));
}
void run_without_session(UmspTraceBuilder& builder) {
  builder.say(Side::a, Opcode::mvrun, UmspOctets().u32(kAddress).u32(1));
}

constexpr UmspSample kSamples[] = {
    {"", "All that both sides offer is used.",
     [](UmspTraceBuilder& builder) {
       builder.negotiate_session();
       for (const auto use : {reads, writes, writes_far, writes_much, jumps, synchronizes, reads_object, calls_by_name,
                              seeks, nop, extended_nop, sends_sequence, sends_transaction, sends_fragment})
         use(builder);
     },
     "umsp-profile-all"},
    {"", "Data are as long as the profile allows.",
     [](UmspTraceBuilder& builder) {
       builder.negotiate_session((kAll & ~kDataLimit) | 0x0001'0000);
       writes(builder);
     },
     "umsp-profile-data-limit"},
    {"", "Both sides keep to multiples of four octets.",
     [](UmspTraceBuilder& builder) {
       negotiate_border(builder);
       sequence_filled(builder, 2);
     },
     "umsp-profile-border"},
    {"", "The zero-session is described, and used.",
     [](UmspTraceBuilder& builder) {
       say_zero_profiles(builder, kAll);
       write_without_session(builder);
       run_without_session(builder);
     },
     "umsp-zero-session"},
    {"", "Memory and objects are asked for in a session.",
     [](UmspTraceBuilder& builder) {
       builder.negotiate_session();
       ask(builder, Opcode::mem_alloc, UmspOctets().u32(64));
       ask(builder, Opcode::create, UmspOctets().u16(49'200).u16(1).u16(0).u16(0));
     },
     "umsp-session-allocations"},

    {"UMSP-5.3.4-4", "A fragmented instruction is sent to a side that has S0 0.", without<0, sends_fragment>},
    {"UMSP-5.3.4-5", "A sequence is sent to a side that has S1 0.", without<1, sends_sequence>},
    {"UMSP-5.3.4-6", "A transaction is sent to a side that has S2 0.", without<2, sends_transaction>},
    {"UMSP-5.3.4-7", "A WRITE without a session is sent to a side that has S3 0.",
     [](UmspTraceBuilder& builder) {
       say_zero_profiles(builder, kAll & ~flag(3));
       write_without_session(builder);
     },
     "", Severity::warning},
    {"UMSP-5.3.4-8", "A WRITE in a session is sent to a side that has S4 0.", without<4, writes>},
    {"UMSP-5.3.4-9", "The profile that is asked for has S5 1.",
     [](UmspTraceBuilder& builder) { open_with(builder, kAll | flag(5), kAll); }},
    {"UMSP-5.3.4-10", "An address of 16 octets is sent to a side that has S6 0.", without<6, writes_far>},
    {"UMSP-5.3.4-11", "A short header is sent to a side that has S7 0.", without<7, nop>},
    {"UMSP-5.3.4-12", "An extended header is sent to a side that has S8 0.", without<8, extended_nop>},
    {"UMSP-5.3.4-13", "An extension header with four octets is sent to a side that has S9 and S10 0.",
     without<9, seeks, kAll & ~flag(10)>},
    {"UMSP-5.3.4-14", "An extension header with 256 octets is sent to a side that has S10 0.",
     without<10, writes_much>},
    {"UMSP-5.3.4-16", "Eight octets of data are sent to a side that takes four.",
     [](UmspTraceBuilder& builder) {
       builder.negotiate_session(kAll & ~kDataLimit);
       writes(builder);
     }},
    {"UMSP-5.3.4-18", "UMSP of version 0 is asked for.",
     [](UmspTraceBuilder& builder) { open_with(builder, kAll & 0xffff'0fff, kAll); }},
    {"UMSP-5.3.4-21", "A short header where both sides have S20 1.",
     [](UmspTraceBuilder& builder) {
       negotiate_border(builder);
       nop(builder);
     }},
    {"UMSP-5.3.4-22", "An extension header begins at no multiple of four octets where both sides have S20 1.",
     [](UmspTraceBuilder& builder) {
       negotiate_border(builder);
       sequence_filled(builder, 0);
     },
     "", Severity::warning},
    {"UMSP-5.3.4-24", "A procedure is called by name on a side that has S21 0.", without<21, calls_by_name>},
    {"UMSP-5.3.4-25", "An object is sought by name on a side that has S22 0.", without<22, seeks>},
    {"UMSP-5.3.4-27", "Data are read from a side that has S24 0.", without<24, reads>},
    {"UMSP-5.3.4-28", "Data are written to a side that has S25 0.", without<25, writes>},
    {"UMSP-5.3.4-29", "Control is transferred to a side that has S26 0.", without<26, jumps>},
    {"UMSP-5.3.4-28", "Data are written to a side from which a two-way opening has required no writing.",
     accepted_without<25, writes>, "two-way"},
    {"UMSP-5.3.4-29", "Control is transferred to a side from which a two-way opening has required no such function.",
     accepted_without<26, jumps>, "two-way"},
    {"UMSP-5.3.4-5", "A sequence is sent to a side from which a two-way opening has required none.",
     accepted_without<1, sends_sequence>, "two-way"},
    {"UMSP-5.3.4-30", "A SYN is sent to a side that has S27 0.", without<27, synchronizes>},
    {"UMSP-5.3.4-31", "An object is read on a side that has S28 0.", without<28, reads_object, kAll & ~flag(29)>},
    {"UMSP-5.3.4-32", "An object's memory is read on a side that has S29 0.", without<29, reads_object>},
    {"UMSP-5.3.4-33", "A profile offers the memory of objects, and no objects.",
     [](UmspTraceBuilder& builder) { open_with(builder, kAll, kAll & ~flag(28)); }},
    {"UMSP-5.3.4-34", "MVRUN without a session is sent to a side that has S30 0.",
     [](UmspTraceBuilder& builder) {
       say_zero_profiles(builder, kAll & ~flag(30));
       run_without_session(builder);
     },
     "", Severity::warning},
    {"UMSP-5.3.4-35", "The profile that is offered has S31 1.",
     [](UmspTraceBuilder& builder) { open_with(builder, kAll, kAll | flag(31)); }},

    {"UMSP-5.8-6", "A SESSION_OPEN of the zero-session has a REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::session_open, UmspTraceBuilder::open_operands(), {}, UmspTraceBuilder::kSessionOfA,
                   [](Instruction& open) { open.header.pck = Pck::own_session; });
     }},
    {"UMSP-5.8-13", "Memory is asked for without a session.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::mem_alloc, UmspOctets().u32(64));
     }},
    {"UMSP-5.8-13", "MVCODE without a session.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::mvcode, UmspOctets().u16(49'200).u16(1).u32(0));
     },
     "mvcode", Severity::warning},
    {"UMSP-5.8-14", "An object is made without a session.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::create, UmspOctets().u16(49'200).u16(1).u16(0).u16(0).u32(0));
     }},
};

}  // namespace

std::span<const UmspSample> umsp_profile_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
