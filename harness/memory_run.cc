// SPDX-License-Identifier: Apache-2.0
#include "harness/memory_run.h"

#include <fmt/format.h>

#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {

tl::expected<RunOutcome, std::string> run_in_memory(const Protocol& protocol, const RunOptions& options,
                                                    const MemoryRun& memory, Recording* recording,
                                                    const RunProgress& progress) {
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  if (!reference) return tl::unexpected(fmt::format("{} has no reference peer", protocol.name));
  const PeerOptions peer{.role = options.iut,
                         .application = memory.application.value_or(options.application),
                         .deviations = memory.deviations,
                         .features = options.features,
                         .settings = memory.settings,
                         .parameters = memory.parameters,
                         .rdma = true,
                         .revision = options.revision};
  auto maker = reference->maker(peer);
  if (!maker) return tl::unexpected(maker.error());
  const auto iut = make_memory_iut(std::move(*maker), {.framing = memory_framing(protocol),
                                                       .network_faults = memory.network_faults,
                                                       .seed = memory.seed,
                                                       .name = memory.name,
                                                       .pair = memory.pair});
  RunOptions with_offers = options;
  with_offers.is_known = true;
  if (options.parameters.empty()) with_offers.parameters = offers_of(*reference, peer);
  return run_cases(protocol, *iut, with_offers, recording, progress);
}

}  // namespace wirelaw
