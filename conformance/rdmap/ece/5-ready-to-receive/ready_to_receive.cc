// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 5, and 9.2 as far as the initiator's first message is concerned: the ready-to-receive indication.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/ece/5-ready-to-receive/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {
namespace {

// The flag of the kind of indication that a segment is; nullptr: it is none.
using Kind = bool mpa::EnhancedData::*;
Kind kind_of(const ddp::Segment& segment, Opcode opcode) {
  const bool empty = segment.payload.empty();
  if (opcode == Opcode::write) return empty ? &mpa::EnhancedData::rtr_write : nullptr;
  if (opcode == Opcode::read_request) {
    const auto request = decode_read_request(segment.payload);
    return request && request->size == 0 ? &mpa::EnhancedData::rtr_read : nullptr;
  }
  const bool send = opcode == Opcode::send || opcode == Opcode::send_se || opcode == Opcode::send_invalidate ||
                    opcode == Opcode::send_se_invalidate;
  return send && empty ? &mpa::EnhancedData::rtr_send : nullptr;
}

}  // namespace

void check_missing_indication(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.advise(rule<"ECE-9.2-9">, false, {}, expected("a ready-to-receive indication"),
               actual("nothing for 100 seconds"), "both sides have set A; or it was not captured");
}

void check_ready_to_receive(Judge& judge, Octets ulpdu, const mpa::EnhancedData& reply) {
  const auto segment = ddp::decode(ulpdu);
  if (!segment) return;
  // Other rules judge faults of the segment itself.
  const Control control = decode_control(segment->header.rsvd_ulp);
  const OpcodeRow* const row = find_opcode(control.opcode);
  if (row == nullptr || row->tagged != segment->header.tagged || row->opcode == Opcode::terminate) return;
  const Kind kind = kind_of(*segment, row->opcode);
  // A reply that sets A and names no kind is wrong (ECE-9.2-7), and leaves the initiator no correct kind, so its
  // indication causes a warning at most (RDMAP/A-52).
  if (!offers_a_kind(reply)) {
    judge.advise(rule<"ECE-9.2-9">, false, field::kRdmapControl, expected("a kind that the reply offers"),
                 actual(row->name), "the reply sets A and offers no kind, so that none would be right");
    return;
  }
  if (!judge.require(rule<"ECE-5-1">, kind != nullptr, field::kRdmapControl,
                     expected("a zero-length Send, Write or Read"), actual(row->name),
                     "both sides have set A, so the first message is to say that all is ready"))
    return;
  judge.require(rule<"ECE-9.2-9">, reply.*kind, field::kRdmapControl, expected("a kind that the reply offers"),
                actual(row->name));
}

}  // namespace wirelaw::rdmap
