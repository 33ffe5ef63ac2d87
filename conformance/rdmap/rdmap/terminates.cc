// SPDX-License-Identifier: Apache-2.0
// The checks of Terminates, of the end of a stream, and of missing messages, in the order in which an observer calls
// them.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
namespace {

void check_contents(Judge& judge, const TerminateFact& fact) {
  const bool is_whole = check_terminate_header(judge, fact);
  const bool is_known = check_error_code(judge, fact);
  if (!is_whole) return;
  check_absent_headers(judge, fact);
  check_terminated_headers(judge, fact);
  if (!is_known) return;
  check_mapping(judge, fact);
  // A terminated header that nobody sent proves nothing.
  if (fact.blamed && fact.is_history_known && fact.blamed->came != Came::whole) return;
  static constexpr void (*kLayers[])(Judge&, const TerminateFact&) = {check_rdma_error, check_ddp_error,
                                                                      check_llp_error};
  kLayers[fact.error().layer](judge, fact);
  check_terminate_room(judge, fact);
  check_read_room(judge, fact);
  check_first_fault(judge, fact);
}

}  // namespace

void check_terminate(Judge& judge, const TerminateSegmentFact& fact) {
  if (fact.first_msn) check_single_terminate(judge, *fact.first_msn);
  check_terminate_is_there(judge, fact);
  if (fact.contents) check_contents(judge, *fact.contents);
}

void check_silence(Judge& judge, const SilenceFact& fact) {
  switch (fact.due) {
    case Due::reply:
      return check_missing_reply(judge, fact);
    case Due::indication:
      return check_missing_indication(judge, fact);
    case Due::read_response:
      return check_missing_read_response(judge, fact);
    case Due::atomic_response:
      return check_missing_atomic_response(judge, fact);
    case Due::end_after_terminate:
      return check_open_after_terminate(judge, fact);
  }
}

void check_end(Judge& judge, const EndFacts& facts) {
  if (facts.last_message) check_last_message(judge, *facts.last_message);
  if (facts.teardown) check_teardown(judge, *facts.teardown);
}

}  // namespace wirelaw::rdmap
