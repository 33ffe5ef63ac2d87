// SPDX-License-Identifier: Apache-2.0
// The checks of Terminates, of the end of a stream, and of what never came, in the order in which an observer asks for
// them.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

void judge_contents(Judge& judge, Seen& seen) {
  OctetBuffer scratch;
  const auto read = read_terminate(seen, scratch);
  if (!read) return;
  const bool whole = judge_terminate_header(judge, *read);
  const bool known = judge_error_code(judge, *read);
  if (!whole) return;
  judge_absent_headers(judge, *read);
  judge_terminated_headers(judge, *read);
  if (!known) return;
  judge_mapping(judge, *read);
  // What a header says that nobody sent means nothing.
  if (read->blamed && read->history && !read->blamed->exact) return;
  static constexpr void (*kLayers[])(Judge&, const TerminateSeen&) = {judge_rdma_error, judge_ddp_error,
                                                                      judge_llp_error};
  kLayers[read->error().layer](judge, *read);
  judge_terminate_room(judge, *read);
}

}  // namespace

void judge_terminate(Judge& judge, Seen& seen) {
  // With the wrong buffer model the header would be elsewhere; figure 4's rules say what is wrong with it.
  if (!seen.is(Opcode::terminate) || seen.header.tagged) return;
  judge_single_terminate(judge, seen);
  if (judge_terminate_is_there(judge, seen)) judge_contents(judge, seen);
  if (!seen.header.last) return;
  seen.from.terminate = SentTerminate{.index = seen.index,
                                      .frame = seen.frame,
                                      .time_ns = judge.message().time_ns,
                                      .is_followed = seen.from.terminate.has_value()};
}

void check_silence(Judge& judge, const SilenceFact& fact) {
  switch (fact.due) {
    case Due::reply:
      return check_missing_reply(judge, fact);
    case Due::indication:
      return check_missing_indication(judge, fact);
    case Due::read_response:
      return check_missing_read_response(judge, fact);
    case Due::end_after_terminate:
      return check_open_after_terminate(judge, fact);
  }
}

void check_end(Judge& judge, const EndFacts& facts) {
  if (facts.last_message) check_last_message(judge, *facts.last_message);
  if (facts.teardown) check_teardown(judge, *facts.teardown);
}

}  // namespace wirelaw::rdmap
