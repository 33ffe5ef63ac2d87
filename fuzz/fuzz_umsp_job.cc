// SPDX-License-Identifier: Apache-2.0
// A job of three nodes; see umsp_job.h.
#include "fuzz/record_mutator.h"
#include "fuzz/target.h"
#include "fuzz/umsp_job.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_umsp_job({data, size}, nullptr);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kJobScriptShape, {data, max_size}, size, seed);
}
