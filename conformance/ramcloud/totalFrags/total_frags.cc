// SPDX-License-Identifier: Apache-2.0
// "totalFrags"
#include "conformance/ramcloud/totalFrags/total_frags.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {

bool check_total_frags(Judge& judge, const PacketFacts& facts, const FragmentFact& fact) {
  const std::uint16_t total = facts.header().total_frags;
  if (!judge.require(rule<"RAMCLOUD-totalFrags-1">, total != 0, field::kTotalFrags, expected("at least 1"),
                     actual(total), "a message without fragments"))
    return false;
  if (!fact.total_before) return true;
  return judge.require(rule<"RAMCLOUD-totalFrags-2">, total == *fact.total_before, field::kTotalFrags,
                       expected(*fact.total_before), actual(total), "another total than in the fragment before");
}

void check_response_after_request(Judge& judge, const AnsweredRequestFact& request) {
  judge.require(
      rule<"RAMCLOUD-totalFrags-3">, request.is_complete, field::kRpcId,
      expected([&] { return fmt::format("all {} fragments of the request", request.total); }),
      actual([&] { return fmt::format("{} sent so far", request.sent); }),
      "a response to a request that is not complete (fragments sent only with pleaseDrop do not count); or the others "
      "were not captured");
}

}  // namespace wirelaw::ramcloud
