// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.5: RDMA Write to a buffer that the peer has lent.
#include "conformance/smbd/3.1.4.5-write/write.h"

#include "conformance/smbd/3.1.4.5-write/rules.h"

namespace wirelaw::smbd {
void check_write(Judge& judge, const MoveFact& move) {
  if (judge.require(rule<"SMBD-3.1.4.5-1">, *move.is_lent, octets(0, 0),
                    expected("an upper-layer message of the other side before it"), actual("none"),
                    "or the message with the descriptor was not captured"))
    check_use(judge, rule<"SMBD-3.1.4.5-1">, move);
}

void check_use(Judge& judge, const Rule& rule, const MoveFact& move) {
  const RemoteRange& range = move.remote;
  const auto operation = [&] {
    return fmt::format("{} octets at 0x{:x} with token 0x{:08x}", range.length, range.offset, range.stag);
  };
  switch (move.use) {
    case Use::unknown:
    case Use::fits:
      return;
    case Use::unnamed:
      judge.advise(rule, false, octets(0, 0), expected("a token that the other side has named"),
                   actual(hex(range.stag)), "no payload that it has sent before holds these four octets (SMBD/A44)");
      return;
    case Use::undescribed:
      judge.advise(rule, false, octets(0, 0), expected("a place that a descriptor with its token describes"),
                   actual(operation), "no descriptor in the payloads before covers all of it (SMBD/A44)");
      return;
    case Use::outside:
      judge.require(rule, false, octets(0, 0), expected("a place in the buffers that were lent with its token"),
                    actual(operation), "the SMB2 requests before it describe them (SMBD/A45)");
      return;
    case Use::backwards:
      judge.advise(rule, false, octets(0, 0), expected("RDMA Writes for an SMB2 READ, RDMA Reads for an SMB2 WRITE"),
                   actual(operation), "its buffer was lent for the other direction (SMBD/A45)");
      return;
    case Use::too_much:
      judge.advise(rule, false, octets(0, 0), expected("no more octets than the buffers of the SMB2 request hold"),
                   actual(operation), "with what was moved before for the same request (SMBD/A45)");
      return;
    case Use::over:
      judge.advise(rule, false, octets(0, 0), expected("a token of an SMB2 request that waits for its response"),
                   actual(operation), "its sender has answered the request, or there was none (SMBD/A45)");
      return;
    case Use::ended:
      judge.require(rule, false, octets(0, 0), expected("a token that the other side has lent again"),
                    actual(operation),
                    "its sender has invalidated the token, and no payload has named it since (SMBD/A47)");
      return;
  }
}

}  // namespace wirelaw::smbd
