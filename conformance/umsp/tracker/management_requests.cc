// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/management_requests.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// What an answer shows whose REQ_ID is that of no request on this connection.
AnswerFact unasked(const Seen& seen, bool for_control) {
  const ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  if (!seen.to().unbroken || !node.complete || seen.message.order_unknown) return {};
  const bool waits = std::ranges::any_of(node.requests, [&](const auto& one) {
    return !one.second.is_answered() && one.second.is_for_control() == for_control;
  });
  return {waits ? AnswerFact::Match::other_waits : AnswerFact::Match::none};
}

// The request of the other side with this REQ_ID: a waiting one is preferred to an answered one, and one of this
// connection to others; nullptr if there is none.
ManagementRequest* find_asked(const Seen& seen) {
  const Side node = other(seen.message.sender);
  auto& requests = seen.connection.management.of(node).requests;
  const auto here = requests.find(seen.header().req_id);
  if (here != requests.end() && !here->second.is_answered()) return &here->second;
  ManagementRequest* found = here == requests.end() ? nullptr : &here->second;
  look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    auto& others = there.management.of(turned(node, is_turned)).requests;
    const auto one = others.find(seen.header().req_id);
    const bool waits = one != others.end() && !one->second.is_answered();
    if (waits) found = &one->second;
    return waits;
  });
  return found;
}

}  // namespace

void gather_questions(const Seen& seen, Side side) {
  ManagedNode& node = seen.connection.management.of(side);
  for_each_account(seen, side, [&](ManagedNode& one, bool is_here) {
    if (is_here) return;
    for (const std::uint64_t ltid : std::exchange(one.asked, {})) node.keep_asked(ltid, one.asked_ns);
    node.complete &= one.complete;
    node.reloaded |= one.reloaded;
  });
}

std::optional<bool> is_known_ctid(const Seen& seen) {
  // A case does not know all connections of the two nodes.
  if (seen.connection.pair == nullptr || !seen.connection.is_all_seen() || seen.message.order_unknown)
    return std::nullopt;
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return std::nullopt;
  bool is_known = false;
  for_each_account(seen, seen.message.sender, [&](const ManagedNode& one, bool) {
    is_known |= !one.complete || !one.knows_ctids || std::ranges::any_of(one.tasks, [&](const auto& task) {
      return task.second.ctid == *ctid || task.second.first_ctid == *ctid;
    });
  });
  // A node that the JCP asks for a session needs no TASK_REG (5.2).
  const auto is_asked = [](const Connection& one, Side jcp) {
    return std::ranges::any_of(one.sessions, [&](const auto& session) { return session.second.initiator == jcp; });
  };
  const Side jcp = other(seen.message.sender);
  return is_known || is_asked(seen.connection, jcp) ||
         look_elsewhere(seen.connection,
                        [&](Connection& there, bool is_turned) { return is_asked(there, turned(jcp, is_turned)); });
}

EndedOnceFact end_once(const Seen& seen, std::uint64_t ctid) {
  bool has_ended = false, is_active = false, is_elsewhere = false;
  for_each_account(seen, seen.message.sender, [&](const ManagedNode& one, bool is_here) {
    has_ended |= one.has_ended(ctid);
    is_elsewhere |= !is_here && one.has_ended(ctid);
    is_active |= !one.complete || !one.knows_ctids || std::ranges::any_of(one.tasks, [&](const auto& task) {
      return !task.second.ended && task.second.ctid == ctid;
    });
  });
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  if (node.complete) node.note_end_by_node(ctid, mark_of(seen.message));
  return {.is_again = has_ended && !is_active, .is_certain = !is_elsewhere && is_all_seen(seen.connection)};
}

void keep_request(const Seen& seen, ManagementRequest request) {
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  if (!seen.header().ask) {
    node.complete = false;  // it may be answered all the same
    return;
  }
  const auto before = node.requests.find(seen.header().req_id);
  request.waiting = before == node.requests.end() ? 1 : before->second.waiting + 1;
  request.repeated = request.waiting > 1;
  request.ltid = certain_value(seen, Operand::ltid);
  request.ctid = certain_value(seen, Operand::ctid);
  request.gtid = certain_gtid(seen);
  request.name = job_name_of(seen);
  request.has_inaction_time = find_inaction_time(seen).has_value();
  request.period = period_of(seen);
  node.keep(seen.header().req_id, request);
}

AnswerFact follow_answer(const Seen& seen, bool for_control) {
  using enum AnswerFact::Match;
  if (!seen.header().ask) return {};
  ManagementRequest* const request = find_asked(seen);
  if (request == nullptr || (request->is_answered() && request->is_for_control() != for_control))
    return unasked(seen, for_control);
  const bool answered_before = request->is_answered();
  if (!answered_before) --request->waiting;
  if (request->repeated) return {};
  if (request->is_for_control() != for_control) return {wrong_kind, request};
  return {answered_before ? again : right, request};
}

}  // namespace wirelaw::umsp
