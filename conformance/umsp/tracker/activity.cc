// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/activity.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kWithoutSessions = 2, kCompleted = 4;  // states in TASK_STATE; 3: without resources too

// The JCP sends STATE_REQ after an inaction time without instructions. The observer may see a shorter time, by as much
// as instructions take to arrive. An inaction time is more than three times the longest of these delays (5.7.1).
// STATE_REQ is certainly too early if the JCP has certainly sent another instruction within that time (UMSP/B60).
std::optional<StateRequestFact::Silence> silence_before(const Seen& seen, const ManagedNode& node) {
  if (!node.period || node.reloaded || !node.asked.empty()) return std::nullopt;
  constexpr std::int64_t kHalfSecond = 500'000'000;
  const std::int64_t now_ns = seen.message.time_ns, least_ns = *node.period * kHalfSecond / 3 * 2;
  return StateRequestFact::Silence{.period = *node.period,
                                   .silent_ns = now_ns - node.latest_ns,
                                   .least_ns = least_ns,
                                   .is_certain = node.certain_ns && now_ns - *node.certain_ns < least_ns};
}

// The node itself has ended the task that STATE_REQ names, and has no other task with that LTID.
std::optional<StateRequestFact::Ended> end_of(const Seen& seen, std::uint64_t ltid) {
  if (!is_all_seen(seen.connection) || seen.message.order_unknown) return std::nullopt;
  std::optional<MessageMark> end;
  bool is_here = false, may_be_active = false;
  for_each_account(seen, other(seen.message.sender), [&](const ManagedNode& node, bool here) {
    const auto found = node.tasks.find(ltid);
    const bool is_known = found != node.tasks.end();
    may_be_active |= !node.complete || !node.knows_ctids || (is_known && !found->second.ended);
    if (!is_known || !found->second.ended_by_node) return;
    end = found->second.end;
    is_here = here;
  });
  if (!end || may_be_active) return std::nullopt;
  const bool is_received = is_sent_after(seen, end->time_ns) || has_answered_after(seen, end->index);
  const bool is_certain = is_here && is_only_one(seen.connection) && is_received;
  if (!is_certain && seen.message.time_ns - end->time_ns < kTransitNs) return std::nullopt;
  return StateRequestFact::Ended{end->frame, is_certain};
}

std::optional<StateRequestFact> follow_request(const Seen& seen) {
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  const auto ltid = certain_value(seen, Operand::ltid);
  if (!ltid) {
    node.complete = false;  // it may still be answered
    return std::nullopt;
  }
  const auto task = node.tasks.find(*ltid);
  StateRequestFact fact{.is_alone = is_only_one(seen.connection),
                        .has_task = has_confirmed_task(seen),
                        .is_reported = task != node.tasks.end() && task->second.job_reported};
  if (!fact.is_reported) fact.ended = end_of(seen, *ltid);
  if (!fact.is_reported && !fact.ended) fact.silence = silence_before(seen, node);
  node.keep_asked(*ltid, seen.message.time_ns);
  node.former_question = std::exchange(node.question, mark_of(seen.message));
  std::erase(node.to_ask, *ltid);
  return fact;
}

// Returns false if nothing is known about the STATE_REQ that the instruction answers. An answer that does not certainly
// show which one it is for (`is_certain` is false) is taken to answer the first that waits.
bool is_known_answer(const Seen& seen, ManagedNode& node, bool is_certain) {
  if (!is_certain) {
    if (!node.asked.empty()) node.asked.erase(node.asked.begin());
    return false;
  }
  const bool all_seen = seen.to().unbroken && node.complete && !seen.message.order_unknown;
  return !node.asked.empty() || all_seen;
}

void take_asked(ManagedNode& node, std::vector<std::uint64_t>::iterator asked) {
  node.asked.erase(asked == node.asked.end() ? node.asked.begin() : asked);
}

TaskReport report_in(const Seen& seen, const ManagedNode& node) {
  const auto& sent_after = seen.from().sent_after_ns;
  return {.where = {seen.message.frame, seen.message.time_ns},
          .state = seen.value(Operand::state).value_or(0),
          .sent_after_ns = std::max(sent_after.value_or(node.asked_ns), node.asked_ns)};
}

std::optional<StateAnswerFact> follow_state(const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!is_known_answer(seen, node, ctid.has_value())) return std::nullopt;
  StateAnswerFact fact{.is_alone = is_only_one(seen.connection), .is_awaited = !node.asked.empty()};
  if (!fact.is_awaited) return fact;
  const auto is_known = [&](std::uint64_t ltid) { return node.tasks.contains(ltid); };
  auto asked = std::ranges::find_if(
      node.asked, [&](std::uint64_t ltid) { return is_known(ltid) && node.tasks[ltid].ctid == *ctid; });
  if (asked != node.asked.end() || std::ranges::all_of(node.asked, is_known))
    fact.names_asked = asked != node.asked.end();
  if (asked == node.asked.end()) asked = std::ranges::find_if_not(node.asked, is_known);
  if (const auto parties = parties_of(seen))
    parties->jobs.note_state(parties->to, parties->from, *ctid, report_in(seen, node));
  take_asked(node, asked);
  if (seen.value(Operand::state) == kCompleted)
    for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
  return fact;
}

std::optional<StateAnswerFact> follow_reload(const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  node.reloaded = true;
  if (!is_known_answer(seen, node, ltid.has_value())) return std::nullopt;
  if (node.asked.empty()) return StateAnswerFact{.is_awaited = false};
  const auto asked = std::ranges::find(node.asked, *ltid);
  const StateAnswerFact fact{.is_awaited = true, .names_asked = asked != node.asked.end()};
  const auto parties = parties_of(seen);
  if (*fact.names_asked && parties) parties->jobs.note_reload(parties->to, parties->from, *ltid, report_in(seen, node));
  take_asked(node, asked);
  if (*fact.names_asked) node.note_reload(*ltid, mark_of(seen.message));
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_ltid(*ltid, is_here); });
  return fact;
}

// A positive response to a request that has passed after the report. The responder was not ended or reloaded then.
std::optional<UseAfterEndFact> answer_after(const Seen& seen, const TaskReport& report, bool has_accepted) {
  using enum UseAfterEndFact::Order;
  const ObservedRequest* const request = was_guessed(seen) ? nullptr : find_answered(seen);
  if (request == nullptr || !request->is_certain || !seen.says_yes() || seen.connection.jobs->is_live())
    return std::nullopt;
  const std::int64_t later_ns = request->seen_ns - report.where.time_ns;
  if (later_ns <= 0) return std::nullopt;
  return UseAfterEndFact{report.where.frame, has_accepted && later_ns >= kSkewNs ? proven : likely};
}

// A node that has said to have no sessions, or no task, uses none that it had accepted long before. The order of two
// instructions on two connections is known only if answers or acknowledgments prove it (UMSP/B60).
std::optional<UseAfterEndFact> use_after(const Seen& seen, const TaskReport& report) {
  if (report.where.time_ns - seen.session->accepted_ns < kTransitNs) return std::nullopt;
  // It accepted the session itself before it was asked. Or it may have sent the report before the other one accepted.
  const bool has_accepted = seen.session->latest_open != seen.message.sender && report.sent_after_ns &&
                            *report.sent_after_ns - seen.session->accepted_ns >= kSkewNs;
  if (seen.is_response()) return answer_after(seen, report, has_accepted);
  return use_after_end(seen, report.where, has_accepted ? std::optional(report.where.time_ns) : std::nullopt, false);
}

void follow_use(const Seen& seen, ActivityFacts& facts) {
  if (!seen.is_of(OpcodeClass::exchange) && !seen.is(Opcode::session_abend)) return;
  const auto job = job_of_session(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  if (!parties) return;
  if (const auto reload = parties->jobs.reload_of(parties->from, *job))
    facts.use_after_reload = use_after(seen, *reload);
  const auto report = parties->jobs.report_of(parties->from, *job);
  if (!report || report->state < kWithoutSessions || report->state > kCompleted) return;
  (report->state == kCompleted ? facts.use_of_completed : facts.use_without_sessions) = use_after(seen, *report);
}

bool confirms_task(const Seen& seen) {
  return seen.is(Opcode::task_confirm) || seen.is(Opcode::control_confirm);
}

}  // namespace

ActivityFacts follow_activity(const Seen& seen) {
  ActivityFacts facts;
  if (seen.is(Opcode::state_req))
    facts.request = follow_request(seen);
  else if (seen.is(Opcode::task_state))
    facts = {.answer = follow_state(seen), .jcp_format = jcp_format_of(seen, seen.message.sender)};
  else if (seen.is(Opcode::node_reload))
    facts.answer = follow_reload(seen);
  else
    follow_use(seen, facts);
  return facts;
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

}  // namespace wirelaw::umsp
