// SPDX-License-Identifier: Apache-2.0
// The tester's end of the control channel: an application in another process.
#pragma once

#include <optional>

#include "conformance/efa/application.h"
#include "harness/control/line.h"
#include "harness/control/socket.h"

namespace wirelaw::control {

class RemoteApplication final : public fabric::Application {
 public:
  // The listener outlives it; an application may connect to it at any time. Where one has not, which `ignored` keeps,
  // the next is not waited for.
  RemoteApplication(Listener& listener, bool& ignored) : listener_(listener), ignored_(ignored) {}
  // Whose clock it goes by: that of a carriage that is there as long as anybody calls.
  void go_by(const Carriage& carriage) { clock_ = &carriage; }

  const fabric::Abilities* begin(const efa::RawAddress& far) override;
  Instant now() const override { return clock_ == nullptr ? Instant{} : clock_->now(); }
  Outcome<efa::RawAddress> name() override { return address_of("name"); }
  Outcome<efa::RawAddress> name_of_another() override { return address_of("another"); }
  Outcome<void> close(Instant deadline) override;
  Outcome<void> trouble(const fabric::Trouble& trouble) override;
  Outcome<efa::RmaIov> register_memory(Octets initial) override;
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
  Outcome<Line> ask(const Line& call);
  Outcome<void> done(const Line& call);
  Outcome<efa::RawAddress> address_of(std::string_view word);
  Outcome<OctetBuffer> octets_of(const Line& call);

  Listener& listener_;
  const Carriage* clock_ = nullptr;
  bool& ignored_;
  std::optional<Socket> socket_;
  std::optional<fabric::Abilities> abilities_;
};

}  // namespace wirelaw::control
