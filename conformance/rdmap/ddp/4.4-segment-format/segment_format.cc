// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.4: a segment is a header, and payload if any.
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

// Codes that a receiver may report: 2/0/03 (the lengths of MPA and DDP disagree), or any code, because no specification
// defines one.
void blame_short(Seen& seen) {
  seen.blame(error::kMpaMarker);
  seen.blame(error::kDdpLocalCatastrophic);
  seen.blame(error::kOperationUnspecified);
}

}  // namespace

bool judge_ddp_header(Judge& judge, Seen& seen) {
  const Octets ulpdu = seen.fpdu.ulpdu();
  const auto segment = ddp::decode(ulpdu);
  if (!segment) [[unlikely]]
    blame_short(seen);
  if (ulpdu.empty()) return false;  // MPA's rule
  const bool tagged = segment ? segment->header.tagged : segment.error().needed == ddp::layout::kTagged;
  if (!judge.require(tagged ? rule<"DDP-4.2-1"> : rule<"DDP-4.3-1">, segment.has_value(), field::kUlpduLength,
                     expected([&] { return fmt::format("at least {}", segment.error().needed); }), actual(ulpdu.size()),
                     "the ULPDU ends inside the DDP header"))
    return false;
  seen.header = segment->header;
  seen.payload = segment->payload;
  seen.control = decode_control(seen.header.rsvd_ulp);
  seen.row = find_opcode(seen.control.opcode);
  judge_ddp_control(judge, seen);
  return true;
}

}  // namespace wirelaw::rdmap
