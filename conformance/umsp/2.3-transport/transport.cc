// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.2 and 2.3: jobs, tasks, and the layers below and above the protocol. The sections on
// instructions require again, and judge, what a trace can show of them.
#include "conformance/umsp/2.3-transport/transport.h"

#include "conformance/umsp/2.3-transport/rules.h"

namespace wirelaw::umsp {

void judge_unique_gjid(Judge& judge, const Seen& seen, const Parties& parties, const Identifier& gjid,
                       const ManagementRequest& request) {
  // The node itself has a job with that GJID, unless it was reloaded (5.7.1). In a live run, the case judges that
  // itself.
  const JobTask* const own = request.has_inaction_time || parties.jobs.is_live()
                                 ? nullptr
                                 : parties.jobs.active_job({parties.from, gjid.task}, parties.to, *request.ltid);
  if (!require_of_all(judge, parties.jobs, rule<"UMSP-2.2-10">, own == nullptr, seen.operand(Operand::gjid),
                      expected("a GJID that no active job has"), actual([&] { return to_string(gjid); }),
                      "it was given to another job of the node, whose end was not seen"))
    return;
  const JobTask* const taken = parties.jobs.active_elsewhere(parties.from, gjid.task, parties.to);
  require_of_all(judge, parties.jobs, rule<"UMSP-2.2-10">, taken == nullptr || !taken->is_first,
                 seen.operand(Operand::gjid), expected("a GJID that no active job has"),
                 actual([&] { return to_string(gjid); }), "it was given to another node's job, whose end was not seen");
}

}  // namespace wirelaw::umsp
