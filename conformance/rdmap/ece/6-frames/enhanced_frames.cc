// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 6: start frames with enhanced data.
#include "conformance/rdmap/ece/6-frames/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_enhanced_format(Judge& judge, const mpa::StartFrame& frame) {
  if (!frame.enhanced) return;
  if (!judge.require(rule<"ECE-6-1">, frame.revision >= mpa::kRevision2, field::kRevision, expected("2"),
                     actual(frame.revision), "S is set"))
    return;
  judge.require(rule<"ECE-6-3">, frame.private_data_length >= mpa::layout::kEnhanced, field::kPrivateDataLength,
                expected("at least 4"), actual(frame.private_data_length), "S is set");
}

}  // namespace wirelaw::rdmap
