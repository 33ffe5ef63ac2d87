// SPDX-License-Identifier: Apache-2.0
// The reference endpoint as responder, with a peer that a script plays: see efa_conversation.h.
#include "fuzz/efa_conversation.h"
#include "fuzz/record_mutator.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_efa_conversation({data, size}, false);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kEfaScriptShape, {data, max_size}, size, seed);
}
