// SPDX-License-Identifier: Apache-2.0
// A job of three nodes; see umsp_job.h.
#include "fuzz/target.h"
#include "fuzz/umsp_job.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_umsp_job({data, size}, nullptr);
  return 0;
}
