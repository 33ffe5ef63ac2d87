// SPDX-License-Identifier: Apache-2.0
// A client and a server of RAMCloud RPC with long delays (fuzz/ramcloud_delayed.h). The input: the part for
// read_delayed(), the settings of both, and the steps.
#include <algorithm>

#include "fuzz/ramcloud_delayed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  constexpr std::size_t kMostSteps = 64;
  const auto input = read_delayed({data, size});
  if (!input || input->rest.size() < corpora::kSettingsOctets) return 0;
  RamcloudDelayed conversation{.path = input->path, .skipped = input->skipped};
  std::copy_n(input->rest.begin(), corpora::kSettingsOctets, conversation.settings.begin());
  const Octets steps = input->rest.subspan(corpora::kSettingsOctets);
  conversation.steps = steps.first(std::min(steps.size(), kMostSteps));
  require_no_failed_must(run_ramcloud_delayed(conversation));
  return 0;
}
