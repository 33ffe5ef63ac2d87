// SPDX-License-Identifier: Apache-2.0
// Conversations over SRD with a live peer: one with a peer that waits at its queue pair, or those that peers begin at
// our queue pair. They have RDMA if the device has it.
#pragma once

#include <memory>

#include "harness/environment.h"
#include "harness/transports/inboxes.h"
#include "harness/transports/listener.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/srd/connids.h"
#include "harness/transports/srd/device.h"

namespace wirelaw {

// Connects from a fresh queue pair. Device and clock must outlive the conversation.
tl::expected<Connected, TransportError> connect_srd(SrdDevice& device, const SrdAddress& peer, const LiveClock& clock);

// One queue pair, and the peers that send to it. Each peer is a separate conversation.
class SrdListener final : public Listener {
 public:
  SrdListener(std::unique_ptr<SrdDevice> device, std::unique_ptr<SrdSocket> socket, const LiveClock& clock)
      : device_(std::move(device)), socket_(std::move(socket)), clock_(clock) {}

  pcap::Endpoint local() const override { return endpoint_of(socket_->local()); }
  std::string place() const override { return to_string(socket_->local()); }
  Connected accept() override;
  void clear() override;

 private:
  friend class AcceptedSrdConversation;

  std::unique_ptr<SrdDevice> device_;
  std::unique_ptr<SrdSocket> socket_;
  const LiveClock& clock_;
  Inboxes inboxes_;
  SrdConnids connids_;
};

// Listens at our own queue pair. The device assigns its number: a number in `at` must match it.
tl::expected<std::unique_ptr<Listener>, TransportError> listen_srd(const SrdPlace& at, const LiveClock& clock);
tl::expected<std::unique_ptr<SrdSocket>, TransportError> socket_at(SrdDevice& device, const SrdPlace& at);

}  // namespace wirelaw
