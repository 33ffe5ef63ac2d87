// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.3: the constant header length.
#include "conformance/efa/4.3-constant-header/constant_header.h"

#include "conformance/efa/4.3-constant-header/rules.h"

namespace wirelaw::efa {

void check_constant_header(Judge& judge, const SeenPacket& seen, const HeaderFact& fact) {
  const bool stays = fact.length == fact.before;
  const OctetRange headers = octets(0, seen.headers);
  const auto want = expected(fact.before);
  if (fact.was_kept)
    judge.require(rule<"EFA-4.3-1">, stays, headers, want, actual(fact.length),
                  "octets of headers: it kept their length as the peer asks, and has changed it");
  else
    judge.advise(rule<"EFA-4.3-1">, stays, headers, want, actual(fact.length),
                 "octets of headers: the peer asks for a constant length; a sender that cannot comply may ignore that");
}

}  // namespace wirelaw::efa
