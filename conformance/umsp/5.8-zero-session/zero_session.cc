// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.8: work without a session.
#include "conformance/umsp/5.8-zero-session/zero_session.h"

#include "conformance/umsp/5.8-zero-session/rules.h"

namespace wirelaw::umsp {

void judge_zero_session(Judge& judge, const SeenInstruction& seen) {
  if (seen.is(Opcode::session_open) && seen.header().has_session_id() && seen.header().session_id == kZeroSession)
    judge.require(rule<"UMSP-5.8-6">, seen.header().req_id == kZeroSession, seen.field(HeaderField::req_id),
                  expected("REQ_ID 0"), actual(hex(seen.header().req_id)));
  const bool without = seen.is_sessionless();
  const Expected in_session = expected("a session");
  const Actual none = actual("none");
  if (seen.is(Opcode::mem_alloc))
    judge.require(rule<"UMSP-5.8-13">, !without, seen.field(HeaderField::pck), in_session, none);
  if (seen.is(Opcode::mvcode))
    judge.advise(rule<"UMSP-5.8-13">, !without, seen.field(HeaderField::pck), in_session, none);
  if (seen.is(Opcode::create) || seen.is(Opcode::sys_new))
    judge.require(rule<"UMSP-5.8-14">, !without, seen.field(HeaderField::pck), in_session, none);
}

}  // namespace wirelaw::umsp
