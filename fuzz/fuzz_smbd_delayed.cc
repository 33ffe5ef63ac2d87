// SPDX-License-Identifier: Apache-2.0
// Two endpoints of SMB Direct with long delays (fuzz/smbd_delayed.h). The input: the part for read_delayed(), whose
// flag selects RoCE; the settings of both; and the steps.
#include <algorithm>

#include "corpora/formats/smbd_steps.h"
#include "fuzz/smbd_delayed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kMostSteps = 128;
  const auto input = read_delayed({data, size});
  if (!input || input->rest.size() < corpora::kSmbdSettings) return 0;
  const Octets steps = input->rest.subspan(corpora::kSmbdSettings);
  require_no_failed_must(run_smbd_delayed({.path = input->path,
                                           .skipped = input->skipped,
                                           .over_roce = input->flag,
                                           .settings = input->rest.first(corpora::kSmbdSettings),
                                           .steps = steps.first(std::min(steps.size(), kMostSteps))}));
  return 0;
}
