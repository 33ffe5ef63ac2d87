// SPDX-License-Identifier: Apache-2.0
// A gateway on the reference's own device, for tests: code that speaks RDMAP at this end reaches the peer at the other
// through verbs, as over a device of this machine.
#pragma once

#include <memory>
#include <utility>

#include "harness/environment.h"
#include "harness/peers/reference_consumer.h"
#include "harness/peers/verbs/gateway.h"

namespace wirelaw::verbs {

class GatewayWire final : public Conversation {
 public:
  // `role`: the role of the device and of the code that uses this wire.
  GatewayWire(std::unique_ptr<Conversation> far, Role role)
      : far_(std::move(far)), buffers_(kSeed), device_(role, {}, buffers_), gateway_(device_, role) {}

  rdmap::MemoryDevice& memory() { return gateway_.memory(); }

  tl::expected<void, TransportError> send(Octets octets) override {
    device_.advance(now());
    gateway_.receive(octets);
    return carry();
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    while (true) {
      device_.advance(now());
      if (auto carried = carry(); !carried) return tl::unexpected(carried.error());
      if (OctetBuffer octets; gateway_.next_octets(octets)) return octets;
      if (gateway_.lost()) return tl::unexpected(*gateway_.lost());
      if (ending() != Ending::none) return std::nullopt;
      const Instant until =
          std::min({deadline, device_.deadline().value_or(deadline), gateway_.deadline().value_or(deadline)});
      auto octets = far_->receive(until);
      if (!octets) return octets;
      if (*octets) {
        open();
        device_.receive(**octets, now());
      } else if (const Ending how = far_->ending(); how != seen_) {
        device_.ended(seen_ = how, now());
      } else if (now() >= deadline) {
        return std::nullopt;
      }
    }
  }
  Instant now() const override { return far_->now(); }
  void end(Ending ending) override {
    device_.advance(now());
    gateway_.ended(ending);
    static_cast<void>(carry());
  }
  // A connection of a device is over at both ends, or not at all.
  Ending ending() const override {
    return opened_ && far_->ending() == Ending::none ? Ending::none : gateway_.ending();
  }
  std::string tester() const override { return far_->tester(); }
  std::string iut() const override { return far_->iut(); }

 private:
  static constexpr std::uint64_t kSeed = 7;

  void open() {
    if (!std::exchange(opened_, true)) device_.opened(now());
  }
  tl::expected<void, TransportError> carry() {
    gateway_.proceed();
    if (device_.wants_connection()) open();
    for (OctetBuffer octets; opened_ && device_.next_octets(octets); gateway_.proceed())
      if (auto sent = far_->send(octets); !sent) return sent;
    if (opened_ && device_.ending() != sent_) far_->end(sent_ = device_.ending());
    return {};
  }

  std::unique_ptr<Conversation> far_;
  rdmap::Buffers buffers_;
  rdmap::ReferenceConsumer device_;
  Gateway gateway_;
  bool opened_ = false;
  Ending sent_ = Ending::none, seen_ = Ending::none;
};

}  // namespace wirelaw::verbs
