// SPDX-License-Identifier: Apache-2.0
// The tables of the iWARP sample traces: one file per layer.
#pragma once

#include <span>

#include "corpora/traces/rdmap_builder.h"
#include "corpora/traces/sample.h"

namespace wirelaw::corpora {

using RdmapSample = Sample<RdmapTraceBuilder>;

std::span<const RdmapSample> mpa_conforming_samples();   // rdmap_mpa_conforming.cc: RFC 5044, RFC 6581
std::span<const RdmapSample> fpdu_samples();             // rdmap_fpdus.cc: RFC 5044, 3 to 5.1
std::span<const RdmapSample> start_frame_samples();      // rdmap_start_frames.cc: RFC 5044, 7; RFC 6581
std::span<const RdmapSample> ddp_samples();              // rdmap_ddp.cc: RFC 5041
std::span<const RdmapSample> rdmap_samples();            // rdmap_messages.cc: RFC 5040, 4.1 to 4.7, 5, 6.1
std::span<const RdmapSample> terminate_samples();        // rdmap_terminates.cc: RFC 5040, 4.8
std::span<const RdmapSample> terminate_cause_samples();  // rdmap_terminate_causes.cc: RFC 5040, 5.4, 6.2, 7; DDP, MPA
std::span<const RdmapSample> extension_samples();        // rdmap_extensions.cc: RFC 7306
std::span<const RdmapSample> silence_samples();          // rdmap_silence.cc: missing responses

TraceSet rdmap_traces();  // all of them

}  // namespace wirelaw::corpora
