// SPDX-License-Identifier: Apache-2.0
// Two endpoints of SMB Direct and long ways (fuzz/smbd_delayed.h). The input: four octets of the path, the settings of
// both, and the script.
#include "corpora/formats/smbd_steps.h"
#include "fuzz/smbd_delayed.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kPath = 4, kMostSteps = 128;
  if (size < kPath + corpora::kSmbdSettings) return 0;
  const Octets input(data, size);
  const std::int64_t most_ns = std::int64_t{input[0]} * 3'000'000'000 / 255;
  const Octets rest = input.subspan(kPath + corpora::kSmbdSettings);
  const DelayedOutcome outcome = run_smbd_delayed({.path = {.seed = input[1],
                                                            .least_ns = most_ns * (input[2] & 0x0f) / 15,
                                                            .most_ns = most_ns,
                                                            .loss = static_cast<Octet>(input[3] / 16),
                                                            .tap = static_cast<Tap>((input[2] >> 4) % 3)},
                                                   .over_roce = (input[2] & 0x80) != 0,
                                                   .settings = input.subspan(kPath, corpora::kSmbdSettings),
                                                   .script = rest.first(std::min(rest.size(), kMostSteps))});
  const std::vector<std::string> failed = outcome.failed_musts();
  require(failed.empty(), failed.empty() ? "" : "honest endpoints with long ways: " + failed.front());
  return 0;
}
