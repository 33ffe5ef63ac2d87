// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/management_requests.h"

#include <algorithm>

namespace wirelaw::umsp {
namespace {

// Judges an answer whose REQ_ID is that of no request on this connection.
void judge_unasked(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules) {
  const ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  if (!seen.to().unbroken || !node.complete) return;
  const bool waits = std::ranges::any_of(
      node.requests, [&](const auto& one) { return !one.second.answered && one.second.for_control == for_control; });
  judge.advise(waits ? rules.req_id : rules.in_answer, false, seen.field(HeaderField::req_id),
               expected(waits ? "REQ_ID of a request that waits" : "a request before it"),
               actual(hex(seen.header().req_id)), "no request on this connection has it");
}

}  // namespace

const ExtensionHeader* find_inaction_time(const Seen& seen) {
  return seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::inaction_time));
}

std::optional<std::uint16_t> period_of(const ExtensionHeader& inaction_time) {
  const OperandView view = locate(inaction_time);
  const auto value = value_of(view, Operand::inaction_period, inaction_time.data);
  if (view.flaw || !value) return std::nullopt;
  return static_cast<std::uint16_t>(*value);
}

void keep_request(Judge& judge, const Seen& seen, const Rule& unique, ManagementRequest request) {
  if (!seen.header().ask) return;
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto before = node.requests.find(seen.header().req_id);
  const bool waits = before != node.requests.end() && !before->second.answered;
  judge.advise(unique, !waits || before->second.for_control != request.for_control, seen.field(HeaderField::req_id),
               expected("a REQ_ID of its own"), actual(hex(seen.header().req_id)),
               "a request with this REQ_ID was not answered yet on this connection");
  request.repeated = waits;
  request.ltid = seen.value(Operand::ltid);
  request.ctid = seen.value(Operand::ctid);
  if (const ExtensionHeader* const header = find_inaction_time(seen)) {
    request.has_inaction_time = true;
    request.period = period_of(*header);
  }
  node.keep(seen.header().req_id, request);
}

const ManagementRequest* match_answer(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules) {
  if (!seen.header().ask) return nullptr;
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  const auto found = node.requests.find(seen.header().req_id);
  const bool known = found != node.requests.end();
  if (!known || (found->second.answered && found->second.for_control != for_control)) {
    judge_unasked(judge, seen, for_control, rules);
    return nullptr;
  }
  ManagementRequest& request = found->second;
  const bool answered_before = std::exchange(request.answered, true);
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
