// SPDX-License-Identifier: Apache-2.0
// Who sends an instruction of job management to whom, and what is known of all their jobs.
#pragma once

#include <optional>

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct Parties {
  Jobs& jobs;
  JobNode from, to;
};

// After so long, what went over one connection has arrived, and what goes over another one was sent later (UMSP/B45).
inline constexpr std::int64_t kTransitNs = 10'000'000'000;

// Nothing where the nodes are not known, are one, or anything of the jobs may be missing.
std::optional<Parties> parties_of(const Seen& seen);

// What nothing that was seen elsewhere explains: a breach, and live a warning, as it may be there already.
template <class... Evidence>
bool require_of_all(Judge& judge, const Jobs& jobs, const Rule& rule, bool holds, const Evidence&... evidence) {
  return jobs.is_live() ? judge.advise(rule, holds, evidence...) : judge.require(rule, holds, evidence...);
}

// What a JCP alone sends, to a node with a task that it has confirmed.
void judge_is_jcp_of(Judge& judge, const Seen& seen, const Rule& rule);

// The job whose session the sender uses: with an instruction between VMs that is no response, or with SESSION_ABEND.
std::optional<JobName> job_in_use(const Seen& seen);
// A node does not use the sessions of a job or task that has ended for it. `is_here`: the end was on this connection.
void judge_use_after_end(Judge& judge, const Seen& seen, const Rule& rule, const std::optional<JobEnd>& end,
                         bool is_here);
// The sender has ended its task on this connection, on which the other node is the JCP: the first task of the job, or
// one that it has registered.
bool has_ended_here(const Seen& seen, const JobName& job, bool is_first);

// A GTID operand; nothing where the operands have a flaw.
std::optional<Identifier> certain_gtid(const Seen& seen);
// The codes of TASK_TERMINATE and its notice, of JOB_COMPLETED and its notice; nothing where there are none.
std::optional<EndCodes> end_codes_of(const Seen& seen);
std::string to_string(const EndCodes& codes);

// Takes down what the instruction says of sessions and jobs, before the checks look.
void note_parties(const Seen& seen);

}  // namespace wirelaw::umsp
