// SPDX-License-Identifier: Apache-2.0
#include "harness/recorded_places.h"

#include "pcap/address.h"

namespace wirelaw {

FlowPlaces RecordedPlaces::place(FlowPlaces real, bool iut_chose, std::uint64_t ports) {
  FlowPlaces shown = std::move(real);
  if (take(shown)) return shown;
  std::string& chosen = iut_chose ? shown.iut : shown.tester;
  auto endpoint = pcap::parse_endpoint(chosen);
  if (!endpoint) return shown;
  for (std::uint64_t port = ports - 1; port > 0; --port) {
    endpoint->port = static_cast<std::uint32_t>(port);
    chosen = pcap::to_string(*endpoint);
    if (take(shown)) break;
  }
  return shown;
}

}  // namespace wirelaw
