// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.4: a segment is a header, and payload if any.
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_ddp_header(Judge& judge, const HeaderFact& fact) {
  judge.require(fact.tagged ? rule<"DDP-4.2-1"> : rule<"DDP-4.3-1">, fact.holds(), field::kUlpduLength,
                expected([&] { return fmt::format("at least {}", fact.needed); }), actual(fact.octets),
                "the ULPDU ends inside the DDP header");
}

}  // namespace wirelaw::rdmap
