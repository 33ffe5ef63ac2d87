// SPDX-License-Identifier: Apache-2.0
// Damaged captures of two honest endpoints' conversations (fuzz/damaged_capture.h, fuzz/efa_pair.h).
#include "conformance/efa/efa.h"
#include "fuzz/capture_target.h"
#include "fuzz/efa_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::efa::kProtocol, wirelaw::fuzz::run_efa_pair, {data, size});
  return 0;
}
