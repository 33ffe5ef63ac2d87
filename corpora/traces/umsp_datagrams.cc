// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/umsp_datagrams.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr std::uint32_t kMemory = 0x0000'1000, kMemoryOfChain = 0x2000;
constexpr std::uint32_t kObject = 0x3000'0001;

// A WRITE from side a, outside of sessions.
void write(UmspDatagrams& builder) {
  builder.say(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
}
// A WRITE in the session of the instruction before it.
void inheriting(UmspDatagrams& builder) {
  builder.notify(Side::a, Opcode::write_4, UmspOctets().u32(32).u32(7), {},
                 [](Instruction& one) { one.header.pck = Pck::same_session; });
}
OctetBuffer write_operands() {
  return UmspOctets().u32(kMemory).u32(1);
}
void chained(UmspDatagrams& builder, umsp::ChainPlace place, HeadCode extension) {
  builder.chained(Side::a, Opcode::write_4, place, UmspOctets().u32(kMemoryOfChain).u32(1), {{.code = extension}});
}

constexpr UmspDatagramSample kSamples[] = {
    {"UMSP-5-3", "A job is put under the JCP by a datagram.", [](UmspDatagrams& builder) { builder.control_req(); }},
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
    {"UMSP-6-13", "WRITE over UDP asks for a response.",
     [](UmspDatagrams& builder) { builder.request(Side::a, Opcode::write_4, write_operands()); }},
    {"UMSP-6-14", "A datagram ends within WRITE, after one that is whole.",
     [](UmspDatagrams& builder) {
       builder.notify(Side::a, Opcode::write_4, write_operands());
       builder.notify(Side::a, Opcode::write_4, write_operands());
       builder.last().octets.pop_back();
     }},
    {"", "WRITE goes over UDP, twice in one datagram.",
     [](UmspDatagrams& builder) {
       builder.notify(Side::a, Opcode::write_4, write_operands());
       builder.notify(Side::a, Opcode::write_4, write_operands());
       builder.join();
     },
     "umsp-write-over-udp"},
    {"", "An object is sought by broadcast, and found.",
     [](UmspDatagrams& builder) {
       builder.ask(Side::a, Opcode::obj_seek, {}, {{HeadCode::name, UmspOctets().text("clock"), false}});
       builder.ask(Side::b, Opcode::object, UmspOctets().u32(kObject).u16(1).u16(2));
     },
     "umsp-object-is-sought"},
    {"", "A chain lies in one datagram.",
     [](UmspDatagrams& builder) {
       chained(builder, {1, 0}, HeadCode::begin_sq);
       chained(builder, {1, 1}, HeadCode::end_chain);
       builder.join();
     },
     "umsp-udp-chain"},
    {"UMSP-7-21", "A chain does not end in its datagram.",
     [](UmspDatagrams& builder) {
       chained(builder, {1, 0}, HeadCode::begin_sq);
     }},
    {"UMSP-7-21", "A chain does not begin in its datagram.",
     [](UmspDatagrams& builder) {
       chained(builder, {1, 1}, HeadCode::end_chain);
     },
     "beginning"},
};

}  // namespace

std::span<const UmspDatagramSample> umsp_datagram_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
