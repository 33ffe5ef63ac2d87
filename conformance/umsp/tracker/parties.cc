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
  if (!jcp || !ltid) return parties.jobs.lose(parties.from, parties.to);  // it is unknown which node it names
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

std::optional<JobName> job_in_use(const Seen& seen) {
  if (seen.session == nullptr || !seen.session->gjid || seen.session->stage == SessionStage::over) return std::nullopt;
  if (!seen.session->is_in_use() || seen.message.order_unknown) return std::nullopt;
  const bool is_of_vm = class_of(seen.instruction.opcode()) == OpcodeClass::exchange;
  const bool is_response = seen.layout != nullptr && seen.layout->response;
  if (!seen.is(Opcode::session_abend) && (!is_of_vm || is_response)) return std::nullopt;
  const auto jcp = job_node_of(*seen.session->gjid);
  return jcp ? std::optional(JobName{*jcp, seen.session->gjid->task}) : std::nullopt;
}

bool is_sent_after(const Seen& seen, std::int64_t time_ns) {
  const auto& after = seen.from().sent_after_ns;
  return after && *after - time_ns >= kSkewNs;
}

void note_under_way(const Seen& seen, const JobName& job) {
  auto& notices = seen.connection.notices;
  if (notices.size() < kMostUnderWay)
    notices.push_back(
        {.receiver = other(seen.message.sender), .jcp = job.jcp, .task = job.task, .time_ns = seen.message.time_ns});
}

void judge_use_after_end(Judge& judge, const Seen& seen, const Rule& rule, const std::optional<JobEnd>& end,
                         const std::optional<std::int64_t>& ended_ns, bool is_here) {
  if (!end || seen.session->begun_ns > end->time_ns) return;
  const bool is_live = seen.connection.jobs->is_live();
  if (!is_here && (is_live || seen.message.time_ns - end->time_ns < kTransitNs)) return;
  const bool holds = seen.is(Opcode::session_abend);
  const auto want = expected("nothing but SESSION_ABEND in the session");
  const auto got = actual("an instruction");
  const auto why = [&] { return fmt::format("frame {} has ended it for the sender", end->frame); };
  if (is_here || (ended_ns && is_sent_after(seen, *ended_ns)))
    judge.require(rule, holds, octets(0, 1), want, got, why, is_here ? Evidence::absence : Evidence::order);
  else
    judge.advise(rule, holds, octets(0, 1), want, got,
                 [&] { return why() + ", unless the instruction was sent before that, or the end had not arrived"; });
}

bool has_ended_here(const Seen& seen, const JobName& job, bool is_first) {
  const std::size_t to = seen.message.sender == Side::a ? 1 : 0;
  if (seen.connection.nodes[to] != job.jcp) return false;
  const auto& tasks = seen.connection.management.of(seen.message.sender).tasks;
  const auto has_ended = [](const ManagedTask& one) { return one.ended && one.ended_by_node && !one.ended_elsewhere; };
  bool any = false;
  for (const auto& [ltid, task] : tasks) {
    if (task.first_ctid != job.task || task.gjid.has_value() != is_first) continue;
    if (!has_ended(task)) return false;
    any = true;
  }
  return any;
}

void judge_is_jcp_of(Judge& judge, const Seen& seen, const Rule& rule) {
  const auto parties = parties_of(seen);
  if (!parties || parties->jobs.is_live() || !is_all_seen(seen.connection)) return;
  judge.advise(rule, parties->jobs.has_tasks(parties->from, parties->to), octets(0, 1),
               expected("a node with a task that the sender has confirmed"), actual("none"),
               "unless that was before the capture");
}

}  // namespace wirelaw::umsp
