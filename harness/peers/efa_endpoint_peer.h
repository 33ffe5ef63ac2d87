// SPDX-License-Identifier: Apache-2.0
// The common part of both EFA RDM peers (harness/peers/efa_peer.h): an endpoint with its address, its receives, its
// region and its RDMA.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "harness/peers/efa_application.h"
#include "harness/peers/efa_application_faults.h"
#include "harness/peers/efa_device_faults.h"
#include "harness/peers/efa_peer.h"
#include "harness/peers/peer.h"
#include "reference/efa/deviations.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

struct PeerSetup {
  Options options;
  Deviations deviations;
  ApplicationFaults faults;
  Service application = Service::echo;
  RmaIov offered;                    // memory that this peer offers
  RmaIov target;                     // for its peers
  std::optional<std::uint64_t> tag;  // messages that the application receives; any
  std::size_t receive_octets = kReceiveOctets;
  bool late_receives = false;
  bool exercises_all = true;  // subprotocols, not messages alone
};

std::unique_ptr<wirelaw::Peer> make_responder(std::uint64_t seed, const PeerSetup& setup);
std::unique_ptr<wirelaw::Peer> make_requester(std::uint64_t seed, const PeerSetup& setup);

class EndpointPeer : public wirelaw::Peer, public RdmaPeer {
 public:
  EndpointPeer(std::uint64_t seed, const PeerSetup& setup) : setup_(setup), seed_(seed), device_faults_(setup.faults) {}

  void located(const Location& here) final;
  void receive(PeerId from, Octets octets, Instant now) final;
  void advance(Instant now) final;
  std::optional<Instant> deadline() const override;
  bool next_datagram(Outgoing& out) final;

  RdmaPeer* rdma() final { return this; }
  bool next_rdma(RdmaRequest& out) final;
  void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) final;
  std::optional<Octets> rdma_read(const RdmaRange& what) final;
  bool rdma_written(PeerId from, const RdmaRange& where, Octets octets, std::optional<std::uint64_t> immediate,
                    Instant now) final;
  void register_with(RdmaRegistrar& registrar) final { registrar_.emplace(registrar); }
  std::optional<RdmaRange> offered() final;
  void rdma_received(PeerId from, std::uint64_t octets, std::uint64_t immediate, Instant now) final;

  // Replaces the application of this peer, which then has no receives.
  fabric::Application& application(PeerId far);
  void offer(Offers& offers, std::optional<PeerId> far, VirtualTime& time) final;
  std::unique_ptr<control::Calls> calls(NumberOf number_of) final;

 protected:
  bool driven() const { return driver_ != nullptr; }
  const PeerSetup& setup() const { return setup_; }
  // Made when it is first used: its address is not known before.
  Endpoint& endpoint();
  // The events of the endpoint.
  void proceed(Instant now);
  std::string counts() const;  // for state()

 private:
  // The transport's device, as the endpoint knows it.
  class Device final : public Registrar {
   public:
    explicit Device(RdmaRegistrar& registrar) : registrar_(registrar) {}
    std::optional<RmaIov> expose(std::span<Octet> octets, Access access) override;
    void withdraw(std::uint64_t key) override { registrar_.withdraw(key); }
    bool could_take(std::uint64_t octets) override { return registrar_.could_take(octets); }

   private:
    RdmaRegistrar& registrar_;
  };

  virtual void on(Completion& completion, Instant now) = 0;
  // Called after time has moved to `now` and every completion has been taken.
  virtual void moved(Instant) {}
  bool take_completions(Instant now);
  // Posts receives now or, for a late application, when kLateness has passed.
  void want_receives(bool tagged, std::size_t count, Instant now);
  void post_receives(Instant now);
  void come_to(Instant now);
  bool next_of_endpoint(Outgoing& out);

  PeerSetup setup_;
  std::uint64_t seed_;
  std::optional<Device> registrar_;  // outlives the endpoint
  std::unique_ptr<Endpoint> endpoint_;
  std::array<std::size_t, 2> wanted_{};  // receives that are not posted: untagged, tagged
  std::optional<Instant> post_at_;
  RmaIov offered_ = {};
  Instant now_{};
  std::unique_ptr<ReferenceApplication> driver_;
  bool has_own_application_ = true;
  DeviceFaults device_faults_;
};

}  // namespace wirelaw::efa
