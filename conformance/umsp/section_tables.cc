// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/section_tables.h"

#include "conformance/umsp/4-responses/responses.h"
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"
#include "conformance/umsp/5.3-session-opening/session_opening.h"
#include "conformance/umsp/5.4-session-closing/session_closing.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/job_completion.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/6.1-memory/memory.h"
#include "conformance/umsp/6.3-control-transfer/control_transfer.h"
#include "conformance/umsp/6.4-memory-control/memory_control.h"
#include "conformance/umsp/6.5-syn-and-nop/syn_and_nop.h"
#include "conformance/umsp/6.6-objects/objects.h"
#include "conformance/umsp/6.6.1-object-data/object_data.h"
#include "conformance/umsp/6.6.3-object-procedures/object_procedures.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7.2-transactions/transactions.h"
#include "conformance/umsp/7.3-fragments/fragments.h"
#include "conformance/umsp/7.4-buffering/buffering.h"
#include "conformance/umsp/7.6-base/base.h"
#include "conformance/umsp/8-common-extension-headers/common_extension_headers.h"
#include "conformance/umsp/9-search/search.h"

namespace wirelaw::umsp {

std::span<const SectionTables> section_tables() {
  static const SectionTables kTables[] = {
      response_tables(),         job_tables(),         task_tables(),           session_tables(),
      closing_tables(),          task_end_tables(),    job_end_tables(),        activity_tables(),
      memory_tables(),           control_tables(),     memory_control_tables(), other_tables(),
      object_tables(),           object_data_tables(), procedure_tables(),      chain_tables(),
      transaction_tables(),      fragment_tables(),    buffering_tables(),      base_tables(),
      common_extension_tables(), search_tables()};
  return kTables;
}

}  // namespace wirelaw::umsp
