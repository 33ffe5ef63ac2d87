// SPDX-License-Identifier: Apache-2.0
// For tests: a requester and a responder of EFA RDM, joined by a network in memory, and judged.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "conformance/efa/efa.h"
#include "conformance/efa/roles.h"
#include "conformance/judge.h"
#include "harness/peers/efa_peer.h"
#include "harness/transports/memory/network.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

inline constexpr auto kInitiator = Role::initiator;
inline const std::vector<std::string> kAllFeatures{"rdma_read", "rdma_write"};

inline std::unique_ptr<wirelaw::Peer> make(const PeerOptions& options, std::uint64_t seed = 1) {
  return peer_maker(options).value()(seed);
}

inline pcap::Endpoint at(std::string_view text) {
  return *pcap::parse_endpoint(text);
}

class Meeting {
 public:
  Meeting(PeerOptions requester, PeerOptions responder, const NetworkFaults& network_faults = {},
          std::uint64_t seed = 1)
      : observer_(kProtocol.observer({.revision = requester.revision})),
        requester_(make(as(std::move(requester), kInitiator), seed)),
        network_(make(as(std::move(responder), kResponder), seed + 1), network_faults, seed),
        line_(network_.open()) {
    requester_->located({.endpoint = at("192.0.2.1:31201")});
    network_.peer().located({.endpoint = at("192.0.2.2:21201")});
    network_.answer_rdma(line_, requester_->rdma());
    judge_.enter_flow("peers", "the requester", "the responder");
  }

  // Runs until the requester has no operation in progress.
  void run(const TriggerRequest& request) {
    ASSERT_TRUE(requester_->trigger(kTo, request, network_.now()));
    for (unsigned turns = 0; !requester_->idle(); ++turns) {
      ASSERT_LT(turns, 100'000u) << requester_->state();
      turn();
    }
    fetch();
  }
  wirelaw::Peer& requester() { return *requester_; }
  wirelaw::Peer& responder() { return network_.peer(); }
  const std::set<PacketType>& requested() const { return requested_; }
  const std::set<PacketType>& answered() const { return answered_; }
  std::size_t longest() const { return longest_; }
  // "EFA-3.2-1: packet 7 from the responder: …"
  std::vector<std::string> findings(std::initializer_list<Severity> severities) {
    observer_->finish(judge_);
    std::vector<std::string> all;
    for (const Finding& one : judge_.findings())
      if (std::ranges::find(severities, one.severity) != severities.end())
        all.push_back(fmt::format("{}: packet {} from {}: expected {}, got {}", one.rule->id, one.message, one.sender,
                                  one.expected, one.actual));
    return all;
  }

 private:
  static constexpr PeerId kTo = 0;

  static PeerOptions as(PeerOptions options, Role role) {
    options.role = role;
    return options;
  }
  void note(std::set<PacketType>& types, const OctetBuffer& octets) {
    const auto packet = decode(octets);
    ASSERT_TRUE(packet);
    types.insert(static_cast<PacketType>(packet->type));
    longest_ = std::max(longest_, octets.size());
    const Side side = &types == &requested_ ? Side::a : Side::b;
    observer_->observe(message_of(octets, side, packets_++, network_.now().count()), judge_);
  }
  void fetch() {
    for (Outgoing out; requester_->next_datagram(out);) {
      note(requested_, out.octets);
      network_.send(line_, out.octets);
    }
  }
  void turn() {
    fetch();
    for (RdmaRequest request; requester_->rdma()->next_rdma(request); fetch()) {
      const std::uint64_t id = request.id;
      const auto done = network_.do_rdma(line_, std::move(request), network_.now() + std::chrono::seconds(1));
      ASSERT_TRUE(done);
      requester_->rdma()->rdma_done(id, done->has_value(), done->value_or(OctetBuffer{}), network_.now());
    }
    const auto octets =
        network_.receive(line_, requester_->deadline().value_or(network_.now() + std::chrono::seconds(1)));
    ASSERT_TRUE(octets);
    if (*octets) {
      note(answered_, **octets);
      requester_->receive(kTo, **octets, network_.now());
    } else {
      requester_->advance(network_.now());
    }
  }

  std::unique_ptr<Observer> observer_;
  std::unique_ptr<wirelaw::Peer> requester_;
  Network network_;
  PeerId line_;
  std::set<PacketType> requested_, answered_;
  std::size_t longest_ = 0;
  Judge judge_{kProtocol.catalogue()};
  std::uint64_t packets_ = 0;
};

}  // namespace wirelaw::efa
