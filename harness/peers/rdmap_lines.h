// SPDX-License-Identifier: Apache-2.0
// The connections of an RDMAP peer, each a line with an endpoint.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "harness/peers/rdmap_peer.h"
#include "reference/rdmap/advertisement.h"
#include "reference/rdmap/make_endpoint.h"

namespace wirelaw::rdmap {

// The two kinds of peer (harness/peers/rdmap_peer.h).
std::unique_ptr<Peer> make_responder(std::uint64_t seed, const Options& options, const Deviations& deviations,
                                     Service application);
// `extended`: its rounds use the operations of RFC 7306 as well, if the options have them.
std::unique_ptr<Peer> make_initiator(std::uint64_t seed, const Options& options, const Deviations& deviations,
                                     bool extended);

// Its connections are queue pairs (harness/peers/consumer_peer.cc). `stateless`: the driver reports no state of them.
std::unique_ptr<Peer> make_consumer_peer(std::uint64_t seed, Role role, const Options& options,
                                         const Deviations& deviations, Service above, bool stateless);

// A peer whose streams carry FPDUs. Each begins a TCP segment and fits into it, as far as TCP allows (RFC 5044, 5.1).
class FpduPeer : public Peer {
 public:
  void linked(PeerId, const Link& link) override {
    if (!link.mss) return;
    options_.emss = std::min(options_.emss, *link.mss);
    options_.output_octets = 1;  // one FPDU at a time
  }
  bool aligns_segments() const override { return true; }

 protected:
  explicit FpduPeer(const Options& options) : options_(options) {}

  Options options_;
};

// The connections of a peer, by number. Only those with new events are asked for output.
template <class Line>
class Lines {
 public:
  template <class... Arguments>
  Line& add(PeerId id, Arguments&&... arguments) {
    touched_.push_back(id);
    lines_.erase(id);
    return *lines_.emplace(id, std::make_unique<Line>(std::forward<Arguments>(arguments)...)).first->second;
  }
  Line* touch(PeerId id) {
    const auto found = lines_.find(id);
    if (found == lines_.end()) return nullptr;
    touched_.push_back(id);
    return found->second.get();
  }
  bool next_datagram(Outgoing& out) {
    while (!touched_.empty()) {
      const auto found = lines_.find(touched_.front());
      if (found != lines_.end() && next_of(found->first, *found->second, out)) return true;
      if (found != lines_.end() && found->second->endpoint.phase() == Phase::closed) lines_.erase(found);
      touched_.pop_front();
    }
    return false;
  }
  std::optional<Instant> deadline() const {
    std::optional<Instant> next;
    for (const auto& [id, line] : lines_) {
      const auto due = line->deadline();
      if (due && (!next || *due < *next)) next = due;
    }
    return next;
  }
  template <class Act>
  void for_each_due(Instant now, Act act) {
    for (auto& [id, line] : lines_) {
      const auto due = line->deadline();
      if (!due || *due > now) continue;
      touched_.push_back(id);
      act(*line);
    }
  }
  std::size_t size() const { return lines_.size(); }
  bool empty() const { return lines_.empty(); }

 private:
  static bool next_of(PeerId id, Line& line, Outgoing& out) {
    out = {.to = id, .octets = std::move(out.octets)};
    const bool octets = line.endpoint.next_octets(out.octets);
    line.proceed();
    if (octets) return true;
    if (line.endpoint.ending() == line.reported) return false;
    out.ending = line.reported = line.endpoint.ending();
    return true;
  }

  std::map<PeerId, std::unique_ptr<Line>> lines_;
  std::deque<PeerId> touched_;
};

// Advertises one of our buffers for the other side to use.
inline AdvertisedBuffer advertise(Endpoint& endpoint, OctetBuffer& memory, std::uint64_t base, Access access) {
  const auto stag = endpoint.register_buffer(memory, base, access);
  return {{stag.value_or(0), base}, stag ? static_cast<std::uint32_t>(memory.size()) : 0};
}

inline void post_receives(Endpoint& endpoint) {
  for (std::size_t i = 0; i < kReceives; ++i) static_cast<void>(endpoint.post_receive(kReceiveOctets));
}

}  // namespace wirelaw::rdmap
