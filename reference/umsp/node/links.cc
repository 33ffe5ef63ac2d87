// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/links.h"

#include <algorithm>

namespace wirelaw::umsp {

void Links::linked(LinkId link, NodeAddress remote, bool datagrams) {
  if (links_.size() >= limits_.links) {
    if (!datagrams) out_.push_back({link, {}, Ending::reset});
    return;
  }
  links_[link] = {.remote = remote, .datagrams = datagrams, .in = {}, .out = {}, .held = {}};
  latest_[{remote, datagrams}] = link;
  if (datagrams) return;
  const auto found = waiting_.find(remote);
  if (found == waiting_.end()) return;
  const std::deque<Draft> drafts = std::move(found->second);
  waiting_.erase(found);
  waiting_count_ -= drafts.size();
  for (const Draft& draft : drafts) write_to(link, draft);
}

std::optional<LinkId> Links::to_make_room() const {
  if (links_.size() < limits_.links) return std::nullopt;
  for (const auto& [id, link] : links_)
    if (link.datagrams) return id;
  return std::nullopt;
}

void Links::ended(LinkId link) {
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  const NodeAddress remote = found->second.remote;
  const bool datagrams = found->second.datagrams;
  held_ -= found->second.held.size();
  links_.erase(found);
  if (const auto latest = latest_.find({remote, datagrams}); latest != latest_.end() && latest->second == link) {
    latest_.erase(latest);
    for (const auto& [id, other] : links_)
      if (other.remote == remote && other.datagrams == datagrams) latest_[{remote, datagrams}] = id;
  }
}

bool Links::next_output(Outgoing& out) {
  if (out_.empty()) return false;
  out = std::move(out_.front());
  out_.pop_front();
  unsent_ -= out.octets.size();
  return true;
}

std::optional<NodeAddress> Links::next_dial() {
  if (dials_.empty()) return std::nullopt;
  const NodeAddress to = dials_.front();
  dials_.pop_front();
  return to;
}

void Links::not_reached(NodeAddress to) {
  const auto found = waiting_.find(to);
  if (found == waiting_.end()) return;
  waiting_count_ -= found->second.size();
  waiting_.erase(found);
}

void Links::keep(LinkId id, OctetBuffer held, std::size_t from, bool sound) {
  const auto found = links_.find(id);
  if (found == links_.end()) return;
  if (!sound || held_ + held.size() - from > limits_.held_octets) return end(id, Ending::reset);
  if (from > 0) held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(from));
  held_ += held.size();
  found->second.held = std::move(held);
}

std::size_t Links::tcp_links(NodeAddress node) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      links_, [node](const auto& entry) { return entry.second.remote == node && !entry.second.datagrams; }));
}

bool Links::measure(Octets octets, std::size_t& taken) const {
  taken = 0;
  if (octets.empty()) return true;
  const auto extent = instruction_octets(octets, {limits_.instruction_octets});
  if (!extent) return false;
  if (extent->complete && extent->octets <= octets.size()) taken = static_cast<std::size_t>(extent->octets);
  return true;
}

const LinkId* Links::find(NodeAddress to, bool datagrams, std::optional<LinkId> on) const {
  if (on) {
    const auto found = links_.find(*on);
    if (found != links_.end() && found->second.remote == to && found->second.datagrams == datagrams)
      return &found->first;
  }
  const auto latest = latest_.find({to, datagrams});
  return latest == latest_.end() ? nullptr : &latest->second;
}

void Links::write_to(LinkId id, const Draft& draft) {
  Link& link = links_.at(id);
  OctetBuffer octets;
  Context afresh;
  write(draft, link.datagrams ? afresh : link.out, octets);
  if (unsent_ + octets.size() > limits_.unsent_octets) return end(id, Ending::reset);
  unsent_ += octets.size();
  if (!link.datagrams && !out_.empty() && out_.back().to == id && out_.back().ending == Ending::none) {
    out_.back().octets.insert(out_.back().octets.end(), octets.begin(), octets.end());
    return;
  }
  out_.push_back({id, std::move(octets)});
}

void Links::send(NodeAddress to, const Draft& draft, std::optional<LinkId> on) {
  if (const LinkId* const link = find(to, false, on)) return write_to(*link, draft);
  if (waiting_count_ >= limits_.waiting) return;
  auto [place, is_new] = waiting_.try_emplace(to);
  if (is_new) dials_.push_back(to);
  place->second.push_back(draft);
  ++waiting_count_;
}

void Links::send_datagram(NodeAddress to, const Draft& draft, std::optional<LinkId> on) {
  if (const LinkId* const link = find(to, true, on)) write_to(*link, draft);
}

void Links::end(LinkId link, Ending ending) {
  if (!links_.contains(link)) return;
  out_.push_back({link, {}, ending});
  ended(link);
}

std::optional<NodeAddress> Links::remote(LinkId link) const {
  const auto found = links_.find(link);
  if (found == links_.end()) return std::nullopt;
  return found->second.remote;
}

}  // namespace wirelaw::umsp
