// SPDX-License-Identifier: Apache-2.0
// "fragNumber"
#include "conformance/ramcloud/fragNumber/frag_number.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/fragNumber/rules.h"

namespace wirelaw::ramcloud {

bool judge_frag_number(Judge& judge, const Seen& seen, const Transfer& transfer) {
  return judge.require(rule<"RAMCLOUD-fragNumber-1">, seen.header().frag_number < transfer.total_frags,
                       field::kFragNumber, expected([&] { return fmt::format("below {}", transfer.total_frags); }),
                       actual(seen.header().frag_number), "the message has no such fragment");
}

void judge_fragment_data(Judge& judge, const Seen& seen, Transfer& transfer) {
  if (seen.message.is_cut()) return;
  const std::uint32_t now = fingerprint(seen.packet.payload);
  const std::uint32_t before = transfer.fingerprints.exchange(seen.header().frag_number, now);
  if (before == 0) return;
  judge.require(rule<"RAMCLOUD-fragNumber-5">, before == now, field::payload(seen.packet),
                expected("the data of the first time that this fragment was sent"),
                actual("other data (compared: length, first and last eight octets)"),
                "one fragment number of one message was sent with differing data");
}

}  // namespace wirelaw::ramcloud
