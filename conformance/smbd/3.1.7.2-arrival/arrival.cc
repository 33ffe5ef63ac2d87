// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.7.2: a connection arrives at the listener.
#include "conformance/smbd/3.1.7.2-arrival/arrival.h"

#include "conformance/smbd/3.1.7.2-arrival/rules.h"

namespace wirelaw::smbd {
void check_first_grant(Judge& judge, bool is_granted) {
  judge.require(rule<"SMBD-3.1.7.2-6">, is_granted, octets(0, 0), expected("a grant of the initiator before it"),
                actual("none"), "or that grant was not captured");
}

}  // namespace wirelaw::smbd
