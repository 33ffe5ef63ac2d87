// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.6: RDMA Read from a buffer that the peer has lent.
#include "conformance/smbd/3.1.4.6-read/read.h"

#include "conformance/smbd/3.1.4.5-write/write.h"
#include "conformance/smbd/3.1.4.6-read/rules.h"

namespace wirelaw::smbd {
void judge_read(Judge& judge, Connection& connection, const Delivery& read) {
  if (!connection.from_start) return;
  Way& lender = connection.of(other(read.sender));
  if (judge.require(rule<"SMBD-3.1.4.6-1">, lender.has_sent_payload, octets(0, 0),
                    expected("an upper-layer message of the other side before it"), actual("none"),
                    "or the message with the descriptor was not captured"))
    judge_use(judge, rule<"SMBD-3.1.4.6-1">, lender.lent.use(read.remote, false), read.remote);
}

}  // namespace wirelaw::smbd
