// SPDX-License-Identifier: Apache-2.0
// Damaged captures of two honest endpoints' conversations over iWARP or RoCEv2 (fuzz/damaged_capture.h,
// fuzz/smbd_conversation.h).
#include "conformance/smbd/smbd.h"
#include "fuzz/capture_target.h"
#include "fuzz/smbd_conversation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::judge_damaged(wirelaw::smbd::kProtocol, wirelaw::fuzz::run_smbd_pair, {data, size});
  return 0;
}
