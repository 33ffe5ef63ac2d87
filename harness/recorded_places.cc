// SPDX-License-Identifier: Apache-2.0
#include "harness/recorded_places.h"

#include <fmt/format.h>

#include "pcap/address.h"

namespace wirelaw {

FlowPlaces RecordedPlaces::place(FlowPlaces real, bool iut_chose, std::uint64_t ports) {
  if (part_) return name(std::move(real), iut_chose, ports);
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

// Discard addresses from RFC 6666, which no real traffic uses.
FlowPlaces RecordedPlaces::name(FlowPlaces real, bool iut_chose, std::uint64_t ports) {
  const std::uint64_t number = named_++;
  const auto end = [&](char which) {
    return fmt::format("[100::{:x}:{:x}:{:x}:{}]:1", *part_, number >> 16, number & 0xffff, which);
  };
  FlowPlaces names{.tester = end('a'), .iut = end('b')};
  placeless_.push_back({step_, std::move(real), iut_chose, ports, names});
  return names;
}

std::string RecordedPlaces::remark(const FlowPlaces& real, const FlowPlaces& shown) const {
  if (part_) return shown.tester;
  if (shown.tester == real.tester && shown.iut == real.iut) return {};
  return fmt::format("an earlier flow was between the same two, {} and {}: here one has another port", real.tester,
                     real.iut);
}

}  // namespace wirelaw
