// SPDX-License-Identifier: Apache-2.0
// Conforming traces across sections: sessions that several rules could misjudge.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::Opcode;

// Side a closes the session; side b agrees.
void close_session(UmspTraceBuilder& builder, std::uint32_t req_id) {
  builder.notify(Side::a, Opcode::session_close);
  builder.respond(Side::b, Opcode::rsp_p, {}, req_id);
}

constexpr UmspSample kSamples[] = {
    {{},
     "The REQ_IDs of the VM and of the protocol layer, and those of the two sides, are the same.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
       builder.request(Side::a, Opcode::req_buf, UmspOctets().u32(4096));
       builder.request(Side::b, Opcode::write_4, UmspOctets().u32(16).u32(7));
       builder.respond(Side::b, Opcode::rsp_p);
       builder.respond(Side::a);
       builder.respond(Side::b);
     },
     "umsp-same-req-ids"},
    {{},
     "RSP_P to SESSION_CLOSE has REQ_ID 0, as a WRITE has that is answered later.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7), {}, 0);
       close_session(builder, 0);
       builder.respond(Side::b, Opcode::rsp, {}, 0);
       builder.notify(Side::a, Opcode::session_abend);
     },
     "umsp-answers-while-closing"},
};

}  // namespace

std::span<const UmspSample> umsp_conforming_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
