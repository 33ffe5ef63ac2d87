// SPDX-License-Identifier: Apache-2.0
// Damaged captures of one connection of a job of three honest nodes (fuzz/damaged_capture.h, fuzz/umsp_job.h).
#include "conformance/umsp/umsp.h"
#include "fuzz/capture_target.h"
#include "fuzz/record_mutator.h"
#include "fuzz/umsp_job.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::umsp::kProtocol, wirelaw::fuzz::run_umsp_job, {data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate_damaged(wirelaw::fuzz::kJobScriptShape, {data, max_size}, size, seed);
}
