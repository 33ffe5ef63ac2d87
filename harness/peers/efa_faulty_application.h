// SPDX-License-Identifier: Apache-2.0
// The application of the reference endpoint with the faults of harness/peers/efa_application_faults.h: it takes those
// steps otherwise that its faults concern.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "harness/peers/efa_application.h"
#include "harness/peers/efa_application_faults.h"

namespace wirelaw::efa {

// `of_endpoint`: a deviation of the endpoint that its application shares: it chooses features that the peer has not
// announced. Returns a plain ReferenceApplication if the application has no fault.
std::unique_ptr<ReferenceApplication> make_application(Endpoint& endpoint, ReferenceApplication::Setup setup,
                                                       const ApplicationFaults& faults, const Deviations& of_endpoint);

class FaultyApplication final : public ReferenceApplication {
 public:
  FaultyApplication(Endpoint& endpoint, Setup setup, const ApplicationFaults& faults, const Deviations& of_endpoint);

  bool accepts(Octets packet) const override;
  void accepted(Octets packet) override;
  bool next_datagram(Outgoing& out) override;
  void was_read() override;

  Outcome<void> close(Instant deadline) override;
  Outcome<void> post(const fabric::Send& call) override;
  Outcome<void> post(const fabric::Write& call) override;
  Outcome<void> post(const fabric::Read& call) override;
  using ReferenceApplication::post;
  Awaited<fabric::Completion> completion(Instant deadline) override;

 private:
  bool has(ApplicationFault fault) const { return faults_.has(fault); }

  SendCall send_call(const fabric::Send& call) const override;
  WriteCall write_call(const fabric::Write& call) const override;
  void post_to_endpoint(const fabric::Receive& call) override;
  bool peer_has(Extra extra) const override;
  void note_call(OperationId id, fabric::Context context, std::uint64_t flags, bool delivery_complete) override;

  Status outcome_of(const Completion& completion) const override;
  fabric::Address source_of(const Completion& completion) override;
  void deliver(const Call& call, fabric::Completion entry, Completion& completion) override;
  void store(fabric::Context context, OctetBuffer data) override;

  std::uint64_t seed_of_another() override;
  void queue_is_full() override;
  void was_not_sent(const Outgoing& lost) override;

  void take_message(fabric::Completion entry, OctetBuffer data);

  struct Early {  // receives-of-its-own: a message that arrived before the application's receive
    fabric::Completion entry;
    OctetBuffer data;
  };

  ApplicationFaults faults_;
  bool uses_what_is_not_announced_;
  bool handshake_sent_ = false;  // close-waits-for-handshake
  std::deque<Early> early_;
  std::map<fabric::Context, OctetBuffer> unplaced_;  // placed-after-receipt
  fabric::Address next_source_ = 1000;               // source-inserted-again
};

}  // namespace wirelaw::efa
