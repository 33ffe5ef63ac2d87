// SPDX-License-Identifier: Apache-2.0
// The tester's end of the control channel: an application in another process.
#pragma once

#include <optional>

#include "conformance/efa/application.h"
#include "harness/control/channel.h"
#include "harness/control/line.h"

namespace wirelaw::efa {

class RemoteApplication final : public fabric::Application, public control::Remote {
 public:
  // The listener outlives it. An application may connect at any time. If an application did not connect, `ignored`
  // remembers it, and the next one is not waited for.
  RemoteApplication(control::Listener& listener, bool& ignored) : listener_(listener), ignored_(ignored) {}
  // It uses the clock of this wire, which exists as long as calls are made.
  void offer(const Wire& wire, Offers& offers) override {
    clock_ = &wire;
    offers.add_reference<fabric::Application>(fabric::kApplication, *this);
  }

  const fabric::Abilities* begin(const RawAddress& far) override;
  Instant now() const override { return clock_ == nullptr ? Instant{} : clock_->now(); }
  Outcome<RawAddress> name() override { return address_of("name"); }
  Outcome<RawAddress> name_of_another() override { return address_of("another"); }
  Outcome<void> close(Instant deadline) override;
  Outcome<void> trouble(const fabric::Trouble& trouble) override;
  Outcome<RmaIov> register_memory(Octets initial) override;
  Outcome<void> withdraw(std::uint64_t key) override;
  Outcome<OctetBuffer> memory(std::uint64_t key) override;
  Outcome<void> post(const fabric::Receive& call) override;
  Outcome<void> post(const fabric::Send& call) override;
  Outcome<void> post(const fabric::Write& call) override;
  Outcome<void> post(const fabric::Read& call) override;
  Outcome<void> post(const fabric::Atomic& call) override;
  Outcome<OctetBuffer> buffer(fabric::Context context) override;
  Awaited<fabric::Completion> completion(Instant deadline) override;

 private:
  Outcome<control::Line> ask(const control::Line& call);
  Outcome<void> done(const control::Line& call);
  Outcome<RawAddress> address_of(std::string_view word);
  Outcome<OctetBuffer> octets_of(const control::Line& call);

  control::Listener& listener_;
  const Wire* clock_ = nullptr;
  bool& ignored_;
  std::optional<control::Socket> socket_;
  std::optional<fabric::Abilities> abilities_;
};

std::unique_ptr<control::Remote> make_remote_application(control::Listener& listener, bool& ignored);

}  // namespace wirelaw::efa
