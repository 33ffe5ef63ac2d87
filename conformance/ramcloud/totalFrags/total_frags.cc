// SPDX-License-Identifier: Apache-2.0
// "totalFrags"
#include "conformance/ramcloud/totalFrags/total_frags.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {

bool judge_total_frags(Judge& judge, const Seen& seen, const Transfer& transfer) {
  const std::uint16_t total = seen.header().total_frags;
  if (!judge.require(rule<"RAMCLOUD-totalFrags-1">, total != 0, field::kTotalFrags, expected("at least 1"),
                     actual(total), "a message without fragments"))
    return false;
  if (!transfer.started()) return true;
  return judge.require(rule<"RAMCLOUD-totalFrags-2">, total == transfer.total_frags, field::kTotalFrags,
                       expected(transfer.total_frags), actual(total), "another total than in the fragment before");
}

void judge_response_after_request(Judge& judge, const Seen& seen, const Transfer& request) {
  if (!request.started() || request.unsettled || !seen.session->witnessed) return;
  judge.require(
      rule<"RAMCLOUD-totalFrags-3">, request.complete(), field::kRpcId,
      expected([&] { return fmt::format("all {} fragments of the request", request.total_frags); }),
      actual([&] { return fmt::format("{} sent so far", request.fragments.count()); }),
      "a response to a request that is not complete (fragments sent only with pleaseDrop do not count); or the others "
      "were not captured");
}

}  // namespace wirelaw::ramcloud
