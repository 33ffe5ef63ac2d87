// SPDX-License-Identifier: Apache-2.0
// SMB Direct over iWARP in scripts. A message is carried in an RDMAP Send, whose fields a script may set too. All other
// messages are those of iWARP.
#pragma once

#include "conformance/script/language.h"

namespace wirelaw::smbd {

extern const script::Language kLanguage;

}  // namespace wirelaw::smbd
