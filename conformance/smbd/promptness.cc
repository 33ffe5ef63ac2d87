// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/promptness.h"

#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.6-timer-events/rules.h"

namespace wirelaw::smbd {
namespace {

struct Row {
  const Rule& rule;
  std::string_view expected;
  std::string_view why;
};

Row row_of(Owed owed) {
  switch (owed) {
    case Owed::end_without_request:
      return {rule<"SMBD-3.1.6-1">, "the end of the connection",
              "no Negotiate Request has come in time, or neither it nor that end was captured"};
    case Owed::negotiate_response:
      return {rule<"SMBD-3.1.5.6-19">, "a Negotiate Response within 5 seconds",
              "the connection goes on without one; or a long way, on which messages are repeated, explains it"};
    case Owed::end_after_failure:
      return {rule<"SMBD-3.1.5.3-8">, "the end of the connection within 5 seconds",
              "the connection is still there, unless its end was not captured"};
    case Owed::answer:
      break;
  }
  return {rule<"SMBD-3.1.5.8-12">, "a message within 5 seconds",
          "the other side has asked for one; or a long way, on which messages are repeated, explains it"};
}

}  // namespace

void check_owed(Judge& judge, const OwedFact& fact) {
  Message at = fact.owed.because;
  at.sender = fact.owed.debtor;
  judge.at(at);
  const Row row = row_of(fact.owed.kind);
  judge.advise(row.rule, fact.is_in_time, octets(0, 0), expected(row.expected), actual("nothing in that time"),
               row.why);
}

}  // namespace wirelaw::smbd
