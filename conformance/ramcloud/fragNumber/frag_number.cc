// SPDX-License-Identifier: Apache-2.0
// "fragNumber"
#include "conformance/ramcloud/fragNumber/frag_number.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/fragNumber/rules.h"

namespace wirelaw::ramcloud {

void check_frag_number(Judge& judge, const PacketFacts& facts) {
  judge.require(rule<"RAMCLOUD-fragNumber-1">, facts.header().frag_number < facts.header().total_frags,
                field::kFragNumber, expected([&] { return fmt::format("below {}", facts.header().total_frags); }),
                actual(facts.header().frag_number), "the message has no such fragment");
}

void check_fragment_data(Judge& judge, const PacketFacts& facts, bool is_same) {
  judge.require(rule<"RAMCLOUD-fragNumber-5">, is_same, field::payload(facts.packet),
                expected("the data of the first time that this fragment was sent"),
                actual("other data (compared: length, first and last eight octets)"),
                "one fragment number of one message was sent with differing data");
}

}  // namespace wirelaw::ramcloud
