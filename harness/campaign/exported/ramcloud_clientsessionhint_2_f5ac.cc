// SPDX-License-Identifier: Apache-2.0
// A campaign has found RAMCLOUD-clientSessionHint-2 broken: expected the hint of an open request, got 0x00005701.
// message 1: 1 octets at 15 become 80
// message 2: neither it nor any later message is sent
//
// Its row belongs in the suite of conformance/ramcloud/cases.cc, after the sections.
#include "conformance/edited_case.h"
#include "reference/octets/hex.h"

namespace wirelaw::ramcloud {

edits::FoundCase found_ramcloud_clientsessionhint_2_f5ac() {
  return {
      .protocol = "ramcloud",
      .id = "found/ramcloud-clientsessionhint-2-f5ac",
      .purpose = "The IUT does not break RAMCLOUD-clientSessionHint-2 after the messages that a campaign has found.",
      .like = "sessionToken/the-given-token-is-accepted",
      .rule = "RAMCLOUD-clientSessionHint-2",
      .edits =
          {
              {
                  .op = edits::Op::put,
                  .offset = 15,
                  .octets = *from_hex("80"),
              },
              {
                  .op = edits::Op::cut,
                  .message = 1,
              },
          },
  };
}

}  // namespace wirelaw::ramcloud
