// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: ATOMRSP, which returns the values from before a fetching atomic.
#include "conformance/efa/3.3-atomrsp/atomrsp.h"

#include "conformance/efa/3.3-atomrsp/rules.h"
#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

const ClaimRow kAtomrspClaims[] = {{Claim::answers_atomic, &rule<"EFA-3.3-125">, "an ATOMRSP", "none",
                                    "long ago, and no answer to this request; it may have been refused",
                                    "it has answered later atomics on the same memory: this one was not refused"}};

void check_atomrsp(Judge& judge, const SeenPacket& seen, const AtomrspFact& fact) {
  using enum AtomrspFact::Of;
  const std::uint64_t octets = seen.payload_octets();
  const bool whole =
      require(judge, rule<"EFA-3.3-120">, seen.packet.seg_length == octets, seen, Field::seg_length, expected(octets),
              actual(seen.packet.seg_length), "the packet carries another number of octets");
  const auto got = actual([&] { return fmt::format("{}", seen.packet.recv_id); });
  if (fact.of == silent) {
    require(judge, rule<"EFA-3.3-122">, false, seen, Field::recv_id, expected("no answer to a WRITE_RTA"), got,
            "no fetching atomic waits for an answer, or the one that does was not captured");
  } else if (fact.of == none) {
    require(judge, rule<"EFA-3.3-121">, false, seen, Field::recv_id, expected("recv_id of a FETCH_RTA or COMPARE_RTA"),
            got, "no such request has this recv_id, or the one that has was not captured");
  } else if (fact.of == fetching && fact.answer.answered) {
    check_single_answer(judge, seen, rule<"EFA-3.3-124">, fact.answer);
  } else if (fact.of == fetching) {
    keeps(judge, rule<"EFA-3.3-121">, rule<"EFA-3.3-122">, rule<"EFA-3.3-124">, rule<"EFA-3.3-125">);
    if (whole && fact.octets)
      judge.require(rule<"EFA-3.3-123">, octets == *fact.octets, seen.payload(),
                    expected([&] { return fmt::format("{} octets of data", *fact.octets); }), actual(octets),
                    "the buffers of the request hold another number of octets");
  }
}

}  // namespace wirelaw::efa
