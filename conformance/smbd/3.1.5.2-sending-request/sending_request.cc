// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.2: the fields of a Negotiate Request.
#include "conformance/smbd/3.1.5.2-sending-request/sending_request.h"

#include "conformance/smbd/3.1.5.2-sending-request/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_request_versions(Judge& judge, const NegotiateRequest& request) {
  judge.require(rule<"SMBD-3.1.5.2-1">, request.min_version == kVersion1, in_request(Field::min_version),
                expected(hex(kVersion1)), actual(hex(request.min_version)));
  judge.require(rule<"SMBD-3.1.5.2-2">, request.max_version == kVersion1, in_request(Field::max_version),
                expected(hex(kVersion1)), actual(hex(request.max_version)));
}

void check_request_reserved(Judge& judge, const NegotiateRequest& request) {
  judge.require(rule<"SMBD-3.1.5.2-3">, request.reserved == 0, in_request(Field::reserved), expected(0),
                actual(hex(request.reserved)));
}

}  // namespace wirelaw::smbd
