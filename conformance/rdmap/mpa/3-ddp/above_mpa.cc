// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 3: the interface between MPA and DDP. The wire shows only the length of a ULPDU.
#include "conformance/rdmap/mpa/3-ddp/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kMostOctets = 64768;

}  // namespace

void check_ulpdu_length(Judge& judge, std::size_t length) {
  judge.require(rule<"MPA-3-5">, length <= kMostOctets, field::kUlpduLength, expected("at most 64768"), actual(length));
  judge.require(rule<"MPA-3-1">, length > 0, field::kUlpduLength, expected("at least 1"), actual(length),
                "an FPDU without a ULPDU");
}

}  // namespace wirelaw::rdmap
