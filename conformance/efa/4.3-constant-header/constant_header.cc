// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.3: the constant header length.
#include "conformance/efa/4.3-constant-header/constant_header.h"

#include "conformance/efa/4.3-constant-header/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void check_constant_header(Judge& judge, const SeenPacket& seen, const HeaderFact& fact) {
  judge_due(
      judge, fact.was_kept, rule<"EFA-4.3-1">, fact.length == fact.before, octets(0, seen.headers),
      expected(fact.before), actual(fact.length),
      fact.was_kept
          ? "octets of headers: it kept their length as the peer asks, and has changed it"
          : "octets of headers: the peer asks for a constant length; a sender that cannot comply may ignore that");
}

}  // namespace wirelaw::efa
