// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/parties.h"

#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

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

void note_parties(const Seen& seen) {
  if (seen.connection.jobs == nullptr) return;
  const auto parties = parties_of(seen);
  if (!parties) return;
  parties->jobs.note_sent(parties->from, seen.message.time_ns);
  if (seen.is_of(OpcodeClass::exchange) && job_of_session(seen))
    parties->jobs.note_work(parties->from, {seen.session->accepted_ns, seen.message.time_ns});
  if (!seen.is_of(OpcodeClass::management)) return;
  parties->jobs.note_pair(parties->from, parties->to);
  parties->jobs.note_word_of(parties->from, seen.is(Opcode::task_state));
  if (seen.is(Opcode::state_req)) parties->jobs.note_asked(parties->to);
  if (seen.is(Opcode::session_open)) note_opening(seen, *parties);
}

std::optional<JobName> job_of_session(const Seen& seen) {
  if (seen.session == nullptr || !seen.session->gjid || !seen.session->is_in_use() || seen.message.order_unknown)
    return std::nullopt;
  const auto jcp = job_node_of(*seen.session->gjid);
  return jcp ? std::optional(JobName{*jcp, seen.session->gjid->task}) : std::nullopt;
}

std::optional<JobName> job_in_use(const Seen& seen) {
  const bool is_of_vm = seen.is_of(OpcodeClass::exchange);
  if (!seen.is(Opcode::session_abend) && (!is_of_vm || seen.is_response())) return std::nullopt;
  return job_of_session(seen);
}

std::optional<AddressFormat> jcp_format_of(const Seen& seen, Side node) {
  if (const auto& here = seen.connection.management.of(node).jcp_format) return here;
  const auto parties = parties_of(seen);
  if (!parties || parties->jobs.is_live()) return std::nullopt;
  return parties->jobs.format_of(node == seen.message.sender ? parties->to : parties->from);
}

bool is_sent_after(const Seen& seen, std::int64_t time_ns) {
  const auto& after = seen.from().sent_after_ns;
  return after && *after - time_ns >= kSkewNs;
}

bool has_answered_after(const Seen& seen, std::uint64_t index) {
  const auto& received = seen.from().received_index;
  return received && *received > index;
}

void note_under_way(const Seen& seen, const JobName& job) {
  auto& notices = seen.connection.notices;
  if (notices.size() < kMostUnderWay)
    notices.push_back(
        {.receiver = other(seen.message.sender), .jcp = job.jcp, .task = job.task, .time_ns = seen.message.time_ns});
}

std::optional<UseAfterEndFact> use_after_end(const Seen& seen, const std::optional<JobEnd>& end,
                                             const std::optional<std::int64_t>& ended_ns, bool is_here) {
  using enum UseAfterEndFact::Order;
  if (!end || seen.session->begun_ns > end->time_ns) return std::nullopt;
  if (is_here) return UseAfterEndFact{end->frame, same_connection};
  if (seen.connection.jobs->is_live() || seen.message.time_ns - end->time_ns < kTransitNs) return std::nullopt;
  return UseAfterEndFact{end->frame, ended_ns && is_sent_after(seen, *ended_ns) ? proven : likely};
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

std::optional<bool> has_confirmed_task(const Seen& seen) {
  const auto parties = parties_of(seen);
  if (!parties || parties->jobs.is_live() || !is_all_seen(seen.connection)) return std::nullopt;
  return parties->jobs.has_tasks(parties->from, parties->to);
}

}  // namespace wirelaw::umsp
