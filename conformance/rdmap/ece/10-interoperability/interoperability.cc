// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 10: enhanced and unenhanced sides; section 12: sanity checks of received frames.
#include <fmt/format.h>

#include "conformance/rdmap/ece/10-interoperability/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_enhanced_answer(Judge& judge, const StartFrames& frames) {
  const auto got = actual([&] { return fmt::format("S={:d} Rev={}", frames.reply.enhanced, frames.reply.revision); });
  if (claims_enhanced(frames.request))
    judge.require(rule<"ECE-10-1">, frames.reply.enhanced, field::kFlags, expected("S=1"), got);
  else
    judge.require(rule<"ECE-10-2">, !claims_enhanced(frames.reply), field::kFlags, expected("S=0"), got);
}

}  // namespace wirelaw::rdmap
