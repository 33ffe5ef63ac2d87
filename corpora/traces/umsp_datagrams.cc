// SPDX-License-Identifier: Apache-2.0
// Traces of UMSP over UDP: conforming ones, and ones that break the rules for datagrams.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

// A WRITE from side a, outside of sessions.
void write(UmspDatagrams& builder) {
  builder.say(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
}

void inheriting(UmspDatagrams& builder) {
  builder.notify(Side::a, Opcode::write_4, UmspOctets().u32(32).u32(7), {},
                 [](Instruction& one) { one.header.pck = Pck::same_session; });
}

constexpr UmspDatagramSample kSamples[] = {
    {{},
     "Several instructions in a datagram, of which the latter inherit the session.",
     [](UmspDatagrams& builder) {
       write(builder);
       builder.notify(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
       inheriting(builder);
       builder.join();
     },
     "umsp-datagrams"},
    {"UMSP-3.1-13", "The first instruction of a datagram has PCK 01.",
     [](UmspDatagrams& builder) {
       builder.notify(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
       inheriting(builder);
     }},
};

}  // namespace

std::span<const UmspDatagramSample> umsp_datagram_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
