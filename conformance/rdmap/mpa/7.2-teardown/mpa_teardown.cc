// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.2: how a connection ends.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/7.2-teardown/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void judge_octets_after_end(Judge& judge, bool any) {
  judge.require(rule<"MPA-7.2-1">, !any, octets(0, judge.message().octets.size()), expected("nothing behind the FIN"),
                actual([&] { return fmt::format("{} octets", judge.message().octets.size()); }));
}

}  // namespace wirelaw::rdmap
