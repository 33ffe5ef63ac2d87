// SPDX-License-Identifier: Apache-2.0
// Conversations of SMB Direct over iWARP as scripts say them. A message lies in an RDMAP Send, whose fields it has,
// too; what is no message of SMB Direct is one of iWARP's.
#pragma once

#include "conformance/script/language.h"

namespace wirelaw::smbd {

extern const script::Language kLanguage;

}  // namespace wirelaw::smbd
