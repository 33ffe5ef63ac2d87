// SPDX-License-Identifier: Apache-2.0
// Damaged captures of two honest endpoints' conversations (fuzz/damaged_capture.h, fuzz/ramcloud_network.h).
#include "conformance/ramcloud/ramcloud.h"
#include "fuzz/capture_target.h"
#include "fuzz/ramcloud_network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::ramcloud::kProtocol, wirelaw::fuzz::run_ramcloud_network, {data, size});
  return 0;
}
