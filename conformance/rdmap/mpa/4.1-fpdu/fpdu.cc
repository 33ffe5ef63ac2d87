// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.1: the FPDU format.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_pad(Judge& judge, const mpa::Fpdu& fpdu) {
  const Octets pad = fpdu.pad();
  std::uint32_t any = 0;
  for (const Octet octet : pad) any |= octet;
  judge.require(rule<"MPA-4.1-3">, any == 0, field::pad(fpdu), expected("zero"),
                actual([&] { return fmt::format("{:02x}", fmt::join(pad, " ")); }));
}

void check_whole_fpdus(Judge& judge, const WholeFpdusFact& fact) {
  const Elsewhere at_its_end(judge, fact.at);
  const std::size_t pending = fact.octets_of_the_last;
  judge.require(rule<"MPA-4.1-1">, pending == 0, octets(0, 0), expected("the end of an FPDU"),
                actual([&] { return fmt::format("the stream ends {} octets into an FPDU", pending); }),
                fact.is_proven ? "" : "or a Terminate, or a reset, that made it stop was not captured",
                fact.is_proven ? Evidence::octets : rule<"MPA-4.1-1">.evidence);
}

}  // namespace wirelaw::rdmap
