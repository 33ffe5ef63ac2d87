// SPDX-License-Identifier: Apache-2.0
// Adapts an application that never waits: waiting here lets virtual time pass.
#pragma once

#include "conformance/efa/application.h"
#include "harness/virtual_time.h"

namespace wirelaw::efa {

class WaitingApplication final : public fabric::Application {
 public:
  WaitingApplication(VirtualTime& time, fabric::Application& above) : time_(time), above_(above) {}

  const fabric::Abilities* begin(const RawAddress& far) override { return above_.begin(far); }
  Instant now() const override { return time_.now(); }

  Outcome<RawAddress> name() override { return above_.name(); }
  Outcome<RawAddress> name_of_another() override { return above_.name_of_another(); }
  // It is done once time may pass.
  Outcome<void> close(Instant deadline) override {
    Outcome<void> closed;
    const auto came = time_.wait(deadline, [&] { return (closed = above_.close(deadline)).has_value(); });
    if (!came) return tl::unexpected(fabric::CallError{came.error().message});
    return closed;
  }
  Outcome<void> trouble(const fabric::Trouble& trouble) override { return above_.trouble(trouble); }
  Outcome<RmaIov> register_memory(Octets initial) override { return above_.register_memory(initial); }
  Outcome<void> withdraw(std::uint64_t key) override { return above_.withdraw(key); }
  Outcome<OctetBuffer> memory(std::uint64_t key) override { return above_.memory(key); }
  Outcome<void> post(const fabric::Receive& call) override { return posted(call); }
  Outcome<void> post(const fabric::Send& call) override { return posted(call); }
  Outcome<void> post(const fabric::Write& call) override { return posted(call); }
  Outcome<void> post(const fabric::Read& call) override { return posted(call); }
  Outcome<void> post(const fabric::Atomic& call) override { return posted(call); }
  Outcome<OctetBuffer> buffer(fabric::Context context) override { return above_.buffer(context); }
  Awaited<fabric::Completion> completion(Instant deadline) override {
    return time_.await(deadline, [&] { return above_.completion(deadline); });
  }

 private:
  template <class Call>
  Outcome<void> posted(const Call& call) {
    auto taken = above_.post(call);
    // Sends what the call makes the endpoint send.
    static_cast<void>(time_.wait(time_.now(), [] { return true; }));
    return taken;
  }

  VirtualTime& time_;
  fabric::Application& above_;
};

}  // namespace wirelaw::efa
