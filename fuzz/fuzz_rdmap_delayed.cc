// SPDX-License-Identifier: Apache-2.0
// Two endpoints of RDMAP with long delays (fuzz/rdmap_delayed.h). The input: the part for read_delayed(), the settings
// of both, and the steps.
#include <algorithm>

#include "corpora/formats/rdmap_steps.h"
#include "fuzz/rdmap_delayed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kMostSteps = 60;
  const auto input = read_delayed({data, size});
  if (!input || input->rest.size() < corpora::kRdmapSettings) return 0;
  const Octets steps = input->rest.subspan(corpora::kRdmapSettings);
  require_no_failed_must(run_rdmap_delayed({.path = input->path,
                                            .skipped = input->skipped,
                                            .settings = input->rest.first(corpora::kRdmapSettings),
                                            .steps = steps.first(std::min(steps.size(), kMostSteps))}));
  return 0;
}
