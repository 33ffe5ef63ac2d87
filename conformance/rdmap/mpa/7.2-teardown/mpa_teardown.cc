// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.2: how a connection ends.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/7.2-teardown/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_octets_after_end(Judge& judge, std::size_t count) {
  judge.require(rule<"MPA-7.2-1">, count == 0, octets(0, count), expected("nothing after the FIN"),
                actual([&] { return fmt::format("{} octets", count); }));
}

}  // namespace wirelaw::rdmap
