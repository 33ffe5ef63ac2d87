// SPDX-License-Identifier: Apache-2.0
// The responder for a requester under test. It behaves correctly (echoes messages, lends memory, executes atomics)
// unless the case sends something else in between.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "conformance/efa/probes/intake.h"
#include "conformance/efa/probes/probe.h"

namespace wirelaw::efa {

class RequesterProbe : public Probe {
 public:
  static constexpr Role kIut = Role::initiator;

  explicit RequesterProbe(CaseRun& run, unsigned identity = 1) : Probe(run, identity), intake_(*this) {}

  Intake& intake() { return intake_; }

  // --- the beginning of every case
  void trigger(const TriggerRequest& request);
  // Triggers the requester, and returns its first message, unanswered. The case is inconclusive if none comes.
  WholeMessage first_message(const TriggerRequest& request = {.octets = 64, .count = 2});
  // Keeps messages from now on, without answering them, until resume().
  void hold() { echoes_ = false; }
  void resume();

  // --- serving
  void echo(const WholeMessage& message) { intake_.send_message(answer_to(message)); }
  Intake::MessageOut answer_to(const WholeMessage& message);
  std::uint32_t next_msg_id() { return next_msg_id_++; }
  std::size_t requests() const { return requests_; }  // number of REQ packets received
  // Serves until the requester has been quiet for a while, or until `seen` matches one of its packets, which is
  // returned.
  const Received* serve_until(const std::function<bool(const Received&)>& seen);
  // Serves the requester until it has been quiet for a while, and returns true then. Returns false for a requester that
  // never stops. One that has just been started gets time to begin.
  bool serve_to_the_end();
  // The first packet of this type that the requester sends; serves others meanwhile. The packet has been served too,
  // unless the case has called leave() for it. Skips the case if none comes: the requester does not use it.
  const Received* need(PacketType type);

  // --- what must hold
  // Sends the correct echo of a message that waits for it, and expects the requester to continue with another request.
  bool expect_to_go_on(const Rule& rule, const WholeMessage& message, std::string_view explanation = {});
  // Same, after something that no correct responder sends. The requester may have dropped this responder if it serves
  // another.
  bool expect_alive(const Rule& rule, const WholeMessage& message, std::string_view explanation = {});
  bool expect_alive(const Rule& rule, std::string_view explanation = {});
  // Expects that the IUT, whatever its state with this responder, starts with another one.
  bool expect_new_start(const Rule& rule, std::string_view explanation = {});
  // Expects no further request, since no complete answer was sent.
  bool expect_no_request(const Rule& rule, std::string_view explanation = {});

 protected:
  bool serve(const Received& packet) override;

 private:
  Intake intake_;
  bool echoes_ = true;
  std::uint32_t next_msg_id_ = first_msg_id();
  std::size_t requests_ = 0;
};

bool is_request(const Received& packet);

}  // namespace wirelaw::efa
