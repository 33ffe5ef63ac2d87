// SPDX-License-Identifier: Apache-2.0
// Which response answers which request between VMs (RFC 3018 6.1 to 6.6). Each request and each kind of response has a
// row. The file of a section names the rules, and one place judges them all (exchange.cc).
//
// A wrong response is one fault: it violates the rule of the request if there is one, and otherwise that of the
// response. A negative RSP answers every request.
#pragma once

#include "conformance/judge.h"
#include "conformance/rule.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct ExchangeAnswerRules {
  Opcode first;
  Opcode last = first;           // last of the neighbouring codes that share these rules
  Opcode answer = Opcode::rsp;   // the positive answer
  const Rule* kind = nullptr;    // requires `answer` or RSP
  const Rule* no_rsp = nullptr;  // requires that an RSP is negative
  // Further checks of `answer`; none if null.
  void (*judge)(Judge& judge, const SeenInstruction& seen, const Asked& asked) = nullptr;
};

struct ExchangeResponseRules {
  Opcode response;
  const Rule* request;  // requires that it answers one of its requests
};

}  // namespace wirelaw::umsp
