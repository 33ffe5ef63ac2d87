// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// The credits that a Data Transfer grants.
void check_grant(Judge& judge, const DataTransfer& data, const GrantFact& fact);
// Judges CreditsGranted of any message against the receiver's total target.
void check_grant_within_target(Judge& judge, const GrantFact& fact, std::uint16_t granted, OctetRange where);

}  // namespace wirelaw::smbd
