// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.9: granting credits.
#include "conformance/smbd/3.1.5.9-credits/credits.h"

#include "conformance/smbd/3.1.5.9-credits/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_grant_within_target(Judge& judge, const GrantFact& fact, std::uint16_t granted, OctetRange where) {
  if (!fact.is_account_known || fact.target == 0 || granted == 0) return;
  const auto most = [&] { return fmt::format("at most {}, which is what the receiver wants", fact.target); };
  // SMBD/A9: if the receiver has no credit, the sender may post any number of receives.
  if (fact.credits == 0)
    judge.advise(rule<"SMBD-3.1.5.9-8">, granted <= fact.target, where, expected(most), actual(granted),
                 "it had no credit, and got more than it wants");
  else
    judge.require(rule<"SMBD-3.1.5.9-8">, granted <= fact.target, where, expected(most), actual(granted),
                  "or a message that wants more was not captured");
}

void check_grant(Judge& judge, const DataTransfer& data, const GrantFact& fact) {
  const std::uint16_t granted = data.credits_granted;
  check_grant_within_target(judge, fact, granted, in_data(Field::credits_granted));
  if (!fact.is_own_account_known || !fact.is_account_known || fact.target == 0) return;
  // Messages on their way to the sender could only raise the receiver's account. The sender has more than one credit,
  // so a need to release its last credit does not explain a grant.
  if (fact.credits >= fact.target && fact.own_at_least > 1)
    judge.require(rule<"SMBD-3.1.5.9-2">, granted == 0, in_data(Field::credits_granted), expected(0), actual(granted),
                  [&] { return fmt::format("the receiver has {} credits and wants {}", fact.credits, fact.target); });
  if (fact.credits == 0 && fact.own_credits != 1 && fact.has_received_all)
    judge.require(rule<"SMBD-3.1.5.9-5">, granted > 0, in_data(Field::credits_granted), expected("at least 1"),
                  actual(0), "the receiver has no credit, unless a message that granted some was not captured");
}

}  // namespace wirelaw::smbd
