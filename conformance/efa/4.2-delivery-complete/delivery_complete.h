// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_receipt(Judge& judge, const SeenPacket& seen, const ReceiptFact& fact);
// Part of check_send_id().
void check_receipted_send_id(Judge& judge, const SeenPacket& seen, const IdFact& fact);
// Part of check_medium_message(), for a segment that is not the first.
void check_segment_send_id(Judge& judge, const SeenPacket& seen, std::uint32_t begun_with);
// Checks a RECEIPT that came before data of its operation, or before a CTS that allows more.
void check_early_receipt(Judge& judge, const SeenPacket& seen, const Message& receipt, std::string_view shown_by,
                         std::string_view explanation);
extern const ClaimRow kReceiptClaims[2];

}  // namespace wirelaw::efa
