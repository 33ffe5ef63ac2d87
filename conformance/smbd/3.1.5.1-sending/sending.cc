// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.1: sending by credits. A credit is spent by a Data Transfer message; what is granted counts
// from when it passes the place of the capture.
#include "conformance/smbd/3.1.5.1-sending/sending.h"

#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void judge_only_established(Judge& judge, bool answered) {
  judge.require(rule<"SMBD-3.1.5.1-1">, answered, octets(0, judge.message().octets.size()),
                expected("a Negotiate Response before it"), actual("none"), "or the response was not captured");
}

void judge_send_credit(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  if (!from.account_known) return;
  if (from.was_granted)
    judge.require(rule<"SMBD-3.1.5.1-3">, from.credits > 0, octets(0, 0), expected("a credit of the receiver"),
                  actual("all of them are spent"), "or a message that grants some was not captured");
  if (from.credits != 1) return;
  judge.require(rule<"SMBD-3.1.5.1-6">, seen.data.credits_granted > 0, in_data(Field::credits_granted),
                expected("at least 1, as the sender spends its last credit"), actual(0),
                "where both sides do so, neither can send any more; or a grant was not captured (SMBD/A11)");
}

void judge_flag_once(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  if (!from.account_known || !seen.data.requests_response()) return;
  const bool again = from.awaits_response;
  const auto judge_it = [&](auto how) {
    how(rule<"SMBD-3.1.5.1-11">, !again, in_data(Field::flags), expected("0: it has asked, and received nothing since"),
        actual(hex(seen.data.flags)));
  };
  if (again && !from.had_all_before)
    judge_it([&](auto&&... all) { judge.advise(all..., "or a message was on its way to it when it asked"); });
  else
    judge_it([&](auto&&... all) { judge.require(all..., "or a message of the other side was not captured"); });
}

}  // namespace wirelaw::smbd
