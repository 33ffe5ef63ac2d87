// SPDX-License-Identifier: Apache-2.0
// A tap for a connection between two consumers, whose wire is not observed: it lists their calls.
#pragma once

#include "harness/flow_tap.h"

namespace wirelaw {

class ConsumerTap final : public FlowTap {
 public:
  ConsumerTap(std::unique_ptr<Conversation> conversation, TapContext& context)
      : FlowTap(std::move(conversation), context) {
    name_sides(/*iut_is_a=*/false);
  }

  tl::expected<void, TransportError> send(Octets octets) override { return conversation_->send(octets); }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    return conversation_->receive(deadline);
  }
  void end(Ending ending) override { conversation_->end(ending); }
  void finish() override {}

  // There is nothing to observe, and so no flow.
  bool any() const override { return false; }
  FlowResult result() const override { return result_of(0); }
  std::uint64_t messages() const override { return 0; }
  std::uint64_t from_iut() const override { return calls_; }

 private:
  // The name of an IUT that connects is known only once it begins.
  void look() override {
    if (calls_ == 1) name_sides(false);
  }
};

}  // namespace wirelaw
