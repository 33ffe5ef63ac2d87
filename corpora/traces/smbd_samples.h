// SPDX-License-Identifier: Apache-2.0
// The tables of the SMB Direct sample traces.
#pragma once

#include <span>

#include "corpora/traces/sample.h"
#include "corpora/traces/smbd_builder.h"

namespace wirelaw::corpora {

using SmbdSample = Sample<SmbdTraceBuilder>;

std::span<const SmbdSample> smbd_conforming_samples();  // smbd_conforming.cc
std::span<const SmbdSample> smbd_negotiate_samples();   // smbd_negotiate.cc: [MS-SMBD] 2.2 to 2.2.2, 3.1.5.2, 3.1.5.3
std::span<const SmbdSample> smbd_segment_samples();     // smbd_segments.cc: 2.2.3, 3.1.5.4
std::span<const SmbdSample> smbd_credit_samples();      // smbd_credits.cc: 3.1.4 to 3.1.7, except 3.1.5.2 to 3.1.5.4

TraceSet smbd_traces();  // all of them

}  // namespace wirelaw::corpora
