// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry point to the mutator of the target (WIRELAW_FUZZ_TARGET).
#include "fuzz/mutators.h"
#include "fuzz/target.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  static const wirelaw::fuzz::Mutator kMutator = wirelaw::fuzz::find_mutator(WIRELAW_FUZZ_TARGET);
  wirelaw::fuzz::require(kMutator != nullptr, "a target that is MUTATED has a row in fuzz/mutators.cc");
  return kMutator({data, max_size}, size, seed);
}
