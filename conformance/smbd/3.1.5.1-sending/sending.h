// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_only_established(Judge& judge, bool is_established);
// Judges the credit that the message spends.
void check_send_credit(Judge& judge, const DataTransfer& data, const CreditFact& fact);
// SMB_DIRECT_RESPONSE_REQUESTED, which is not sent again before something was received.
void check_flag_once(Judge& judge, const DataTransfer& data, const AskingFact& fact);

}  // namespace wirelaw::smbd
