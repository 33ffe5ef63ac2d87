// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.9: granting credits.
#include "conformance/smbd/3.1.5.9-credits/credits.h"

#include "conformance/smbd/3.1.5.9-credits/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void judge_grant_within_target(Judge& judge, const Way& from, const Way& to, std::uint16_t granted, OctetRange where) {
  const std::uint16_t target = from.receipts.target();
  if (!to.account_known || target == 0 || granted == 0) return;
  const auto most = [&] { return fmt::format("at most {}, which is what the receiver wants", target); };
  // SMBD/A9: where the receiver has none, a number without a limit may be posted.
  if (to.credits == 0)
    judge.advise(rule<"SMBD-3.1.5.9-8">, granted <= target, where, expected(most), actual(granted),
                 "it had no credit, and got more than it wants");
  else
    judge.require(rule<"SMBD-3.1.5.9-8">, granted <= target, where, expected(most), actual(granted),
                  "or a message that wants more was not captured");
}

void judge_grant(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  const Way& to = seen.to();
  const std::uint16_t granted = seen.data.credits_granted;
  judge_grant_within_target(judge, from, to, granted, in_data(Field::credits_granted));
  const std::uint16_t target = from.receipts.target();
  if (!from.account_known || !to.account_known || target == 0) return;
  // What is on its way to the sender would raise the receiver's account. The sender has more than one credit: no last
  // credit explains a grant.
  if (to.credits >= target && from.receipts.credits_at_least() > 1)
    judge.require(rule<"SMBD-3.1.5.9-2">, granted == 0, in_data(Field::credits_granted), expected(0), actual(granted),
                  [&] { return fmt::format("the receiver has {} credits and wants {}", to.credits, target); });
  if (to.credits == 0 && from.credits != 1 && from.receipts.has_all())
    judge.require(rule<"SMBD-3.1.5.9-5">, granted > 0, in_data(Field::credits_granted), expected("at least 1"),
                  actual(0), "the receiver has no credit, unless a message that granted some was not captured");
}

}  // namespace wirelaw::smbd
