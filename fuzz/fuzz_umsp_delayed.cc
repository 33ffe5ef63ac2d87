// SPDX-License-Identifier: Apache-2.0
// Two nodes of UMSP and long delays (fuzz/umsp_delayed.h). The input: four octets for the path, one for the beginning
// of a second capture, and the steps.
#include "fuzz/target.h"
#include "fuzz/umsp_delayed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kPath = 5, kMostSteps = 64;
  if (size < kPath) return 0;
  const Octets input(data, size);
  const std::int64_t most_ns = std::int64_t{input[0]} * 3'000'000'000 / 255;
  const Octets steps = input.subspan(kPath);
  const UmspDelayed conversation({.path = {.seed = input[1],
                                           .least_ns = most_ns * (input[2] & 0x0f) / 15,
                                           .most_ns = most_ns,
                                           .loss = static_cast<Octet>(input[3] / 16),
                                           .tap = static_cast<TapPlace>((input[2] >> 4) % 3)},
                                  .connections = 1u + (input[3] & 3),
                                  .remote_control = (input[2] & 0x80) != 0,
                                  .steps = steps.first(std::min(steps.size(), kMostSteps))});
  for (const std::size_t first : {std::size_t{0}, conversation.frames() * input[4] / 256}) {
    const std::vector<std::string> failed = conversation.failed_musts(first);
    require(failed.empty(), failed.empty() ? "" : "honest nodes with long ways: " + failed.front());
  }
  return 0;
}
