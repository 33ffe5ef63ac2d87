// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, sections 2 to 3.4: conforming ones, and one that breaks each rule.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Header;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

// ------------------------------------------------------------------------------------------------------- addresses
// Side a reads four octets at a complete address of side b.
void read_at(UmspTraceBuilder& builder, Octet address_header) {
  builder.open_session();
  OctetBuffer operands = UmspOctets().u32(4).u8(address_header).u24(1).u32(0).octets(OctetBuffer{192, 0, 2, 2}).u32(16);
  builder.request(Side::a, Opcode::req_data_4, std::move(operands));
  builder.respond(Side::b, Opcode::data, UmspOctets().u32(7));
}

// --------------------------------------------------------------------------------------------------------- headers
// A NOP of side a, of no session.
void nop_without_session(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {}) {
  builder.say(Side::a, Opcode::nop, {}, {}, edit);
}

// A NOP of side a in the session of a and b.
void nop(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {}) {
  builder.notify(Side::a, Opcode::nop, {}, {}, edit);
}
void nop_with(UmspTraceBuilder& builder, Pck pck, bool chn) {
  nop(builder, [=](Instruction& one) {
    one.header.pck = pck;
    one.header.chn = chn;
  });
}

// A NOP in a sequence; number 0 begins it.
void link(UmspTraceBuilder& builder, std::uint16_t chain, std::uint16_t number, bool last = false) {
  std::vector<UmspExtension> extensions;
  if (number == 0) extensions.push_back({.code = HeadCode::begin_sq});
  if (last) extensions.push_back({.code = HeadCode::end_chain});
  builder.chained(Side::a, Opcode::nop, {chain, number}, {}, std::move(extensions));
}

void sequence_of_numbers(UmspTraceBuilder& builder, std::initializer_list<std::uint16_t> numbers) {
  builder.open_session();
  for (const std::uint16_t number : numbers) link(builder, 1, number, number == *(numbers.end() - 1));
}

// The capture begins in the middle of a long sequence; the stream is decoded from the third instruction on.
void end_of_numbers(UmspTraceBuilder& builder) {
  for (std::uint16_t number = 65'531; number < 65'535; ++number)
    builder.chained(Side::a, Opcode::nop, {1, number}, UmspOctets().u64(number));
}

// ----------------------------------------------------------------------------------------------- extension headers
// A NOP with an extension header that differs from an honest _MSG.
void msg(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit, std::size_t count = 1) {
  builder.open_session();
  std::vector<UmspExtension> all(count, {.code = HeadCode::msg, .data = UmspOctets().text("text"), .hob = false});
  builder.notify(Side::a, Opcode::nop, {}, std::move(all), edit);
}
void code(UmspTraceBuilder& builder, std::uint16_t head_code) {
  msg(builder, [=](Instruction& one) { one.extensions[0].head_code = head_code; });
}
void make_extended(Instruction& one) {
  one.extensions[0].hxt = true;
}

constexpr UmspSample kSamples[] = {
    {{},
     "Complete addresses of IPv4 nodes, with local addresses of 2, 3 and 4 octets.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       for (const unsigned header : {0x40u, 0x41u, 0x42u}) {
         builder.request(Side::a, Opcode::req_data_4,
                         UmspOctets().u32(4).u8(static_cast<std::uint8_t>(header)).u24(1).u64(0).u32(0xc000'0202));
         builder.respond(Side::b, Opcode::data, UmspOctets().u32(7));
       }
     },
     "umsp-complete-addresses"},
    {"UMSP-2.1-2", "ADDR_LENGTH 12 and a local address of 8 octets need 21 octets.",
     [](UmspTraceBuilder& builder) { read_at(builder, 0xc3); }},
    {"UMSP-2.1-4", "A complete address with ADDR_LENGTH 0.", [](UmspTraceBuilder& builder) { read_at(builder, 0x02); }},
    {"UMSP-3.4-1",
     "A complete address of the format 4-0-3.",
     [](UmspTraceBuilder& builder) { read_at(builder, 0x43); },
     {},
     Severity::warning},

    {{},
     "Headers that inherit session and chain, and both forms of OPR_LENGTH.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       nop(builder);
       nop_with(builder, Pck::same_session, false);
       link(builder, 1, 0);
       nop_with(builder, Pck::same_chain, true);
       link(builder, 1, 2, true);
       nop(builder, [](Instruction& one) { one.header.extended = true; });
       nop_without_session(builder);
       nop(builder);
     },
     "umsp-headers"},
    {"UMSP-3.1-4", "OPCODE 27, which no section defines.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, static_cast<Opcode>(27), {});
     }},
    {"UMSP-3.1-5", "OPCODE 113.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, static_cast<Opcode>(113), {});
     }},
    {"UMSP-3.1-7", "An instruction with OPCODE 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, static_cast<Opcode>(0), {});
     }},
    {"UMSP-3.1-8", "OPCODE 224.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, static_cast<Opcode>(224), {});
     }},
    {"UMSP-3.1-15", "CHN 1 with PCK 00.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       nop_without_session(builder, [](Instruction& one) { one.header.chn = true; });
     }},
    {"UMSP-3.1-49", "WRITE names a session that nobody has opened.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(0x1000).u32(1), {}, UmspTraceBuilder::kReqId,
                       [](Instruction& one) { one.header.session_id = 0x9999; });
     },
     "unknown", Severity::warning},
    {"UMSP-3.1-49", "NOP names a session that nobody has opened.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.notify(Side::b, Opcode::nop, {}, {}, [](Instruction& one) { one.header.session_id = 0x9999; });
     },
     "unknown-nop", Severity::warning},
    {"UMSP-3.1-15", "CONTROL_REQ has CHN 1.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req([](Instruction& one) { one.header.chn = true; });
     },
     "control-req"},
    {"UMSP-3.1-15", "JOB_COMPLETED has CHN 1.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.control_confirm();
       builder.say(Side::a, Opcode::job_completed, UmspOctets().u32(0).u32(UmspTraceBuilder::kControlTask), {},
                   [](Instruction& one) { one.header.chn = true; });
     },
     "job-completed"},
    {"UMSP-3.1-15", "TASK_TERMINATE has CHN 1.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.control_confirm();
       builder.say(Side::a, Opcode::task_terminate, UmspOctets().u32(0).u32(UmspTraceBuilder::kControlTask), {},
                   [](Instruction& one) { one.header.chn = true; });
     },
     "task-terminate"},
    {"UMSP-3.1-36", "The stream ends inside the operands of an instruction.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(0x1000).u32(1));
       builder.last().octets.resize(builder.last().octets.size() - 2);
       builder.close(Side::a);
     },
     "operands", Severity::warning},
    {"UMSP-3.1-36", "The stream ends inside a header.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(0x1000).u32(1));
       builder.last().octets.resize(3);
       builder.close(Side::a);
     },
     "header", Severity::warning},
    {"UMSP-3.1-36", "The answering stream ends behind the first octet of an instruction.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.notify(Side::b, Opcode::nop);
       builder.last().octets.resize(1);
       builder.close(Side::b);
     },
     "octet", Severity::warning},
    {"UMSP-3.1-18", "The first instruction of a stream has PCK 01.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       nop_with(builder, Pck::same_session, false);
     }},
    {"UMSP-3.1-19", "PCK 01 behind an instruction of no session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       nop_without_session(builder);
       nop_with(builder, Pck::same_session, false);
     }},
    {"UMSP-3.1-23", "PCK 10 with CHN 0, behind a chain.",
     [](UmspTraceBuilder& builder) {
       sequence_of_numbers(builder, {0, 1});
       nop_with(builder, Pck::same_chain, false);
     }},
    {"UMSP-3.1-24", "PCK 10 behind an instruction of no chain.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       nop(builder);
       nop_with(builder, Pck::same_chain, true);
     }},
    {.violates = "UMSP-3.1-27",
     .purpose = "PCK 10 behind INSTR_NUMBER 65534.",
     .build =
         [](UmspTraceBuilder& builder) {
           end_of_numbers(builder);
           nop_with(builder, Pck::same_chain, true);
         },
     .from_start = false},
    {"UMSP-3.1-44", "A chain of the number 0.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       link(builder, 0, 0, true);
     }},
    {"UMSP-3.1-45", "A chain of the number 65535.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       link(builder, 0xffff, 0, true);
     }},
    {.violates = "UMSP-3.1-48",
     .purpose = "INSTR_NUMBER 65535.",
     .build =
         [](UmspTraceBuilder& builder) {
           end_of_numbers(builder);
           builder.chained(Side::a, Opcode::nop, {1, 0xffff});
         },
     .from_start = false},
    {"UMSP-3.1-49",
     "Side a names the session as it has named it itself.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       nop(builder, [](Instruction& one) { one.header.session_id = UmspTraceBuilder::kSessionOfA; });
     },
     {},
     Severity::warning},
    {"UMSP-3.1-53", "Side b accepts a session and gives it the identifier 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.session_accept([](Instruction& one) { one.header.req_id = 0; });
     }},
    {"UMSP-3.1-54", "SESSION_ID 0xffffffff.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       nop(builder, [](Instruction& one) { one.header.session_id = 0xffff'ffff; });
     }},
    {"UMSP-3.1-55", "Side a gives the identifier 0xffffffff to a session.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open([](Instruction& one) { one.header.req_id = 0xffff'ffff; });
     }},
    {"UMSP-3.1-57",
     "A second request with the REQ_ID of one that waits.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       for (const std::uint32_t at : {16u, 32u}) builder.request(Side::a, Opcode::write_4, UmspOctets().u32(at).u32(7));
       builder.respond(Side::b);
     },
     {},
     Severity::warning},

    {{},
     "Extension headers in the short form, in the extended form, and thirty of them.",
     [](UmspTraceBuilder& builder) {
       msg(builder, {});
       msg(builder, make_extended);
       msg(builder, {}, 30);
     },
     "umsp-extension-headers"},
    {"UMSP-3.2-4",
     "HEAD_CODE 1, which the document leaves undefined.",
     [](UmspTraceBuilder& builder) { code(builder, 1); },
     {},
     Severity::warning},
    {"UMSP-3.2-19", "HRZ 1.",
     [](UmspTraceBuilder& builder) { msg(builder, [](Instruction& one) { one.extensions[0].hrz = true; }); }},
    {"UMSP-3.2-25", "RESERVED of an extended header is not 0.",
     [](UmspTraceBuilder& builder) {
       msg(builder, [](Instruction& one) {
         make_extended(one);
         one.extensions[0].reserved = 1;
       });
     }},
    {"UMSP-3.2-30", "An instruction with 31 extension headers.",
     [](UmspTraceBuilder& builder) { msg(builder, {}, 31); }},
    {"UMSP-3.2-34", "HEAD_CODE 31 in the short form.", [](UmspTraceBuilder& builder) { code(builder, 31); }},

    {{},
     "Operands that need padding.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_data_2, UmspOctets().u16(4).u32(16));
       builder.respond(Side::b, Opcode::data, UmspOctets().u32(7));
     },
     "umsp-padding"},
    {"UMSP-3.3-3", "Padding that is not zero.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_data_2, UmspOctets().u16(4).u32(16).u16(1));
       builder.respond(Side::b, Opcode::data, UmspOctets().u32(7));
     }},
};

}  // namespace

std::span<const UmspSample> umsp_header_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
