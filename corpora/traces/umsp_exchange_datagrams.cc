// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, section 6, over UDP: some break it, some conform.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Opcode;

constexpr std::uint32_t kMemory = 0x0000'1000;
constexpr std::uint32_t kObject = 0x3000'0001;

OctetBuffer write() {
  return UmspOctets().u32(kMemory).u32(1);
}

constexpr UmspDatagramSample kSamples[] = {
    {"UMSP-6-13", "WRITE over UDP asks for a response.",
     [](UmspDatagrams& builder) { builder.request(Side::a, Opcode::write_4, write()); }},
    {"UMSP-6-14", "A datagram ends within WRITE, after one that is whole.",
     [](UmspDatagrams& builder) {
       builder.notify(Side::a, Opcode::write_4, write());
       builder.notify(Side::a, Opcode::write_4, write());
       builder.last().octets.pop_back();
     }},
    {"", "WRITE goes over UDP, twice in one datagram.",
     [](UmspDatagrams& builder) {
       builder.notify(Side::a, Opcode::write_4, write());
       builder.notify(Side::a, Opcode::write_4, write());
       builder.join();
     },
     "umsp-write-over-udp"},
    {"", "An object is sought by broadcast, and found.",
     [](UmspDatagrams& builder) {
       builder.ask(Side::a, Opcode::obj_seek, {}, {{HeadCode::name, UmspOctets().text("clock"), false}});
       builder.ask(Side::b, Opcode::object, UmspOctets().u32(kObject).u16(1).u16(2));
     },
     "umsp-object-is-sought"},
};

}  // namespace

std::span<const UmspDatagramSample> umsp_vm_datagrams() {
  return kSamples;
}

}  // namespace wirelaw::corpora
