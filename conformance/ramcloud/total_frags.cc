// SPDX-License-Identifier: Apache-2.0
// "totalFrags"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, totalFrags"};
constexpr Section kServer = kSection.of(Role::responder);

constinit const Rule kAtLeastOneFragment = kSection.must(
    "RAMCLOUD-totalFrags-1",
    "A DATA packet belongs to a message of at least one fragment; an empty message is one empty fragment.",
    "RAMCLOUD/R20");
constinit const Rule kTotalFragsKept = kSection.must(
    "RAMCLOUD-totalFrags-2", "All fragments of a message, the repeated ones too, have the same total.", "RAMCLOUD/R33");
constinit const Rule kNoResponseBeforeRequest =
    kServer.resting_on(Evidence::absence)
        .must_not("RAMCLOUD-totalFrags-3",
                  "The server does not respond before it has been sent every fragment of the request.", "RAMCLOUD/R35");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kAtLeastOneFragment, {total_frags_zero_in_response, total_frags_zero}),
                 broken_by(kTotalFragsKept, {total_frags_changes}),
                 broken_by(kNoResponseBeforeRequest,
                           {response_before_request_complete, response_for_incomplete_after_ack, please_drop_ignored}));

}  // namespace

RuleList total_frags_rules() {
  static constexpr const Rule* kRules[] = {&kAtLeastOneFragment, &kTotalFragsKept, &kNoResponseBeforeRequest};
  return kRules;
}

BreachList total_frags_breaches() {
  return kBreaches;
}

bool judge_total_frags(Judge& judge, const Seen& seen, const Transfer& transfer) {
  const std::uint16_t total = seen.header().total_frags;
  if (!judge.require(kAtLeastOneFragment, total != 0, field::kTotalFrags, expected("at least 1"), actual(total),
                     "a message without fragments"))
    return false;
  if (!transfer.started()) return true;
  return judge.require(kTotalFragsKept, total == transfer.total_frags, field::kTotalFrags,
                       expected(transfer.total_frags), actual(total), "another total than in the fragment before");
}

void judge_response_after_request(Judge& judge, const Seen& seen, const Transfer& request) {
  if (!request.started() || request.unsettled || !seen.session->witnessed) return;
  judge.require(
      kNoResponseBeforeRequest, request.complete(), field::kRpcId,
      expected([&] { return fmt::format("all {} fragments of the request", request.total_frags); }),
      actual([&] { return fmt::format("{} sent so far", request.fragments.count()); }),
      "a response to a request that is not complete (fragments sent only with pleaseDrop do not count); or the others "
      "were not captured");
}

}  // namespace wirelaw::ramcloud
