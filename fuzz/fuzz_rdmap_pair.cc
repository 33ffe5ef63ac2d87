// SPDX-License-Identifier: Apache-2.0
// Two endpoints of RDMAP (fuzz/rdmap_pair.h).
#include "fuzz/rdmap_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_rdmap_pair({data, size});
  return 0;
}
