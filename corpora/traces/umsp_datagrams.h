// SPDX-License-Identifier: Apache-2.0
// The sample traces of UMSP over UDP, which scripts cannot say.
#pragma once

#include <span>

#include "corpora/traces/sample.h"
#include "corpora/traces/umsp_builder.h"

namespace wirelaw::corpora {

using UmspDatagramSample = Sample<UmspDatagrams>;
std::span<const UmspDatagramSample> umsp_datagram_samples();

}  // namespace wirelaw::corpora
