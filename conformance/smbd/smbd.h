// SPDX-License-Identifier: Apache-2.0
// SMB Direct ([MS-SMBD]) as the harness and the reports see it.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::smbd {

extern const Protocol kProtocol;

}  // namespace wirelaw::smbd
