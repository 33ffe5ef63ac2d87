// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, sections 5.3 to 5.3.3.
#include <algorithm>

#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

// Offsets in the operands of SESSION_OPEN.
constexpr std::size_t kRequiredVersion = 2, kOwnType = 8, kOwnVersion = 10, kWindow = 16, kNode = 19, kLtid = 27;
constexpr std::uint32_t kUnknown = 0x0c00'0001, kSecondOfA = 0x0a00'0002, kSecondOfB = 0x0b00'0002;

OctetBuffer patched(OctetBuffer operands, std::size_t at, const OctetBuffer& with) {
  std::ranges::copy(with, operands.begin() + static_cast<std::ptrdiff_t>(at));
  return operands;
}
OctetBuffer zeros(std::size_t count) {
  return OctetBuffer(count);
}

// Sends a's first SESSION_OPEN with `with` at offset `at` of its operands.
void open_with(UmspTraceBuilder& builder, std::size_t at, const OctetBuffer& with) {
  builder.open();
  builder.ask(Side::a, Opcode::session_open, patched(UmspTraceBuilder::open_operands(), at, with), {},
              UmspTraceBuilder::kSessionOfA);
}

void open_both(UmspTraceBuilder& builder) {
  builder.open();
  builder.session_open();
  builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b));
}
// Sends a's second SESSION_OPEN with `with` at offset `at` of its operands.
void open_differently(UmspTraceBuilder& builder, std::size_t at, const OctetBuffer& with) {
  open_both(builder);
  builder.open_again(Side::a, patched(UmspTraceBuilder::open_operands_of(Side::a), at, with));
}
void open_three_times(UmspTraceBuilder& builder) {
  open_both(builder);
  builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a));
}

void reject(UmspTraceBuilder& builder, Side side, const UmspTraceBuilder::Edit& edit = {}, std::uint16_t code = 1) {
  builder.notify(side, Opcode::session_reject, UmspOctets().u16(code).u16(0), {}, edit);
}
void open_and_reject(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {}, std::uint16_t code = 1) {
  builder.open();
  builder.session_open();
  reject(builder, Side::b, edit, code);
}
void open_and_accept(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit) {
  builder.open();
  builder.session_open();
  builder.session_accept(edit);
}

// The operands of SESSION_OPEN for a job whose control point is a.
OctetBuffer open_operands_of_jcp() {
  OctetBuffer operands = UmspTraceBuilder::open_operands();
  const OctetBuffer job = UmspOctets().identifier(UmspTraceBuilder::job());
  const OctetBuffer own = UmspOctets().identifier(UmspTraceBuilder::task(Side::a));
  std::ranges::copy(own, std::search(operands.begin(), operands.end(), job.begin(), job.end()));
  return operands;
}

// Side a opens another session of the same job, which only its JCP may do (5.3.1).
void open_second(UmspTraceBuilder& builder) {
  builder.open();
  builder.ask(Side::a, Opcode::session_open, open_operands_of_jcp(), {}, UmspTraceBuilder::kSessionOfA);
  builder.session_accept();
  builder.ask(Side::a, Opcode::session_open, open_operands_of_jcp(), {}, kSecondOfA);
  builder.session_accept([](Instruction& accept) {
    accept.header.session_id = kSecondOfA;
    accept.header.req_id = kSecondOfB;
  });
}

// The operands of SESSION_OPEN for a job other than that of open_session().
OctetBuffer another_job() {
  return patched(UmspTraceBuilder::open_operands(), kNode + 4, UmspOctets().u32(UmspTraceBuilder::kControlTask + 1));
}
void open_another(UmspTraceBuilder& builder, std::uint32_t id_of_a, std::uint32_t id_of_b) {
  builder.ask(Side::a, Opcode::session_open, another_job(), {}, id_of_a);
  builder.session_accept([=](Instruction& accept) {
    accept.header.session_id = id_of_a;
    accept.header.req_id = id_of_b;
  });
}

void name_unknown(Instruction& instruction) {
  instruction.header.session_id = kUnknown;
}
void inherit(Instruction& instruction) {
  instruction.header.pck = Pck::same_session;
}
void chain(Instruction& instruction) {
  instruction.header.chn = true;
  instruction.header.chain_number = 1;
}
void flip_ask(Instruction& instruction) {
  instruction.header.ask = !instruction.header.ask;
}

constexpr UmspSample kSamples[] = {
    {"", "A session is opened in two steps and used by both sides.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.notify(Side::a, Opcode::nop);
       builder.notify(Side::b, Opcode::nop);
     },
     "umsp-session-two-steps"},
    {"", "A session is opened in eight steps, the last of which accepts it.",
     [](UmspTraceBuilder& builder) {
       open_both(builder);
       for (int i = 0; i < 2; ++i) {
         builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a));
         builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b));
       }
       builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a));
       builder.accept(Side::b);
       builder.notify(Side::b, Opcode::nop);
     },
     "umsp-session-eight-steps"},
    {"", "A session is refused, and opened again with an identifier of its own.",
     [](UmspTraceBuilder& builder) {
       open_and_reject(builder);
       builder.ask(Side::a, Opcode::session_open, UmspTraceBuilder::open_operands(), {}, kSecondOfA);
     },
     "umsp-session-refused"},
    {"", "A second session of the same job takes the place of the first.",
     [](UmspTraceBuilder& builder) {
       open_second(builder);
       builder.send(
           Side::b,
           {.opcode = static_cast<std::uint8_t>(Opcode::nop), .pck = Pck::own_session, .session_id = kSecondOfA});
     },
     "umsp-session-replaced"},

    {"", "A session is over, and its identifiers name another one.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.notify(Side::a, Opcode::session_abend);
       open_another(builder, UmspTraceBuilder::kSessionOfA, UmspTraceBuilder::kSessionOfB);
       builder.notify(Side::a, Opcode::nop);
     },
     "umsp-session-identifiers-again"},

    {"UMSP-3.1-51", "a gives the identifier of an open session to another one.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.ask(Side::a, Opcode::session_open, another_job(), {}, UmspTraceBuilder::kSessionOfA);
     },
     "opener", Severity::warning},
    {"UMSP-3.1-51", "b gives the identifier of an open session to another one.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       open_another(builder, kSecondOfA, UmspTraceBuilder::kSessionOfB);
     },
     "", Severity::warning},

    {"UMSP-5.3-20", "a writes in a session before it accepts it.",
     [](UmspTraceBuilder& builder) {
       open_both(builder);
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
     },
     "", Severity::warning},
    {"UMSP-5.3-20", "b sends an instruction of a chain in a session that it has not accepted.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.chained(Side::b, Opcode::write_4, {1, 0}, UmspOctets().u32(16).u32(7), {{HeadCode::begin_sq}});
     },
     "chain", Severity::warning},
    {"UMSP-5.3-5", "b has accepted a second session of the job, and goes on with the first.",
     [](UmspTraceBuilder& builder) {
       open_second(builder);
       builder.notify(Side::b, Opcode::nop);
     }},
    {"UMSP-5.3-18", "A VM of version 0 is asked for, and its type is not 0.",
     [](UmspTraceBuilder& builder) { open_with(builder, kRequiredVersion, zeros(2)); }, "required", Severity::warning},
    {"UMSP-5.3-18", "The sender's VM has version 0, and its type is not 0.",
     [](UmspTraceBuilder& builder) { open_with(builder, kOwnVersion, zeros(2)); }, "own", Severity::warning},

    {"UMSP-9-7", "A VM of the reserved version 65535 is required.",
     [](UmspTraceBuilder& builder) {
       open_with(builder, kRequiredVersion, OctetBuffer{0xff, 0xff});
     },
     "required"},
    {"UMSP-9-7", "The sender's VM has the reserved version 65535.",
     [](UmspTraceBuilder& builder) {
       open_with(builder, kOwnVersion, OctetBuffer{0xff, 0xff});
     },
     "own"},

    {"UMSP-5.3.1-2", "a sends a SESSION_OPEN behind its own.",
     [](UmspTraceBuilder& builder) {
       open_three_times(builder);
       builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a));
     }},
    {"UMSP-5.3.1-2", "A SESSION_OPEN on a session that is open already.",
     [](UmspTraceBuilder& builder) {
       builder.negotiate_session();
       builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b));
     },
     "open"},
    {"UMSP-5.3.1-4", "A SESSION_OPEN has PCK 01.",
     [](UmspTraceBuilder& builder) {
       open_three_times(builder);
       builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b), inherit);
     }},
    {"UMSP-5.3.1-5", "A SESSION_OPEN has CHN 1.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b), chain);
     }},
    {"UMSP-5.3.1-6", "A SESSION_OPEN has ASK 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open(flip_ask);
     }},
    {"UMSP-5.3.1-8", "A SESSION_OPEN has six words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::session_open, zeros(24), {}, UmspTraceBuilder::kSessionOfA);
     }},
    {"UMSP-5.3.1-9", "A SESSION_OPEN has a word more than its fields.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       OctetBuffer operands = UmspTraceBuilder::open_operands();
       operands.resize(40);
       builder.ask(Side::a, Opcode::session_open, operands, {}, UmspTraceBuilder::kSessionOfA);
     }},
    {"UMSP-5.3.1-11", "b's SESSION_OPEN names a session that a has not.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b), name_unknown);
     },
     "", Severity::warning},
    {"UMSP-5.3.1-13", "a's second SESSION_OPEN has another REQ_ID than its first.",
     [](UmspTraceBuilder& builder) {
       open_both(builder);
       builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a),
                          [](Instruction& open) { open.header.req_id = kSecondOfA; });
     }},
    {"UMSP-5.3.1-19", "a's second SESSION_OPEN has another window than its first.",
     [](UmspTraceBuilder& builder) { open_differently(builder, kWindow, UmspOctets().u16(17)); }},
    {"UMSP-5.3.1-22", "a's second SESSION_OPEN has another GJID than its first.",
     [](UmspTraceBuilder& builder) { open_differently(builder, kNode, UmspOctets().u32(0xc000'0203)); }},
    {"UMSP-5.3.1-24", "a's second SESSION_OPEN has another LTID than its first.",
     [](UmspTraceBuilder& builder) { open_differently(builder, kLtid, UmspOctets().u32(0xa2)); }},
    {"UMSP-5.3.1-27", "a opens a session without a VM of its own.",
     [](UmspTraceBuilder& builder) { open_with(builder, kOwnType, zeros(4)); }},
    {"UMSP-5.3.1-28", "The eighth step is a SESSION_OPEN.",
     [](UmspTraceBuilder& builder) {
       open_both(builder);
       for (int i = 0; i < 3; ++i) {
         builder.open_again(Side::a, UmspTraceBuilder::open_operands_of(Side::a));
         builder.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b));
       }
     }},

    {"UMSP-5.3.2-2", "b accepts a session twice.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.session_accept();
     }},
    {"UMSP-5.3.2-3", "A SESSION_ACCEPT has ASK 0.",
     [](UmspTraceBuilder& builder) { open_and_accept(builder, flip_ask); }},
    {"UMSP-5.3.2-5", "A SESSION_ACCEPT has PCK 01.",
     [](UmspTraceBuilder& builder) {
       open_three_times(builder);
       builder.accept(Side::b, inherit);
     }},
    {"UMSP-5.3.2-7", "A SESSION_ACCEPT has CHN 1.", [](UmspTraceBuilder& builder) { open_and_accept(builder, chain); }},
    {"UMSP-5.3.2-8", "A SESSION_ACCEPT has operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.request(Side::b, Opcode::session_accept, zeros(4), {}, UmspTraceBuilder::kSessionOfB);
     }},
    {"UMSP-5.3.2-9", "A SESSION_ACCEPT names a session that its addressee has not.",
     [](UmspTraceBuilder& builder) { open_and_accept(builder, name_unknown); }, "", Severity::warning},
    {"UMSP-5.3.2-11", "a's SESSION_ACCEPT has another REQ_ID than its SESSION_OPEN.",
     [](UmspTraceBuilder& builder) {
       open_both(builder);
       builder.accept(Side::a, [](Instruction& accept) { accept.header.req_id = kSecondOfA; });
     }},
    // The session that b means is unknown.
    {"UMSP-5.3.2-11",
     "The same, and a opens another session by that REQ_ID; b answers a request of the first under it.",
     [](UmspTraceBuilder& builder) {
       const auto name_second = [](Instruction& one) { one.header.session_id = kSecondOfA; };
       open_both(builder);
       builder.accept(Side::a, [](Instruction& accept) { accept.header.req_id = kSecondOfA; });
       builder.ask(Side::a, Opcode::session_open, UmspTraceBuilder::open_operands(), {}, kSecondOfA);
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
       builder.request(Side::b, Opcode::session_accept, {}, {}, UmspTraceBuilder::kSessionOfB + 1, name_second);
       builder.respond(Side::b, Opcode::rsp, {}, UmspTraceBuilder::kReqId, name_second);
     },
     "reused"},

    {"UMSP-5.3.3-1", "b refuses a session that it has accepted.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       reject(builder, Side::b);
     }},
    {"UMSP-5.3.3-1", "a refuses behind its own SESSION_OPEN.",
     [](UmspTraceBuilder& builder) {
       open_three_times(builder);
       reject(builder, Side::a);
     },
     "own", Severity::warning},
    {"UMSP-5.3.3-2", "b uses a session that it has refused.",
     [](UmspTraceBuilder& builder) {
       open_and_reject(builder);
       builder.notify(Side::b, Opcode::nop);
     },
     "", Severity::warning},
    {"UMSP-5.3.3-3", "A SESSION_REJECT has ASK 1.",
     [](UmspTraceBuilder& builder) { open_and_reject(builder, flip_ask); }},
    {"UMSP-5.3.3-4", "A SESSION_REJECT has PCK 01.",
     [](UmspTraceBuilder& builder) {
       open_three_times(builder);
       reject(builder, Side::b, inherit);
     }},
    {"UMSP-5.3.3-6", "A SESSION_REJECT has CHN 1.", [](UmspTraceBuilder& builder) { open_and_reject(builder, chain); }},
    {"UMSP-5.3.3-7", "A SESSION_REJECT has two words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.session_open();
       builder.notify(Side::b, Opcode::session_reject, UmspOctets().u16(1).u16(0).u32(0));
     }},
    {"UMSP-5.3.3-8", "A SESSION_REJECT names a session that its addressee has not.",
     [](UmspTraceBuilder& builder) { open_and_reject(builder, name_unknown); }, "", Severity::warning},
    {"UMSP-5.3.3-9", "A SESSION_REJECT has basic error code 0.",
     [](UmspTraceBuilder& builder) { open_and_reject(builder, {}, 0); }},
};

}  // namespace

std::span<const UmspSample> umsp_session_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
