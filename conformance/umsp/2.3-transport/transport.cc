// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.2 and 2.3: jobs, tasks, and the layers below and above the protocol. The sections on
// instructions require again, and judge, what a trace can show of them.
#include "conformance/umsp/2.3-transport/transport.h"

#include "conformance/umsp/2.3-transport/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {

void check_unique_gjid(Judge& judge, const SeenInstruction& seen, const GjidFact::Holders& holders) {
  const OctetRange where = seen.operand(Operand::gjid);
  const auto want = expected("a GJID that no active job has");
  const auto got = actual([&] { return to_string(*certain_gjid(seen)); });
  if (require_if(judge, !holders.is_live, rule<"UMSP-2.2-10">, !holders.is_own_job, where, want, got,
                 "it was given to another job of the node, whose end was not seen"))
    require_if(judge, !holders.is_live, rule<"UMSP-2.2-10">, !holders.is_first_task_elsewhere, where, want, got,
               "it was given to another node's job, whose end was not seen");
}

}  // namespace wirelaw::umsp
