// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/management_requests.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {
namespace {

// Judges an answer whose REQ_ID is that of no request on this connection.
void judge_unasked(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules) {
  const ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  if (!seen.to().unbroken || !node.complete || seen.message.order_unknown) return;
  const bool waits = std::ranges::any_of(node.requests, [&](const auto& one) {
    return !one.second.is_answered() && one.second.for_control == for_control;
  });
  judge.advise(waits ? rules.req_id : rules.in_answer, false, seen.field(HeaderField::req_id),
               expected(waits ? "REQ_ID of a request that waits" : "a request before it"),
               actual(hex(seen.header().req_id)), "no request on a connection of the two nodes has it");
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

std::optional<std::uint64_t> certain_value(const Seen& seen, Operand operand) {
  if (seen.operands.flaw && *seen.operands.flaw != OperandFlaw::padding) return std::nullopt;
  return seen.value(operand);
}

std::optional<Identifier> certain_gjid(const Seen& seen) {
  const auto field = seen.octets_of(Operand::gjid);
  if (!field || (seen.operands.flaw && *seen.operands.flaw != OperandFlaw::padding)) return std::nullopt;
  const auto gjid = decode_identifier(*field);
  return gjid ? std::optional(*gjid) : std::nullopt;
}

std::optional<std::size_t> find_inaction_time(const Seen& seen) {
  const auto& all = seen.instruction.extensions;
  const auto found =
      std::ranges::find(all, static_cast<std::uint16_t>(HeadCode::inaction_time), &ExtensionHeader::head_code);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::optional<std::uint16_t> period_of(const Seen& seen) {
  const auto index = find_inaction_time(seen);
  if (!index) return std::nullopt;
  const ExtensionHeader& header = seen.instruction.extensions[*index];
  const OperandView view = locate(header);
  const auto value = value_of(view, Operand::inaction_period, header.data);
  if (view.flaw || !value) return std::nullopt;
  return static_cast<std::uint16_t>(*value);
}

std::optional<std::string> job_name_of(const Seen& seen) {
  const auto name = name_of(seen.instruction);
  return name && name->size() <= kMostJobName ? std::optional<std::string>(*name) : std::nullopt;
}

void gather_questions(const Seen& seen, Side side) {
  ManagedNode& node = seen.connection.management.of(side);
  for_each_account(seen, side, [&](ManagedNode& one, bool is_here) {
    if (is_here) return;
    for (const std::uint64_t ltid : std::exchange(one.asked, {})) node.keep_asked(ltid, one.asked_ns);
    node.complete &= one.complete;
    node.reloaded |= one.reloaded;
  });
}

void judge_unknown_ctid(Judge& judge, const Seen& seen, const Rule& rule) {
  // A case does not know all connections of the two nodes.
  if (seen.connection.pair == nullptr || !seen.connection.is_all_seen() || seen.message.order_unknown) return;
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return;
  bool is_known = false;
  for_each_account(seen, seen.message.sender, [&](const ManagedNode& one, bool) {
    is_known |= !one.complete || !one.knows_ctids || std::ranges::any_of(one.tasks, [&](const auto& task) {
      return task.second.ctid == *ctid || task.second.first_ctid == *ctid;
    });
  });
  // Whom the JCP asks for a session needs no TASK_REG (5.2).
  const auto is_asked = [](const Connection& one, Side jcp) {
    return std::ranges::any_of(one.sessions, [&](const auto& session) { return session.second.initiator == jcp; });
  };
  const Side jcp = other(seen.message.sender);
  is_known |= is_asked(seen.connection, jcp) || look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
                return is_asked(there, turned(jcp, is_turned));
              });
  judge.advise(rule, is_known, seen.operand(Operand::ctid),
               expected("a CTID that the JCP has given to a task of the node"), actual(hex(*ctid)),
               "unless that was before the capture");
}

void judge_ended_once(Judge& judge, const Seen& seen, const Rule& rule, std::uint64_t ctid) {
  bool has_ended = false, is_active = false, is_elsewhere = false;
  for_each_account(seen, seen.message.sender, [&](const ManagedNode& one, bool is_here) {
    has_ended |= one.has_ended(ctid);
    is_elsewhere |= !is_here && one.has_ended(ctid);
    is_active |= !one.complete || !one.knows_ctids || std::ranges::any_of(one.tasks, [&](const auto& task) {
      return !task.second.ended && task.second.ctid == ctid;
    });
  });
  const bool holds = !has_ended || is_active;
  const auto want = expected("a task that has not ended");
  const auto got = actual(hex(ctid));
  constexpr std::string_view kWhy = "its node has ended it before, and no task was confirmed with that CTID since then";
  if (is_elsewhere)
    judge.advise(rule, holds, seen.operand(Operand::ctid), want, got, kWhy);
  else
    require_if_all_seen(judge, seen, rule, holds, seen.operand(Operand::ctid), want, got, kWhy);
  if (seen.connection.management.of(seen.message.sender).complete)
    seen.connection.management.of(seen.message.sender).note_end_by_node(ctid);
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

const ManagementRequest* match_answer(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules) {
  if (!seen.header().ask) return nullptr;
  ManagementRequest* const found = find_asked(seen);
  if (found == nullptr || (found->is_answered() && found->for_control != for_control)) {
    judge_unasked(judge, seen, for_control, rules);
    return nullptr;
  }
  ManagementRequest& request = *found;
  const bool answered_before = request.is_answered();
  if (!answered_before) --request.waiting;
  if (request.repeated) return nullptr;
  const OctetRange where = seen.field(HeaderField::req_id);
  if (!judge.require(*request.answer, request.for_control == for_control, octets(0, 1),
                     expected("the answer to the request of this REQ_ID"), actual(seen.instruction.opcode())))
    return nullptr;
  if (!judge.require(rules.in_answer, !answered_before, where, expected("one answer to each request"),
                     actual("another one"), "the request of this REQ_ID was answered before"))
    return nullptr;
  judge.advise(rules.req_id, true, where, expected(""), actual(""));
  return &request;
}

}  // namespace wirelaw::umsp
