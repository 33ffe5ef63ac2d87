// SPDX-License-Identifier: Apache-2.0
// The tables of the RAMCloud RPC sample traces.
#pragma once

#include <span>

#include "corpora/traces/ramcloud_builder.h"
#include "corpora/traces/sample.h"

namespace wirelaw::corpora {

using RamcloudSample = Sample<RamcloudTraceBuilder>;

std::span<const RamcloudSample> ramcloud_violating_samples();
std::span<const RamcloudSample> ramcloud_conforming_samples();

TraceSet ramcloud_traces();  // all of them

}  // namespace wirelaw::corpora
