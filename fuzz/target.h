// SPDX-License-Identifier: Apache-2.0
// The interface of a fuzz target to an engine, and the report of a broken oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Optional in a target; called by libFuzzer and by engines with its interface.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed);

namespace wirelaw::fuzz {

// Ends the process if the condition does not hold: every engine counts that as a crash and keeps the input.
inline void require(bool holds, std::string_view what) {
  if (holds) [[likely]]
    return;
  std::fprintf(stderr, "\nbroken: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace wirelaw::fuzz
