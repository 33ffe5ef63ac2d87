// SPDX-License-Identifier: Apache-2.0
// A tap on a conversation of datagrams. Each datagram is a message, and a frame of the recording.
#pragma once

#include "harness/flow_tap.h"

namespace wirelaw {

class DatagramTap final : public FlowTap {
 public:
  DatagramTap(std::unique_ptr<Conversation> conversation, TapContext& context, const Framing& framing)
      : FlowTap(std::move(conversation), context, framing) {}

  tl::expected<void, TransportError> send(Octets message) override;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override;
  void finish() override;

  bool any() const override { return messages_ > 0; }
  FlowResult result() const override { return result_of(octets_); }
  std::uint64_t messages() const override { return messages_; }
  std::uint64_t from_iut() const override { return from_iut_; }

 private:
  void observe(Octets octets, bool from_iut);

  std::uint64_t messages_ = 0;
  std::uint64_t from_iut_ = 0;
  std::uint64_t octets_ = 0;
};

}  // namespace wirelaw
