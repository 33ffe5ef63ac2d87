// SPDX-License-Identifier: Apache-2.0
// Traces that break RFC 3018, section 5.4.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr std::int64_t kSecond = 1'000'000'000;

void close(UmspTraceBuilder& builder, Side side, const UmspTraceBuilder::Edit& edit = {}) {
  builder.notify(side, Opcode::session_close, {}, {}, edit);
}
void abend(UmspTraceBuilder& builder, Side side, const UmspTraceBuilder::Edit& edit = {}) {
  builder.notify(side, Opcode::session_abend, {}, {}, edit);
}
// Side a closes the session, and b agrees.
void agree(UmspTraceBuilder& builder) {
  builder.open_session();
  close(builder, Side::a);
  builder.respond(Side::b, Opcode::rsp_p, {}, 0);
}

void leave_session(Instruction& instruction) {
  instruction.header.pck = Pck::no_session;
}
void name_unknown(Instruction& instruction) {
  instruction.header.session_id = 0x0c00'0001;
}
void chain(Instruction& instruction) {
  instruction.header.chn = true;
  instruction.header.chain_number = 1;
}
void set_ask(Instruction& instruction) {
  instruction.header.ask = true;
}

template <void (*kEnd)(UmspTraceBuilder&, Side, const UmspTraceBuilder::Edit&), void (*kEdit)(Instruction&)>
void end_with(UmspTraceBuilder& builder) {
  builder.open_session();
  kEnd(builder, Side::a, kEdit);
}
template <Opcode kOpcode>
void end_with_two_words(UmspTraceBuilder& builder) {
  builder.open_session();
  builder.notify(Side::a, kOpcode, UmspOctets().u32(0).u32(0));
}

constexpr UmspSample kSamples[] = {
    {"", "A session is closed in three steps.",
     [](UmspTraceBuilder& builder) {
       agree(builder);
       abend(builder, Side::a);
     },
     "umsp-close"},
    {"", "Nobody ends a session whose closing was accepted but the side that accepted it, after thirty seconds.",
     [](UmspTraceBuilder& builder) {
       agree(builder);
       builder.pause(30 * kSecond);
       abend(builder, Side::b);
       builder.silence(100 * kSecond);
     },
     "umsp-close-silent"},
    {"", "A closing is refused, and another one given up.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       close(builder, Side::a);
       builder.respond(Side::b, Opcode::rsp_p, UmspOctets().u16(1).u16(0), 0);
       builder.notify(Side::b, Opcode::nop);
       close(builder, Side::a);
       builder.respond(Side::b, Opcode::rsp_p, {}, 0);
       builder.notify(Side::a, Opcode::nop);
       builder.notify(Side::b, Opcode::nop);
       builder.silence(100 * kSecond);
     },
     "umsp-close-cancelled"},

    {"", "A closing is given up and begun again before either is answered.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       close(builder, Side::a);
       builder.notify(Side::a, Opcode::nop);
       close(builder, Side::a);
       builder.respond(Side::b, Opcode::rsp_p, {}, 0);
       builder.respond(Side::b, Opcode::rsp_p, {}, 0);
       abend(builder, Side::a);
     },
     "umsp-close-crossed"},

    {"UMSP-4.1-9", "b agrees to one closing twice.",
     [](UmspTraceBuilder& builder) {
       agree(builder);
       builder.respond(Side::b, Opcode::rsp_p, {}, 0);
     },
     "closed", Severity::warning},
    {"UMSP-5.4-1", "The side that has not opened a session closes it.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       close(builder, Side::b);
     }},
    {"UMSP-5.4-12", "b has agreed to the closing, and sends an instruction.",
     [](UmspTraceBuilder& builder) {
       agree(builder);
       builder.notify(Side::b, Opcode::nop);
     },
     "", Severity::warning},
    {"UMSP-5.4-13", "Nothing ends a session whose closing was accepted.",
     [](UmspTraceBuilder& builder) {
       agree(builder);
       builder.silence(100 * kSecond);
     },
     "", Severity::warning},
    {"UMSP-5.4-16", "a sends an instruction behind its SESSION_ABEND.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       abend(builder, Side::a);
       builder.notify(Side::a, Opcode::nop);
     },
     "", Severity::warning},

    {"UMSP-5.4.1-1", "A SESSION_CLOSE has PCK 00.", end_with<close, leave_session>},
    {"UMSP-5.4.1-2", "A SESSION_CLOSE has CHN 1.", end_with<close, chain>},
    {"UMSP-5.4.1-3", "A SESSION_CLOSE has ASK 1.", end_with<close, set_ask>, "", Severity::warning},
    {"UMSP-5.4.1-5", "A SESSION_CLOSE has two words of operands.", end_with_two_words<Opcode::session_close>},
    {"UMSP-5.4.1-6", "A SESSION_CLOSE names a session that its addressee has not.", end_with<close, name_unknown>, "",
     Severity::warning},
    {"UMSP-5.4.2-4", "A SESSION_ABEND has PCK 00.", end_with<abend, leave_session>},
    {"UMSP-5.4.2-5", "A SESSION_ABEND has CHN 1.", end_with<abend, chain>},
    {"UMSP-5.4.2-6", "A SESSION_ABEND has ASK 1.", end_with<abend, set_ask>},
    {"UMSP-5.4.2-8", "A SESSION_ABEND has two words of operands.", end_with_two_words<Opcode::session_abend>},
    {"UMSP-5.4.2-9", "A SESSION_ABEND names a session that its addressee has not.", end_with<abend, name_unknown>, "",
     Severity::warning},
};

}  // namespace

std::span<const UmspSample> umsp_closing_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
