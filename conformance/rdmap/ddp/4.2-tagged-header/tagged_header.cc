// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the fields that all segments of a tagged message share.
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_shared_tagged(Judge& judge, const SharedFact& fact) {
  constexpr std::string_view kDiffers = "differs from the message's first segment";
  judge.require(rule<"DDP-4.2-4">, fact.rsvd_ulp.holds(), field::kRdmapControl, expected(hex(fact.rsvd_ulp.due)),
                actual(hex(fact.rsvd_ulp.seen)), kDiffers);
  judge.require(rule<"DDP-4.2-8">, fact.stag.holds(), field::kStag, expected(hex(fact.stag.due)),
                actual(hex(fact.stag.seen)), kDiffers);
}

}  // namespace wirelaw::rdmap
