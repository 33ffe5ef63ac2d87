// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5: job management, and the identifiers of jobs and tasks.
#include "conformance/umsp/5-job-management/job_management.h"

#include <algorithm>

#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/job_completion.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

bool may_go_over_udp(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::vm_req) || opcode == static_cast<std::uint8_t>(Opcode::vm_notif);
}

bool is_registration(const Seen& seen) {
  return seen.is(Opcode::task_reg_2) || seen.is(Opcode::task_reg_4) || seen.is(Opcode::task_reg_8);
}

// Judges a CTID between a node and its JCP, whose GJIDs show how long its local addresses are.
void judge_ctid(Judge& judge, const Seen& seen) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (ctid == nullptr || !certain_value(seen, Operand::ctid)) return;
  const bool by_jcp = seen.is(Opcode::task_confirm);
  const Side node = by_jcp ? other(seen.message.sender) : seen.message.sender;
  const auto format = seen.connection.management.of(node).jcp_format;
  if (!format || ctid->length <= format->memory_octets()) return;
  const std::size_t in_front = ctid->length - format->memory_octets();
  const Octets field = umsp::octets_of(*ctid, seen.instruction.operands).first(in_front);
  const OctetRange where = octets(seen.at(*ctid).offset, in_front);
  judge.require(rule<"UMSP-5-26">, number_of(field) == 0, where, expected(0), actual(number_of(field)),
                "the JCP's local addresses are shorter than the field");
}

// Judges the LTID of a task that is registered without a sign of a reload.
void judge_ltid(Judge& judge, const Seen& seen) {
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  if (!ltid || find_inaction_time(seen) || !node.asked.empty()) return;
  const ManagedTask* const active = node.find_active(*ltid);
  require_if_all_seen(judge, seen, rule<"UMSP-5-14">,
                      active == nullptr || active->first_ctid == certain_value(seen, Operand::ctid),
                      seen.operand(Operand::ltid), expected("an LTID that no other active task has"),
                      actual(hex(*ltid)), "a task of another job was confirmed with it, and its end was not seen");
}

bool confirms_task(const Seen& seen) {
  return seen.is(Opcode::task_confirm) || seen.is(Opcode::control_confirm);
}

void note_time(const Seen& seen) {
  for (const Side side : {Side::a, Side::b})
    for_each_account(seen, side, [&](ManagedNode& node, bool) { node.latest_ns = seen.message.time_ns; });
  const Side to = other(seen.message.sender);
  const auto& sent_after = seen.from().sent_after_ns;
  // A task that is activated later "does not influence the control of activity" (5.7.2).
  const bool is_later_task = confirms_task(seen) && seen.connection.management.of(to).active_tasks() > 1;
  for_each_account(seen, to, [&](ManagedNode& node, bool) {
    node.heard_ns = seen.message.time_ns;
    if (sent_after && !is_later_task) node.certain_ns = std::max(node.certain_ns.value_or(*sent_after), *sent_after);
  });
}

}  // namespace

void judge_management(Judge& judge, const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  if (class_of(opcode) == OpcodeClass::management)
    judge.require(rule<"UMSP-5-3">, !seen.connection.datagrams || may_go_over_udp(opcode), octets(0, 1),
                  expected("an OPCODE of 128 to 223, VM_REQ or VM_NOTIF"), actual(opcode));
  if (seen.connection.datagrams) return;
  judge_ctid(judge, seen);
  if (is_registration(seen)) judge_ltid(judge, seen);
  judge_job(judge, seen);
  judge_task(judge, seen);
  judge_task_end(judge, seen);
  judge_job_end(judge, seen);
  judge_activity(judge, seen);
  note_time(seen);
}

}  // namespace wirelaw::umsp
