// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5: job management, and the identifiers of jobs and tasks.
#include "conformance/umsp/5-job-management/job_management.h"

#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

// Checks a CTID between a node and its JCP, whose GJIDs show how long its local addresses are.
void check_ctid(Judge& judge, const SeenInstruction& seen, const AddressFormat& jcp_format, bool is_elsewhere) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (ctid == nullptr || ctid->length <= jcp_format.memory_octets()) return;
  const std::size_t in_front = ctid->length - jcp_format.memory_octets();
  const Octets field = umsp::octets_of(*ctid, seen.instruction.operands).first(in_front);
  const OctetRange where = octets(seen.at(*ctid).offset, in_front);
  judge.require(rule<"UMSP-5-26">, number_of(field) == 0, where, expected(0), actual(number_of(field)),
                "the JCP's local addresses are shorter than the field",
                is_elsewhere ? Evidence::order : Evidence::octets);
}

}  // namespace

void check_transport(Judge& judge, const SeenInstruction& seen) {
  if (!seen.is_of(OpcodeClass::management)) return;
  const bool may_use_udp = seen.is(Opcode::vm_req) || seen.is(Opcode::vm_notif);
  judge.require(rule<"UMSP-5-3">, !seen.in_datagram || may_use_udp, octets(0, 1),
                expected("an OPCODE of 128 to 223, VM_REQ or VM_NOTIF"), actual(seen.instruction.opcode()));
}

void check_management(Judge& judge, const SeenInstruction& seen, const ManagementFacts& facts) {
  if (facts.jcp_format) check_ctid(judge, seen, *facts.jcp_format, facts.is_format_elsewhere);
  if (facts.is_ltid_free)
    require_if(judge, facts.is_certain, rule<"UMSP-5-14">, *facts.is_ltid_free, seen.operand(Operand::ltid),
               expected("an LTID that no other active task has"), actual(hex(*certain_value(seen, Operand::ltid))),
               "a task of another job was confirmed with it, and its end was not seen");
}

}  // namespace wirelaw::umsp
