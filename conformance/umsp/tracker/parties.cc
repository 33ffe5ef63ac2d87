// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/parties.h"

#include <fmt/format.h>

#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

bool is_about_jobs(const Seen& seen) {
  return class_of(seen.instruction.opcode()) == OpcodeClass::management;
}

// SESSION_OPEN of no session begins one.
void note_opening(const Seen& seen, const Parties& parties) {
  const auto gjid = certain_gjid(seen);
  const auto ltid = certain_value(seen, Operand::ltid);
  if (seen.header().pck != Pck::no_session) return;
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!jcp || !ltid) return parties.jobs.lose(parties.from, parties.to);  // which node it names is not known
  parties.jobs.note_opening(
      {.job = {*jcp, gjid->task}, .from = parties.from, .to = parties.to, .ltid = *ltid, .frame = seen.message.frame});
}

}  // namespace

std::optional<Parties> parties_of(const Seen& seen) {
  const Connection& connection = seen.connection;
  if (connection.jobs == nullptr || connection.datagrams) return std::nullopt;
  if (connection.is_broken()) connection.jobs->lose(connection.nodes[0], connection.nodes[1]);
  const std::size_t from = seen.message.sender == Side::a ? 0 : 1;
  const Parties parties{*connection.jobs, connection.nodes[from], connection.nodes[1 - from]};
  if (parties.from == parties.to || !parties.jobs.knows(parties.from) || !parties.jobs.knows(parties.to))
    return std::nullopt;
  return parties;
}

std::optional<Identifier> certain_gtid(const Seen& seen) {
  const auto field = seen.octets_of(Operand::gtid);
  if (!field || (seen.operands.flaw && *seen.operands.flaw != OperandFlaw::padding)) return std::nullopt;
  const auto gtid = decode_identifier(*field);
  return gtid ? std::optional(*gtid) : std::nullopt;
}

std::optional<EndCodes> end_codes_of(const Seen& seen) {
  for (const auto& [basic, additional] :
       {std::pair(Operand::basic_termination_code, Operand::additional_termination_code),
        std::pair(Operand::basic_completion_code, Operand::additional_completion_code)}) {
    const auto first = certain_value(seen, basic), second = certain_value(seen, additional);
    if (first && second) return EndCodes{*first, *second};
  }
  return std::nullopt;
}

std::string to_string(const EndCodes& codes) {
  return fmt::format("{}, {}", codes.basic, codes.additional);
}

void note_parties(const Seen& seen) {
  if (seen.connection.jobs == nullptr || !is_about_jobs(seen)) return;
  const auto parties = parties_of(seen);
  if (!parties) return;
  parties->jobs.note_pair(parties->from, parties->to);
  parties->jobs.note_word_of(parties->from, seen.is(Opcode::task_state));
  if (seen.is(Opcode::state_req)) parties->jobs.note_asked(parties->to);
  if (seen.is(Opcode::session_open)) note_opening(seen, *parties);
}

void judge_is_jcp_of(Judge& judge, const Seen& seen, const Rule& rule) {
  const auto parties = parties_of(seen);
  if (!parties || parties->jobs.is_live() || !is_all_seen(seen.connection)) return;
  judge.advise(rule, parties->jobs.has_tasks(parties->from, parties->to), octets(0, 1),
               expected("a node with a task that the sender has confirmed"), actual("none"),
               "unless that was before the capture");
}

}  // namespace wirelaw::umsp
