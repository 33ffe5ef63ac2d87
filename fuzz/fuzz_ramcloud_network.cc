// SPDX-License-Identifier: Apache-2.0
// A client and a server of RAMCloud RPC, and a bad network between them (fuzz/ramcloud_network.h).
#include "fuzz/ramcloud_network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_ramcloud_network({data, size});
  return 0;
}
