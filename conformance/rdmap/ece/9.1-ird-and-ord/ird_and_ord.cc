// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9.1: how many Read Requests may be outstanding.
#include <fmt/format.h>

#include "conformance/rdmap/ece/9.1-ird-and-ord/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_depths(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  constexpr std::uint16_t kNone = mpa::kNoNegotiation;
  if (request.ord == kNone)
    judge.require(rule<"ECE-9.1-8">, reply.ird == kNone, field::kIrd, expected("0x3fff"), actual(hex(reply.ird)),
                  "the request leaves it to the ULP");
  else if (reply.ird != kNone)
    judge.advise(rule<"ECE-9.1-3">, reply.ird > 0 || request.ord == 0, field::kIrd, expected("at least 1"),
                 actual(reply.ird), [&] { return fmt::format("the initiator's ORD is {}", request.ord); });
  if (request.ird == kNone)
    judge.require(rule<"ECE-9.1-9">, reply.ord == kNone, field::kOrd, expected("0x3fff"), actual(hex(reply.ord)),
                  "the request leaves it to the ULP");
  else if (reply.ord == kNone)
    judge.advise(rule<"ECE-9.1-2">, false, field::kOrd,
                 expected([&] { return fmt::format("at most {}", request.ird); }), actual("0x3fff"),
                 "the responder leaves it to the ULP, and the request does not");
  else
    judge.require(rule<"ECE-9.1-2">, reply.ord <= request.ird, field::kOrd,
                  expected([&] { return fmt::format("at most {}", request.ird); }), actual(reply.ord),
                  "the initiator's IRD");
}

}  // namespace wirelaw::rdmap
