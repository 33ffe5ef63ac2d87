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

// Nothing where the nodes are not known, are one, or anything of the jobs may be missing.
std::optional<Parties> parties_of(const Seen& seen);

// What nothing that was seen elsewhere explains: a breach, and live a warning, as it may be there already.
template <class... Evidence>
bool require_of_all(Judge& judge, const Jobs& jobs, const Rule& rule, bool holds, const Evidence&... evidence) {
  return jobs.is_live() ? judge.advise(rule, holds, evidence...) : judge.require(rule, holds, evidence...);
}

// What a JCP alone sends, to a node with a task that it has confirmed.
void judge_is_jcp_of(Judge& judge, const Seen& seen, const Rule& rule);

// A GTID operand; nothing where the operands have a flaw.
std::optional<Identifier> certain_gtid(const Seen& seen);
// The codes of TASK_TERMINATE and its notice, of JOB_COMPLETED and its notice; nothing where there are none.
std::optional<EndCodes> end_codes_of(const Seen& seen);
std::string to_string(const EndCodes& codes);

// Takes down what the instruction says of sessions and jobs, before the checks look.
void note_parties(const Seen& seen);

}  // namespace wirelaw::umsp
