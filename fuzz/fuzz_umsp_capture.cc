// SPDX-License-Identifier: Apache-2.0
// Damaged captures of one connection of a job of three honest nodes (fuzz/damaged_capture.h, fuzz/umsp_job.h).
#include "conformance/umsp/umsp.h"
#include "fuzz/capture_target.h"
#include "fuzz/umsp_job.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::umsp::kProtocol, wirelaw::fuzz::run_umsp_job, {data, size});
  return 0;
}
