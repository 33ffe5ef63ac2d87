// SPDX-License-Identifier: Apache-2.0
// The sender and the receiver of an instruction of job management, and the known jobs of both.
#pragma once

#include <optional>

#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct Parties {
  Jobs& jobs;
  JobNode from, to;
};

// After this time it is likely that an instruction on one connection has arrived, and that one seen on another
// connection was sent later. It is not proven, so the finding is a warning (UMSP/B60).
inline constexpr std::int64_t kTransitNs = 10'000'000'000;

// Empty if the nodes are unknown or are the same, or if anything of the jobs may be missing.
std::optional<Parties> parties_of(const Seen& seen);

// Returns true if the sender of an instruction that only a JCP sends has confirmed a task to the other node; empty if
// it is unknown.
std::optional<bool> has_confirmed_task(const Seen& seen);

// The job of a session that is in use, to which the instruction belongs.
std::optional<JobName> job_of_session(const Seen& seen);
// Same, if the sender uses the session: with an instruction between VMs that is no response, or with SESSION_ABEND.
std::optional<JobName> job_in_use(const Seen& seen);
// The address format of the JCP of this side's node. The GJIDs show it that the JCP has assigned on this connection, or
// with the address of this connection on another one.
std::optional<AddressFormat> jcp_format_of(const Seen& seen, Side node);
// Returns true if the sender of the instruction has sent it after this time, as its answers or acknowledgments prove.
bool is_sent_after(const Seen& seen, std::int64_t time_ns);
// Returns true if its sender has answered something that the other side has sent on this connection after the message
// with this index. TCP keeps the order of the two, so the sender had received that message (UMSP/B60).
bool has_answered_after(const Seen& seen, std::uint64_t index);
// Notes that the instruction tells its receiver the end of the job.
void note_under_way(const Seen& seen, const JobName& job);
// The sender uses a session of a job or task that has ended for it. `is_here`: the end was on this connection.
// `ended_ns`: the time at which it had certainly ended for the sender; empty if nothing proves that. Empty if it has
// not ended, or if the instruction may have been sent before the end.
std::optional<UseAfterEndFact> use_after_end(const Seen& seen, const std::optional<JobEnd>& end,
                                             const std::optional<std::int64_t>& ended_ns, bool is_here);
// Returns true if the sender has ended its task on this connection, on which the other node is the JCP: the first task
// of the job, or one that it has registered.
bool has_ended_here(const Seen& seen, const JobName& job, bool is_first);

// Records what the instruction shows about sessions and jobs. Called before the checks.
void note_parties(const Seen& seen);

}  // namespace wirelaw::umsp
