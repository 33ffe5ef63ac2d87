// SPDX-License-Identifier: Apache-2.0
// Two endpoints of EFA RDM (fuzz/efa_pair.h).
#include "fuzz/efa_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_efa_pair({data, size});
  return 0;
}
