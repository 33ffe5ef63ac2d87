// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.2: a message may have a token of the receiver's memory invalidated.
#include "conformance/smbd/3.1.4.2-send/send.h"

#include "conformance/smbd/3.1.4.2-send/rules.h"

namespace wirelaw::smbd {

void check_invalidated_once(Judge& judge, std::uint32_t token) {
  judge.require(rule<"SMBD-3.1.4.2-7">, false, octets(0, 0), expected("a token that the receiver has lent again"),
                actual(hex(token)), "it has been invalidated before, and no payload has named it since (SMBD/A47)",
                Evidence::absence);
}

}  // namespace wirelaw::smbd
