// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 7.1: the validation of each received segment. An answer shows that a receiver has gone on.
#include <fmt/format.h>

#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

std::string_view words_of(PlainFault::Kind kind) {
  using enum PlainFault::Kind;
  return kind == queue_number ? "a queue that no stream has"
         : kind == old_msn    ? "an MSN that was used before"
                              : "a TO that wraps";
}

}  // namespace

void check_discarded(Judge& judge, const SegmentFacts& segment, const PlainFault& fault) {
  judge.require(
      rule<"DDP-7.1-13">, false, field::kRdmapControl, expected("a Terminate, or nothing"),
      actual(name_of_response(segment)),
      [&] {
        return fmt::format("message {} of the flow had {}, and the request came after it", fault.index + 1,
                           words_of(fault.kind));
      },
      segment.of_lack);
}

}  // namespace wirelaw::rdmap
