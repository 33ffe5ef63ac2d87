// SPDX-License-Identifier: Apache-2.0
// Decides which process judges a flow, if several processes share a run.
#include <algorithm>

#include "harness/check/check.h"
#include "harness/check/flow_ends.h"
#include "harness/check/flow_hash.h"

namespace wirelaw {

// All parts see the same octets in the same order, so each assigns a flow to the same part.
std::size_t Checker::least_loaded() const {
  return static_cast<std::size_t>(std::ranges::min_element(loads_) - loads_.begin());
}

// Flows between two nodes that explain one another go to the same part.
std::size_t Checker::part_of_nodes(std::uint64_t hash) {
  const auto known = parts_of_nodes_.find(hash);
  if (known != parts_of_nodes_.end()) return known->second;
  if (parts_of_nodes_.size() >= Associations::kMost) return hash / options_.shard.of % options_.part.of;
  return parts_of_nodes_.emplace(hash, least_loaded()).first->second;
}

// All parts of a run compute the same result without communicating. `base`: the recognised protocol; nullptr: none was
// recognised, and the flow is only listed.
bool Checker::is_ours(Flow& flow, const Protocol* base) {
  if (flow.is_ours) return *flow.is_ours;
  if (options_.shard.is_all() && options_.part.is_all()) return true;
  const auto ends = addresses_of(flow);
  const Joined joined = base != nullptr ? joined_flows(*base) : Joined::none;
  const std::uint64_t hash =
      joined == Joined::none ? flow_hash(flow.transport, flow.a, flow.b) : joined_hash(joined, ends[0], ends[1]);
  flow.is_ours = options_.shard.has(hash);
  if (!*flow.is_ours || options_.part.is_all()) return *flow.is_ours;
  flow.is_loaded = base != nullptr;
  if (base == nullptr)
    flow.part = hash / options_.shard.of % options_.part.of;
  else
    flow.part = joined != Joined::none ? part_of_nodes(hash) : least_loaded();
  if (flow.is_loaded) ++loads_[flow.part].flows;
  flow.is_ours = flow.part == options_.part.index;
  return *flow.is_ours;
}

}  // namespace wirelaw
