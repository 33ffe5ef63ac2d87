// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_only_established(Judge& judge, bool answered);
// The credit that the message spends, before it is taken from the account.
void judge_send_credit(Judge& judge, const Seen& seen);
// SMB_DIRECT_RESPONSE_REQUESTED, which is not sent again before something was received.
void judge_flag_once(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
