// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.1: a node puts a job under the control of another node.
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"

#include "conformance/umsp/2.3-transport/transport.h"
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------------------------ profile
// The last two octets of the control profile: CMT, 3 reserved bits and VERSION; then 8 reserved bits.
struct ProfileEnd {
  bool cmt;
  unsigned reserved, version, last;
  OctetRange flags, end;  // places in the instruction
};

ProfileEnd profile_of(const Seen& seen) {
  const std::uint64_t value = seen.value(Operand::control_profile).value_or(0);
  const std::size_t at = seen.operand(Operand::control_profile).offset;
  return {.cmt = (value >> 15 & 1) != 0,
          .reserved = static_cast<unsigned>(value >> 12 & 7),
          .version = static_cast<unsigned>(value >> 8 & 15),
          .last = static_cast<unsigned>(value & 0xff),
          .flags = octets(at + 2, 1),
          .end = octets(at + 3, 1)};
}

void judge_control_req(Judge& judge, const Seen& seen) {
  const ProfileEnd profile = profile_of(seen);
  judge.advise(rule<"UMSP-5.1.1-12">, !profile.cmt, profile.flags, expected(0), actual(profile.cmt));
  judge.require(rule<"UMSP-5.1.1-14">, profile.version == 1, profile.flags, expected(1), actual(profile.version));
  judge.require(rule<"UMSP-5.1.1-15">, profile.reserved == 0, profile.flags, expected(0), actual(profile.reserved));
  judge.require(rule<"UMSP-5.1.1-16">, profile.last == 0, profile.end, expected(0), actual(profile.last));
}

void judge_control_reject(Judge& judge, const Seen& seen) {
  const auto code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(rule<"UMSP-5.1.3-11">, code != 0, seen.operand(Operand::basic_error_code),
                expected("a code other than 0"), actual(code));
  if (seen.operands.find(Operand::control_profile) == nullptr) return;
  const ProfileEnd profile = profile_of(seen);
  const bool at_end = profile.reserved == 0;
  judge.require(rule<"UMSP-5.1.3-14">, at_end && profile.last == 0, at_end ? profile.end : profile.flags, expected(0),
                actual(at_end ? profile.last : profile.reserved));
}

// ---------------------------------------------------------------------------------------------------------- procedure
// No task of another job has the CTID at the end of the GJID.
void judge_assigned_ctid(Judge& judge, const Seen& seen, const Identifier& gjid, const ManagementRequest& request) {
  const Side initiator = other(seen.message.sender);
  const auto want = expected("a GJID that ends in a CTID which no active task has");
  const auto got = actual([&] { return to_string(gjid); });
  bool is_taken = false, is_known = !request.has_inaction_time;  // otherwise the node was reloaded (UMSP/B5)
  for_each_account(seen, initiator, [&](const ManagedNode& node, bool) {
    is_known &= node.asked.empty() && node.complete;  // otherwise the JCP may consider the node's tasks ended
    is_taken |= node.has_task_with(gjid.task);
  });
  constexpr std::string_view kWhy = "a task of the node was confirmed with it, and its end was not seen";
  // The notice of its end may be on its way on another connection, which TCP does not order before this one.
  const bool is_first = seen.connection.pair != nullptr && seen.connection.pair->is_first();
  const bool is_free = !is_known || (is_first ? require_if_all_seen(judge, seen, rule<"UMSP-5-18">, !is_taken,
                                                                    seen.operand(Operand::gjid), want, got, kWhy)
                                              : judge.advise(rule<"UMSP-5-18">, !is_taken, seen.operand(Operand::gjid),
                                                             want, got, kWhy));
  if (!is_free) return;
  const auto parties = parties_of(seen);
  if (!parties) return;
  const JobTask* const taken = parties->jobs.active_elsewhere(parties->from, gjid.task, parties->to);
  const JobTask* const former = parties->jobs.task(parties->from, parties->to, *request.ltid);
  if (taken == nullptr || taken->is_first) return;             // first task of another job: UMSP-2.2-10
  if (former != nullptr && former->job == taken->job) return;  // CONTROL_REQ has ended that job (UMSP/B6)
  require_of_all(judge, parties->jobs, rule<"UMSP-5-18">, false, seen.operand(Operand::gjid), want, got,
                 "another node's task was confirmed with it, and its end was not seen");
}

void take_confirmation(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, true, {.in_answer = rule<"UMSP-5.1.2-1">, .req_id = rule<"UMSP-5.1.2-9">});
  const auto gjid = certain_gjid(seen);
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  node.knows_ctids &= gjid.has_value();
  if (!gjid) return;
  node.jcp_format = gjid->format;
  if (request == nullptr || !request->ltid) {
    node.knows_ctids = false;
    if (const auto parties = parties_of(seen)) parties->jobs.forget_job({parties->from, gjid->task});
    return;
  }
  judge_assigned_ctid(judge, seen, *gjid, *request);
  if (const auto parties = parties_of(seen)) {
    judge_unique_gjid(judge, seen, *parties, *gjid, *request);
    parties->jobs.begin_again(parties->from, parties->to, *request->ltid, seen.message.time_ns, seen.message.frame);
    parties->jobs.note_job({parties->from, gjid->task}, parties->to, *request->ltid, request->name);
  }
  node.keep(*request->ltid, ManagedTask{.ctid = gjid->task, .first_ctid = gjid->task, .gjid = *gjid});
  for_each_account(seen, other(seen.message.sender), [&](ManagedNode& one, bool) { one.period = request->period; });
}

// CONTROL_CONFIRM assigned the GJID to the job; CONTROL_REQ named the job's first task.
void judge_session_open(Judge& judge, const Seen& seen) {
  const auto ltid = certain_value(seen, Operand::ltid);
  const auto gjid = certain_gjid(seen);
  if (!gjid || !ltid) return;
  for (const auto& [known, task] : seen.connection.management.of(seen.message.sender).tasks) {
    if (task.ended || task.gjid != *gjid) continue;
    require_if_alone(judge, seen, rule<"UMSP-5.1-2">, *ltid == known, seen.operand(Operand::ltid), expected(hex(known)),
                     actual(hex(*ltid)), "the job was put under the JCP with that LTID");
    return;
  }
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::control_req,
     .ask = &rule<"UMSP-5.1.1-4">,
     .pck = &rule<"UMSP-5.1.1-2">,
     .opr_length = &rule<"UMSP-5.1.1-6">,
     .judge = judge_control_req},
    {.first = Opcode::control_confirm,
     .ask = &rule<"UMSP-5.1.2-4">,
     .pck = &rule<"UMSP-5.1.2-2">,
     .opr_length = &rule<"UMSP-5.1.2-7">,
     .operands = &rule<"UMSP-5.1.2-8">},
    {.first = Opcode::control_reject,
     .ask = &rule<"UMSP-5.1.3-6">,
     .pck = &rule<"UMSP-5.1.3-4">,
     .opr_length = &rule<"UMSP-5.1.3-9">,
     .judge = judge_control_reject},
};

}  // namespace

SectionTables job_tables() {
  return {.instructions = kInstructions};
}

void judge_job(Judge& judge, const Seen& seen) {
  if (seen.layout == nullptr) return;
  switch (seen.layout->opcode) {
    case Opcode::control_req:
      return keep_request(seen, {.answer = &rule<"UMSP-5.1.1-27">, .for_control = true});
    case Opcode::control_confirm:
      return take_confirmation(judge, seen);
    case Opcode::control_reject:
      match_answer(judge, seen, true, {.in_answer = rule<"UMSP-5.1.3-1">, .req_id = rule<"UMSP-5.1.3-10">});
      return;
    case Opcode::session_open:
      return judge_session_open(judge, seen);
    default:
      return;
  }
}

void judge_former_job_notice(Judge& judge, const JobNotice& notice) {
  judge.require(
      rule<"UMSP-5.1.1-22">, false, octets(0, 0), expected("the notice that the former job has ended"), actual("none"),
      [&] { return fmt::format("frame {} allows its node a new job with the same LTID", notice.frame); },
      Evidence::absence);
}

}  // namespace wirelaw::umsp
