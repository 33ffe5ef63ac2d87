// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.1: the FPDU format.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void judge_pad(Judge& judge, const Seen& seen) {
  const Octets pad = seen.fpdu.pad();
  std::uint32_t any = 0;
  for (const Octet octet : pad) any |= octet;
  judge.require(rule<"MPA-4.1-3">, any == 0, field::pad(seen.fpdu), expected("zero"),
                actual([&] { return fmt::format("{:02x}", fmt::join(pad, " ")); }));
}

void note_broken_off(Judge& judge, Direction& from, const Direction& to) {
  const bool made_to_stop = to.terminate_sent || to.reset || from.reset;
  if (!from.closed || !from.deframer || from.deframer->lost() || made_to_stop) return;
  from.broken_off = judge.message();
  from.broken_off_octets = from.deframer->pending() + from.held.size();
}

void judge_whole_fpdus(Judge& judge, const Direction& from, const Direction& to) {
  if (!from.broken_off) return;
  const Elsewhere at_its_end(judge, *from.broken_off);
  const std::size_t pending = from.broken_off_octets;
  const bool both_are_whole = from.unbroken && to.unbroken && to.closed && !to.reset;
  judge.require(rule<"MPA-4.1-1">, pending == 0, octets(0, 0), expected("the end of an FPDU"),
                actual([&] { return fmt::format("the stream ends {} octets into an FPDU", pending); }),
                both_are_whole ? "" : "or a Terminate, or a reset, that made it stop was not captured",
                both_are_whole ? Evidence::octets : rule<"MPA-4.1-1">.evidence);
}

}  // namespace wirelaw::rdmap
