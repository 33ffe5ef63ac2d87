// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

// The credits that a message grants, before they are added to the account of its receiver and before it has spent its
// own.
void judge_grant(Judge& judge, const Seen& seen);
// CreditsGranted of any message, against what the receiver wants in all.
void judge_grant_within_target(Judge& judge, const Way& from, const Way& to, std::uint16_t granted, OctetRange where);

}  // namespace wirelaw::smbd
