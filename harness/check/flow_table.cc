// SPDX-License-Identifier: Apache-2.0
#include "harness/check/flow_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace wirelaw {
namespace {

std::uint64_t hash_of(const pcap::Endpoint& endpoint) {
  std::uint64_t head = 0, tail = 0;
  std::memcpy(&head, endpoint.address.octets.data(), 8);
  std::memcpy(&tail, endpoint.address.octets.data() + 8, 8);
  std::uint64_t hash = (head ^ endpoint.port) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash = (hash ^ tail) * 0xd6e8feb86659fd93u;
  return hash ^ hash >> 29;
}

// Returns the same hash for both directions.
std::uint32_t hash_of(pcap::Transport transport, const pcap::Endpoint& one, const pcap::Endpoint& other) {
  const std::uint64_t ends = hash_of(one) + hash_of(other) + static_cast<std::uint64_t>(transport);
  const std::uint64_t hash = ends * 0xa0761d6478bd642fu;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

FlowTable::FlowTable(std::size_t capacity) : capacity_(capacity), buckets_(std::bit_ceil(capacity * 2)) {
  entries_.reserve(capacity);
  free_.reserve(capacity);
}

FlowTable::Place FlowTable::take_place() {
  if (free_.empty()) {
    entries_.emplace_back();
    return static_cast<Place>(entries_.size() - 1);
  }
  const Place place = free_.back();
  free_.pop_back();
  return place;
}

Flow* FlowTable::look_up(pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to,
                         std::uint8_t leg) {
  const std::uint32_t hash = hash_of(transport, from, to);
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t at = hash & mask; buckets_[at].place != kNone; at = (at + 1) & mask) {
    const Place place = buckets_[at].place;
    if (buckets_[at].hash != hash || !joins(entries_[place].flow, transport, from, to, leg)) continue;
    unlink(place);
    link_newest(place);
    return &entries_[place].flow;
  }
  return nullptr;
}

Flow& FlowTable::add(pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to,
                     std::uint8_t leg) {
  const Place place = take_place();
  ++size_;
  Entry& entry = entries_[place];
  entry.hash = hash_of(transport, from, to);
  entry.used = true;
  entry.flow.transport = transport;
  entry.flow.leg = leg;
  entry.flow.a = from;
  entry.flow.b = to;
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = entry.hash & mask;
  while (buckets_[at].place != kNone) at = (at + 1) & mask;
  buckets_[at] = {entry.hash, place};
  link_newest(place);
  return entry.flow;
}

void FlowTable::remove(const Flow& flow) {
  const std::size_t mask = buckets_.size() - 1;
  const std::uint32_t hash = hash_of(flow.transport, flow.a, flow.b);
  std::size_t at = hash & mask;
  while (&entries_[buckets_[at].place].flow != &flow) at = (at + 1) & mask;
  const Place place = buckets_[at].place;
  empty_bucket(at);
  unlink(place);
  entries_[place] = {};
  free_.push_back(place);
  --size_;
}

// Moves the following entries up, so that a search never ends too early and no tombstones are needed.
void FlowTable::empty_bucket(std::size_t gap) {
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t at = (gap + 1) & mask; buckets_[at].place != kNone; at = (at + 1) & mask) {
    const std::size_t home = buckets_[at].hash & mask;
    if (((at - home) & mask) < ((at - gap) & mask)) continue;  // it would be placed before its home
    buckets_[gap] = buckets_[at];
    gap = at;
  }
  buckets_[gap] = {};
}

void FlowTable::link_newest(Place place) {
  Entry& entry = entries_[place];
  entry.older = newest_;
  entry.newer = kNone;
  if (newest_ != kNone) entries_[newest_].newer = place;
  newest_ = place;
  if (oldest_ == kNone) oldest_ = place;
}

void FlowTable::unlink(Place place) {
  const Entry& entry = entries_[place];
  (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
  (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
}

std::vector<Flow*> FlowTable::in_order() {
  std::vector<Flow*> flows;
  for (Entry& entry : entries_)
    if (entry.used) flows.push_back(&entry.flow);
  std::ranges::sort(flows, {}, [](const Flow* flow) { return flow->judged.names().number; });
  return flows;
}

}  // namespace wirelaw
