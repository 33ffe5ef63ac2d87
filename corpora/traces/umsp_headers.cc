// SPDX-License-Identifier: Apache-2.0
// What breaks RFC 3018, sections 2 to 3.4.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

constexpr UmspSample kSamples[] = {
    {"UMSP-3.1-7", "An instruction with OPCODE 0.",
     [](UmspScript& script) {
       script.open();
       script.say(Side::a, static_cast<Opcode>(0), {});
     }},
    {"UMSP-3.1-18", "The first instruction of a stream has PCK 01.",
     [](UmspScript& script) {
       script.open();
       script.notify(Side::a, Opcode::nop, {}, {}, [](Instruction& nop) { nop.header.pck = Pck::same_session; });
     }},
};

}  // namespace

std::span<const UmspSample> umsp_header_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
