// SPDX-License-Identifier: Apache-2.0
// Two endpoints of EFA RDM with long delays (fuzz/efa_delayed.h). The input: the part for read_delayed(), the settings
// of both endpoints, and the steps.
#include <algorithm>

#include "fuzz/efa_delayed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kMostSteps = 64;
  const auto input = read_delayed({data, size});
  if (!input || input->rest.size() < corpora::kEfaSettingsOctets) return 0;
  EfaDelayed conversation{.path = input->path, .skipped = input->skipped};
  std::copy_n(input->rest.begin(), corpora::kEfaSettingsOctets, conversation.settings.begin());
  const Octets steps = input->rest.subspan(corpora::kEfaSettingsOctets);
  conversation.steps = steps.first(std::min(steps.size(), kMostSteps));
  require_no_failed_must(run_efa_delayed(conversation));
  return 0;
}
