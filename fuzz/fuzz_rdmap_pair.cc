// SPDX-License-Identifier: Apache-2.0
// Two endpoints of RDMAP (fuzz/rdmap_pair.h).
#include "fuzz/rdmap_pair.h"
#include "fuzz/record_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_rdmap_pair({data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kRdmapScriptShape, {data, max_size}, size, seed);
}
