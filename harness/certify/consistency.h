// SPDX-License-Identifier: Apache-2.0
// Checks that the files of a statement belong together: results and recordings of its runs, each once, made before the
// statement. This cannot detect a forgery in which all files were replaced and agree; only a signature can.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "harness/certify/capture_facts.h"
#include "harness/certify/evidence.h"

namespace wirelaw {

// The identity of a run in its recording: "run=… certification=…", the SHA-256 of json_of_identity().
std::string mark_of(const RunIdentity& identity);

// `captures` has an entry for each run. `fault` is called with one line for everything that does not belong together.
void check_consistency(const EvidenceSet& evidence, std::span<const std::optional<CaptureFacts>> captures,
                       std::chrono::sys_seconds now, const std::function<void(std::string fault)>& fault);

// A reference peer that the tester makes itself: in virtual time, each run from a seed.
bool is_in_memory(const EvidenceSet& evidence);

}  // namespace wirelaw
