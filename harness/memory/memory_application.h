// SPDX-License-Identifier: Apache-2.0
// An application above an endpoint in memory: what waits lets the time of its network pass.
#pragma once

#include "conformance/efa/application.h"
#include "harness/memory/network.h"

namespace wirelaw {

class MemoryApplication final : public fabric::Application {
 public:
  MemoryApplication(Network& network, fabric::Application& above) : network_(network), above_(above) {}

  const fabric::Abilities* begin(const efa::RawAddress& far) override { return above_.begin(far); }
  Instant now() const override { return network_.now(); }

  Outcome<efa::RawAddress> name() override { return above_.name(); }
  Outcome<efa::RawAddress> name_of_another() override { return above_.name_of_another(); }
  // It is done once time may pass.
  Outcome<void> close(Instant deadline) override {
    Outcome<void> closed;
    const auto came = network_.wait(deadline, [&] { return (closed = above_.close(deadline)).has_value(); });
    if (!came) return tl::unexpected(fabric::CallError{came.error().message});
    return closed;
  }
  Outcome<void> trouble(const fabric::Trouble& trouble) override { return above_.trouble(trouble); }
  Outcome<efa::RmaIov> register_memory(Octets initial) override { return above_.register_memory(initial); }
  Outcome<void> withdraw(std::uint64_t key) override { return above_.withdraw(key); }
  Outcome<OctetBuffer> memory(std::uint64_t key) override { return above_.memory(key); }
  Outcome<void> post(const fabric::Receive& call) override { return posted(call); }
  Outcome<void> post(const fabric::Send& call) override { return posted(call); }
  Outcome<void> post(const fabric::Write& call) override { return posted(call); }
  Outcome<void> post(const fabric::Read& call) override { return posted(call); }
  Outcome<void> post(const fabric::Atomic& call) override { return posted(call); }
  Outcome<OctetBuffer> buffer(fabric::Context context) override { return above_.buffer(context); }
  Awaited<fabric::Completion> completion(Instant deadline) override {
    return network_.await(deadline, [&] { return above_.completion(deadline); });
  }

 private:
  template <class Call>
  Outcome<void> posted(const Call& call) {
    auto taken = above_.post(call);
    // What the call makes the endpoint send leaves now.
    static_cast<void>(network_.wait(network_.now(), [] { return true; }));
    return taken;
  }

  Network& network_;
  fabric::Application& above_;
};

}  // namespace wirelaw
