// SPDX-License-Identifier: Apache-2.0
// Which response answers which request between VMs (RFC 3018 6.1 to 6.6): a row for each request, and one for each
// kind of response. A section's file names the rules, and one place judges them all (exchange.cc).
//
// A wrong response is one fault: it breaks the rule of the request where the request has one, and that of the response
// elsewhere. A negative RSP answers every request.
#pragma once

#include "conformance/rule.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct ExchangeAnswerRules {
  Opcode first;
  Opcode last = first;           // of neighbouring codes that share their rules
  Opcode answer = Opcode::rsp;   // that says yes
  const Rule* kind = nullptr;    // no other than `answer` and RSP
  const Rule* no_rsp = nullptr;  // an RSP is negative
  // What else `answer` must be.
  void (*judge)(Judge& judge, const Seen& seen, const Asked& asked) = nullptr;
};

struct ExchangeResponseRules {
  Opcode response;
  const Rule* request;  // what it answers
};

}  // namespace wirelaw::umsp
