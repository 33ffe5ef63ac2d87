// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"

namespace wirelaw::efa {

extern const ClaimRow kEndClaims[7];

}  // namespace wirelaw::efa
