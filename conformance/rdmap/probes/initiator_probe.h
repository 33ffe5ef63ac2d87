// SPDX-License-Identifier: Apache-2.0
// The responder for an initiator under test. It behaves correctly unless the case sends something else in between.
#pragma once

#include "conformance/rdmap/probes/responder_probe.h"

namespace wirelaw::rdmap {

class InitiatorProbe : public Probe {
 public:
  static constexpr Role kIut = Role::initiator;

  explicit InitiatorProbe(CaseRun& run) : Probe(run) {}

  // --- start-up
  // Makes the initiator start, and returns its Request; the case is inconclusive if none comes.
  mpa::StartFrame await_request(const TriggerRequest& trigger = {});
  // Same, for an initiator that has been started already.
  mpa::StartFrame next_request();
  // The Request that came, and its enhanced data.
  const mpa::StartFrame& request() const { return request_; }
  // The reply of a conforming responder: enhanced if the Request is, with a ready-to-receive indication that it
  // requests.
  StartOptions good_reply() const;
  // Accepts, and begins Full Operation.
  void accept(const StartOptions& options);
  void accept() { accept(good_reply()); }
  // Performs the complete start and returns the first Send of the initiator. The case is inconclusive if this fails.
  OctetBuffer first_send(const TriggerRequest& trigger = {});
  OctetBuffer await_send();  // returns the next Send; the case is inconclusive if none comes

  // --- the initiator checks its echoes, and continues if they are right
  void echo(Octets data, const HeaderEdit& edit = {}, const Faults& faults = {});
  // Expects that the initiator accepts the last echo: it sends again, or ends in order when nothing is left to do.
  bool expect_taken(const Rule& rule, std::string_view explanation = {});
  // Expects that the initiator still works after the stimulus and starts a new connection.
  bool expect_alive(const Rule& rule, std::string_view explanation);

 private:
  mpa::StartFrame request_;
  OctetBuffer request_octets_;
  bool indication_may_come_ = false;  // a ready-to-receive indication: an empty Send that is not from the application
};

}  // namespace wirelaw::rdmap
