// SPDX-License-Identifier: Apache-2.0
// Damaged captures of two honest endpoints' conversations (fuzz/damaged_capture.h, fuzz/rdmap_pair.h).
#include "conformance/rdmap/rdmap.h"
#include "fuzz/capture_target.h"
#include "fuzz/rdmap_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::rdmap::kProtocol, wirelaw::fuzz::run_rdmap_pair, {data, size});
  return 0;
}
