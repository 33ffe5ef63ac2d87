// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.7: a JCP checks whether its nodes are active.
#include "conformance/umsp/5.7-activity-control/activity_control.h"

#include <algorithm>

#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kWithoutSessions = 2, kCompleted = 4;  // states in TASK_STATE; 3: without resources too

// ------------------------------------------------------------------------------------------------------------- tables
// An instruction that may have no extension header at all violates only the rule of EXT.
void judge_inaction_time(Judge& judge, const Seen& seen, std::size_t index) {
  if (seen.layout == nullptr || !seen.layout->allows_ext(true)) return;
  judge.advise(rule<"UMSP-5.7.1-7">, seen.layout->lists(HeadCode::inaction_time), seen.extension(index),
               expected("an instruction about a job or a task that is requested, or its answer"),
               actual(seen.layout->name));
}

void judge_task_state(Judge& judge, const Seen& seen) {
  constexpr std::uint64_t kFirstState = 1, kLastState = 4;
  const auto state = seen.value(Operand::state).value_or(0);
  judge.require(rule<"UMSP-5.7.3-9">, state >= kFirstState && state <= kLastState, seen.operand(Operand::state),
                expected("1 to 4"), actual(state));
  const auto reserved = seen.value(Operand::reserved).value_or(0);
  judge.require(rule<"UMSP-5.7.3-16">, reserved == 0, seen.operand(Operand::reserved), expected(0), actual(reserved));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::state_req,
     .ask = &rule<"UMSP-5.7.2-4">,
     .pck = &rule<"UMSP-5.7.2-2">,
     .ext = &rule<"UMSP-5.7.2-5">,
     .opr_length = &rule<"UMSP-5.7.2-6">},
    {.first = Opcode::task_state,
     .ask = &rule<"UMSP-5.7.3-5">,
     .pck = &rule<"UMSP-5.7.3-3">,
     .ext = &rule<"UMSP-5.7.3-6">,
     .opr_length = &rule<"UMSP-5.7.3-7">,
     .judge = judge_task_state},
    {.first = Opcode::node_reload,
     .ask = &rule<"UMSP-5.7.4-5">,
     .pck = &rule<"UMSP-5.7.4-3">,
     .ext = &rule<"UMSP-5.7.4-6">,
     .opr_length = &rule<"UMSP-5.7.4-7">},
};

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::inaction_time,
     .hob = &rule<"UMSP-5.7.1-3">,
     .head_length = &rule<"UMSP-5.7.1-1">,
     .judge = judge_inaction_time},
};

// ---------------------------------------------------------------------------------------------------------- procedure
// The JCP sends STATE_REQ after an inaction time without instructions. The observer may see a shorter time, by as much
// as instructions take to arrive. An inaction time is more than three times the longest of these delays (5.7.1).
// STATE_REQ is certainly too early if the JCP has certainly sent another instruction within that time (UMSP/B60).
void judge_silence_before(Judge& judge, const Seen& seen, const ManagedNode& node) {
  if (!node.period || node.reloaded || !node.asked.empty()) return;
  if (!require_if_alone(judge, seen, rule<"UMSP-5.7.1-9">, *node.period != 0, octets(0, 1), expected("no STATE_REQ"),
                        actual("STATE_REQ"), "the node has registered with the inaction period 0"))
    return;
  constexpr std::int64_t kHalfSecond = 500'000'000;
  const std::int64_t least = *node.period * kHalfSecond / 3 * 2;
  const std::int64_t silent = seen.message.time_ns - node.latest_ns;
  if (silent < 0) return;
  const bool is_certain = node.certain_ns && seen.message.time_ns - *node.certain_ns < least;
  const auto want = expected([&] { return fmt::format("an inaction time of {} half seconds", *node.period); });
  const auto got = actual([&] { return fmt::format("{} ms since the latest instruction", silent / 1'000'000); });
  if (is_certain)
    require_if_alone(judge, seen, rule<"UMSP-5.7.2-9">, silent >= least, octets(0, 1), want, got);
  else
    judge.advise(rule<"UMSP-5.7.2-9">, silent >= least, octets(0, 1), want, got);
}

void take_state_req(Judge& judge, const Seen& seen) {
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  const auto ltid = certain_value(seen, Operand::ltid);
  if (!ltid) {
    node.complete = false;  // it may still be answered
    return;
  }
  judge_is_jcp_of(judge, seen, rule<"UMSP-5.7.2-1">);
  const auto task = node.tasks.find(*ltid);
  const bool reported = task != node.tasks.end() && task->second.job_reported;
  if (require_if_alone(judge, seen, rule<"UMSP-5.7.2-16">, !reported, seen.operand(Operand::ltid),
                       expected("an active task"), actual(hex(*ltid)), "JOB_COMPLETED_INFO went before it"))
    judge_silence_before(judge, seen, node);
  node.keep_asked(*ltid, seen.message.time_ns);
}

// Judges that a STATE_REQ waits for this answer. If one may be missing, nothing is judged. An answer that does not
// certainly show which STATE_REQ it is for (`certain` is false) is taken to answer the first that waits.
bool answers(Judge& judge, const Seen& seen, ManagedNode& node, const Rule& rule, bool certain) {
  if (!certain) {
    if (!node.asked.empty()) node.asked.erase(node.asked.begin());
    return false;
  }
  const bool all_seen = seen.to().unbroken && node.complete && !seen.message.order_unknown;
  if (node.asked.empty() && !all_seen) return false;
  return judge.advise(rule, !node.asked.empty(), octets(0, 1), expected("a STATE_REQ before it"), actual("none"),
                      "no STATE_REQ on this connection waits for an answer");
}

void take_task_state(Judge& judge, const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!answers(judge, seen, node, rule<"UMSP-5.7.3-2">, ctid.has_value())) return;
  const auto known = [&](std::uint64_t ltid) { return node.tasks.contains(ltid); };
  auto sent_after = seen.from().sent_after_ns;
  if (!node.asked.empty()) sent_after = std::max(sent_after.value_or(node.asked_ns), node.asked_ns);
  auto asked = std::ranges::find_if(node.asked,
                                    [&](std::uint64_t ltid) { return known(ltid) && node.tasks[ltid].ctid == *ctid; });
  if (asked != node.asked.end() || std::ranges::all_of(node.asked, known))
    require_if_alone(judge, seen, rule<"UMSP-5.7.3-17">, asked != node.asked.end(), seen.operand(Operand::ctid),
                     expected("the CTID of a task that was asked for"), actual(hex(*ctid)),
                     "the LTID of STATE_REQ was confirmed with another CTID");
  if (asked == node.asked.end()) asked = std::ranges::find_if_not(node.asked, known);
  node.asked.erase(asked == node.asked.end() ? node.asked.begin() : asked);
  if (const auto parties = parties_of(seen))
    parties->jobs.note_state(parties->to, parties->from, *ctid,
                             {.where = {seen.message.frame, seen.message.time_ns},
                              .state = seen.value(Operand::state).value_or(0),
                              .sent_after_ns = sent_after});
  if (seen.value(Operand::state) == kCompleted)
    for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
}

// A node that has said to have no sessions, or no task, uses none that it had accepted long before. The order of two
// instructions on two connections is known only if answers or acknowledgments prove it (UMSP/B60).
void judge_use_after_state(Judge& judge, const Seen& seen) {
  const auto job = job_in_use(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  const auto report = parties ? parties->jobs.report_of(parties->from, *job) : std::nullopt;
  if (!report || report->state < kWithoutSessions || report->state > kCompleted) return;
  if (report->where.time_ns - seen.session->accepted_ns < kTransitNs) return;
  // It accepted the session itself before it was asked. Or it may have sent the report before the other one accepted.
  const bool has_accepted = seen.session->latest_open != seen.message.sender && report->sent_after_ns &&
                            *report->sent_after_ns - seen.session->accepted_ns >= kSkewNs;
  judge_use_after_end(judge, seen, report->state == kCompleted ? rule<"UMSP-5.7.3-13"> : rule<"UMSP-5.7.3-11">,
                      report->where, has_accepted ? std::optional(report->where.time_ns) : std::nullopt, false);
}

void take_node_reload(Judge& judge, const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  node.reloaded = true;
  if (!answers(judge, seen, node, rule<"UMSP-5.7.4-2">, ltid.has_value())) return;
  const auto asked = std::ranges::find(node.asked, *ltid);
  judge.advise(rule<"UMSP-5.7.4-9">, asked != node.asked.end(), seen.operand(Operand::ltid),
               expected("the LTID of a STATE_REQ that waits"), actual(hex(*ltid)));
  node.asked.erase(asked == node.asked.end() ? node.asked.begin() : asked);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_ltid(*ltid, is_here); });
}

}  // namespace

SectionTables activity_tables() {
  return {.instructions = kInstructions, .extensions = kExtensions};
}

void judge_activity(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::state_req)) return take_state_req(judge, seen);
  if (seen.is(Opcode::task_state)) return take_task_state(judge, seen);
  if (seen.is(Opcode::node_reload)) return take_node_reload(judge, seen);
  judge_use_after_state(judge, seen);
}

void judge_inaction_of_registration(Judge& judge, const Seen& seen) {
  const auto index = find_inaction_time(seen);
  if (!index) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const bool active = std::ranges::any_of(node.tasks, [](const auto& one) { return !one.second.ended; });
  judge.advise(rule<"UMSP-5.7.1-8">, !active, seen.extension(*index), expected("no _INACTION_TIME"),
               actual("_INACTION_TIME"), "the node has an active task under this JCP");
}

void judge_inaction_of_answer(Judge& judge, const Seen& seen, const ManagementRequest& request) {
  const auto index = find_inaction_time(seen);
  if (!index) return;
  const bool confirms = seen.is(Opcode::task_confirm);
  // A JCP that names no period may not have set one.
  const bool certain = !request.has_inaction_time || request.period.has_value();
  if (certain)
    judge.require(confirms ? rule<"UMSP-5.7.1-12"> : rule<"UMSP-5.7.1-11">, request.has_inaction_time != confirms,
                  seen.extension(*index), expected("no _INACTION_TIME"), actual("_INACTION_TIME"),
                  confirms ? "TASK_REG has set the period" : "TASK_REG has set no period that could be refused");
  if (confirms)
    for_each_account(seen, other(seen.message.sender), [&](ManagedNode& one, bool) { one.period = period_of(seen); });
}

}  // namespace wirelaw::umsp
