// SPDX-License-Identifier: Apache-2.0
// The reference endpoint as an application of libfabric has it: what the endpoint has not, contexts, buffers, the
// choice between packets and RDMA, and a device that can be told to make trouble. It never waits: whoever waits lets
// time pass elsewhere, and asks again.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "conformance/efa/application.h"
#include "harness/peers/efa_application_faults.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

class ReferenceApplication final : public fabric::Application {
 public:
  struct Setup {
    Options options;  // of the endpoint, which outlives this
    std::uint64_t seed = 0;
    Deviations deviations;
    ApplicationFaults faults;
    std::size_t mtu = 0;  // of the device
    PeerId far = 0;       // whom calls go to
  };
  ReferenceApplication(Endpoint& endpoint, Setup setup);

  // --- the endpoint's side
  Instant at{};  // what time it is
  bool closed() const { return closed_; }
  // Whether a packet that has come is heard.
  bool hears(Octets packet);
  // It has been.
  void heard(Octets packet);
  void on(Completion& completion);
  bool next_datagram(Outgoing& out);
  void was_read();  // by a peer's RDMA

  // --- the application's
  const fabric::Abilities* begin(const RawAddress&) override { return &abilities_; }
  Instant now() const override { return at; }
  Outcome<RawAddress> name() override { return endpoint_.address(); }
  Outcome<RawAddress> name_of_another() override;
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
  bool commits(ApplicationFault fault) const { return setup_.faults.has(fault); }
  bool may_go_directly(Extra extra) const;
  void drop_unsent();
  void begin(OperationId id, fabric::Context context, std::uint64_t flags);
  void tell(fabric::Completion completion) { completions_.push_back(std::move(completion)); }
  void take_message(fabric::Completion told, OctetBuffer data);
  void place(fabric::Context context, const OctetBuffer& data);

  struct Call {
    fabric::Context context = 0;
    std::uint64_t flags = 0;
    bool told = false;  // a fault: complete already, or never to be told
  };
  struct Early {  // receives-of-its-own
    fabric::Completion told;
    OctetBuffer data;
  };

  Endpoint& endpoint_;
  Setup setup_;
  fabric::Abilities abilities_;
  fabric::Trouble trouble_;
  bool closed_ = false;
  bool handshake_sent_ = false;
  std::uint64_t others_ = 0;  // that were opened
  std::map<OperationId, Call> calls_;
  std::deque<fabric::Context> receives_;  // posted, of the application
  std::map<fabric::Context, OctetBuffer> buffers_;
  std::map<fabric::Context, OctetBuffer> unplaced_;  // placed-after-receipt
  std::deque<fabric::Completion> completions_;
  std::deque<Early> early_;
  fabric::Address next_source_ = 1000;  // source-inserted-again
};

}  // namespace wirelaw::efa
