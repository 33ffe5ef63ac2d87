// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.1: sending by credits. A credit is spent by a Data Transfer message; a grant counts from the
// moment when it passes the capture point.
#include "conformance/smbd/3.1.5.1-sending/sending.h"

#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_only_established(Judge& judge, bool is_established) {
  judge.require(rule<"SMBD-3.1.5.1-1">, is_established, octets(0, judge.message().octets.size()),
                expected("a Negotiate Response before it"), actual("none"), "or the response was not captured");
}

void check_send_credit(Judge& judge, const DataTransfer& data, const CreditFact& fact) {
  if (fact.was_granted)
    judge.require(rule<"SMBD-3.1.5.1-3">, fact.credits > 0, octets(0, 0), expected("a credit of the receiver"),
                  actual("all of them are spent"), "or a message that grants some was not captured");
  if (fact.credits != 1) return;
  judge.require(rule<"SMBD-3.1.5.1-6">, data.credits_granted > 0, in_data(Field::credits_granted),
                expected("at least 1, as the sender spends its last credit"), actual(0),
                "where both sides do so, neither can send any more; or a grant was not captured (SMBD/A11)");
}

void check_flag_once(Judge& judge, const DataTransfer& data, const AskingFact& fact) {
  const auto check_it = [&](auto how) {
    how(rule<"SMBD-3.1.5.1-11">, fact.asked_before == 0, in_data(Field::flags),
        expected("0: it has asked, and received nothing since"), actual(hex(data.flags)));
  };
  // Each message that comes between permits it to ask once more.
  if (fact.asked_before > 0 && fact.asked_before <= fact.may_come)
    check_it([&](auto&&... all) { judge.advise(all..., "or it has received a message since it first asked"); });
  else
    check_it([&](auto&&... all) { judge.require(all..., "or a message of the other side was not captured"); });
}

}  // namespace wirelaw::smbd
