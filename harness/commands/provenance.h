// SPDX-License-Identifier: Apache-2.0
// The data for --provenance (reports/provenance.h), collected when a run ends.
#pragma once

#include "harness/commands/same_file.h"
#include "reports/provenance.h"

namespace wirelaw {

// `files`: what was read. What cannot be read a second time, as a pipe, has no SHA-256.
RunProvenance provenance_of(const std::string& started, const std::vector<NamedFile>& files);

}  // namespace wirelaw
