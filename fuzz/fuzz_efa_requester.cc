// SPDX-License-Identifier: Apache-2.0
// The reference endpoint as requester, with a scripted peer: see efa_conversation.h.
#include "fuzz/efa_conversation.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_efa_conversation({data, size}, true);
  return 0;
}
