// SPDX-License-Identifier: Apache-2.0
// The mutators of all targets as AFL++'s custom mutator library (AFL_CUSTOM_MUTATOR_LIBRARY). The name of the program
// that afl-fuzz runs selects the mutator. If the program has another name, WIRELAW_FUZZ_TARGET does.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "fuzz/mutators.h"

namespace wirelaw::fuzz {
namespace {

// The mutator for the first word of afl-fuzz's command line that is a path to such a program.
Mutator of_the_command_line() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(words, word, '\0');)
    if (const Mutator mutator = find_mutator(word.substr(word.rfind('/') + 1))) return mutator;
  return nullptr;
}

struct AflMutator {
  Mutator mutate;
  std::minstd_rand random;
  OctetBuffer buffer;  // afl-fuzz reads it until the next call
};

}  // namespace
}  // namespace wirelaw::fuzz

using wirelaw::fuzz::AflMutator;

extern "C" {

void* afl_custom_init(void* /*afl*/, unsigned seed) {
  const char* const named = std::getenv("WIRELAW_FUZZ_TARGET");
  const auto mutator = named != nullptr ? wirelaw::fuzz::find_mutator(named) : wirelaw::fuzz::of_the_command_line();
  if (mutator == nullptr) {
    std::fprintf(stderr, "%s\n",
                 named != nullptr
                     ? "WIRELAW_FUZZ_TARGET names no target that has a mutator"
                     : "the program's name is no target that has a mutator; name it by WIRELAW_FUZZ_TARGET");
    return nullptr;
  }
  return new AflMutator{mutator, std::minstd_rand(seed), {}};
}

std::size_t afl_custom_fuzz(void* data, std::uint8_t* octets, std::size_t size, std::uint8_t** out,
                            std::uint8_t* /*other*/, std::size_t /*other_size*/, std::size_t max_size) {
  auto& self = *static_cast<AflMutator*>(data);
  self.buffer.assign(octets, octets + std::min(size, max_size));
  const std::size_t before = self.buffer.size();
  self.buffer.resize(max_size);
  const std::size_t now = self.mutate(self.buffer, before, static_cast<std::uint32_t>(self.random()));
  *out = self.buffer.data();
  return now;
}

void afl_custom_deinit(void* data) {
  delete static_cast<AflMutator*>(data);
}

}  // extern "C"
