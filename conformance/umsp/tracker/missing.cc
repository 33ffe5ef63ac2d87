// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/missing.h"

#include <algorithm>

#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

constexpr std::int64_t kPatience = 30'000'000'000;  // ns; the document sets no time for it

std::size_t index_of(Side side) {
  return side == Side::a ? 0 : 1;
}

// What a node had sent when a job or a task ended for it.
struct OwnEnd {
  JobEnd where;
  bool is_of_job = false;
};

// Returns how the node ended the session's job or task. Nothing if something else may have ended the session for it: a
// node that is told the end of its job may remove the session and send nothing (5.6.2), and a node with another task of
// the job may keep it.
std::optional<OwnEnd> own_end(const Jobs& jobs, const ObservedSession& session, const JobName& job,
                              const JobNode& node) {
  const auto completed = jobs.completed_by(node, job);
  const auto end = completed ? completed : jobs.task_ended_by(node, job);
  if (!end || session.begun_ns > end->time_ns) return std::nullopt;
  // The JCP's clock may be ahead of the node's, so a confirmation at nearly the same time may be of the ended task.
  if (jobs.told(job, node) || jobs.has_begun_since(job, node, end->time_ns + kSkewNs)) return std::nullopt;
  return OwnEnd{*end, completed.has_value()};
}

void find_abends(const Connection& connection, std::int64_t until_ns, std::vector<MissingAbendFact>& facts) {
  const Jobs& jobs = *connection.jobs;
  for (const auto& [number, session] : connection.sessions) {
    const auto jcp = session.gjid ? job_node_of(*session.gjid) : std::nullopt;
    if (!jcp || !session.is_in_use() || session.is_several || session.replaced_by) continue;
    if (!is_all_seen(connection, session)) continue;
    for (const Side side : {Side::a, Side::b}) {
      const JobNode& node = connection.nodes[index_of(side)];
      const auto end = own_end(jobs, session, {*jcp, session.gjid->task}, node);
      const auto& latest = connection.latest[index_of(side)];
      if (!end || !latest || until_ns - end->where.time_ns < kPatience) continue;
      const auto word = jobs.latest_of(node);
      facts.push_back({.node = side,
                       .latest = *latest,
                       .frame = end->where.frame,
                       .is_of_job = end->is_of_job,
                       .is_certain = word && *word - end->where.time_ns >= kPatience});
    }
  }
}

// TASK_REG may be late on its way to the tap, so the capture has to go on for a while.
void find_sanctions(const Connection& connection, std::int64_t now_ns, std::vector<MissingSanctionFact>& facts) {
  const Jobs& jobs = *connection.jobs;
  for (const UnaskedAcceptance& one : connection.unasked) {
    const JobNode& node = connection.nodes[index_of(one.sender)];
    const JobName job{one.jcp, one.task};
    const bool has_asked = jobs.question(job, node) != nullptr || jobs.has_had_task(job, node);
    if (!has_asked && jobs.knows(one.jcp) && jobs.have_met(node, one.jcp) && now_ns - one.where.time_ns >= kTransitNs)
      facts.push_back({one});
  }
}

// A JCP asks for its older tasks at once (5.7.4).
void find_questions(const Connection& connection, Side side, std::int64_t until_ns,
                    std::vector<MissingQuestionFact>& facts) {
  const ManagedNode& node = connection.management.of(side);
  const auto& latest = connection.latest[index_of(other(side))];
  if (!latest || !is_only_one(connection) || until_ns - node.reload.time_ns < kPatience) return;
  for (const std::uint64_t ltid : node.to_ask) {
    const ManagedTask* const task = node.find_active(ltid);
    if (task == nullptr) continue;
    const JobName job{connection.nodes[index_of(other(side))], task->first_ctid};
    const auto initiator = connection.jobs->initiator_of(job);
    if (initiator && connection.jobs->completed_by(*initiator, job)) continue;
    facts.push_back({.jcp = other(side), .latest = *latest, .reload = node.reload, .ltid = ltid});
  }
}

// The node was neither off nor reloaded: it has used a session that it had before STATE_REQ.
void find_states(const Connection& connection, Side side, std::int64_t until_ns, std::vector<MissingStateFact>& facts) {
  const ManagedNode& node = connection.management.of(side);
  const auto& latest = connection.latest[index_of(side)];
  if (node.asked.empty() || !node.question || !node.period || !latest || !is_all_seen(connection)) return;
  constexpr std::int64_t kHalfSecond = 500'000'000;
  const std::int64_t asked_ns = node.question->time_ns;
  const std::int64_t patience = std::max(2 * *node.period * kHalfSecond, kPatience);
  const auto work = connection.jobs->work_of(connection.nodes[index_of(side)]);
  if (!work || work->accepted_ns >= asked_ns || work->time_ns - asked_ns < patience) return;
  if (until_ns - asked_ns >= patience) facts.push_back({side, *latest, *node.question, work->time_ns - asked_ns});
}

}  // namespace

MissingFacts find_missing(const Connection& connection, std::int64_t now_ns) {
  const Jobs* const jobs = connection.jobs;
  if (jobs == nullptr || jobs->is_live() || !connection.is_all_seen()) return {};
  if (!jobs->knows(connection.nodes[0]) || !jobs->knows(connection.nodes[1])) return {};
  if (connection.nodes[0] == connection.nodes[1]) return {};
  MissingFacts missing;
  // Once this connection has ended, the rest may go over another one.
  const std::int64_t until_ns = connection.was_open_until(now_ns);
  find_abends(connection, until_ns, missing.abends);
  find_sanctions(connection, now_ns, missing.sanctions);
  for (const Side side : {Side::a, Side::b}) {
    find_questions(connection, side, until_ns, missing.questions);
    find_states(connection, side, until_ns, missing.states);
  }
  return missing;
}

}  // namespace wirelaw::umsp
