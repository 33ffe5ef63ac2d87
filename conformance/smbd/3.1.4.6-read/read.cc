// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.6: RDMA Read from a buffer that the peer has lent.
#include "conformance/smbd/3.1.4.6-read/read.h"

#include "conformance/smbd/3.1.4.5-write/write.h"
#include "conformance/smbd/3.1.4.6-read/rules.h"

namespace wirelaw::smbd {
void check_read(Judge& judge, const MoveFact& move) {
  if (judge.require(rule<"SMBD-3.1.4.6-1">, *move.is_lent, octets(0, 0),
                    expected("an upper-layer message of the other side before it"), actual("none"),
                    "or the message with the descriptor was not captured"))
    check_use(judge, rule<"SMBD-3.1.4.6-1">, move);
}

}  // namespace wirelaw::smbd
