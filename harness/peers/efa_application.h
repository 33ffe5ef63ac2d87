// SPDX-License-Identifier: Apache-2.0
// The reference endpoint as a libfabric application sees it. It adds what the endpoint does not have: contexts,
// buffers, the choice between packets and RDMA, and a device that makes trouble on request. It never waits: a caller
// that waits lets time pass elsewhere, and asks again.
//
// harness/peers/efa_faulty_application.h overrides the virtual steps. Here each is as the document and libfabric have
// it.
#pragma once

#include <deque>
#include <map>

#include "conformance/efa/application.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

class ReferenceApplication : public fabric::Application {
 public:
  struct Setup {
    Options options;  // the endpoint's options; outlives this
    std::uint64_t seed = 0;
    std::size_t mtu = 0;  // the device's
    PeerId far = 0;       // the peer that calls go to
  };
  ReferenceApplication(Endpoint& endpoint, Setup setup);

  // --- the endpoint's side
  Instant at{};  // the current time
  bool closed() const { return closed_; }
  // True if the endpoint gets a packet that has arrived.
  virtual bool accepts(Octets /*packet*/) const { return true; }
  // Called once the endpoint has got the packet. Completions report the results to the application.
  virtual void accepted(Octets /*packet*/) {}
  void on(Completion& completion);
  virtual bool next_datagram(Outgoing& out);
  // A peer has read memory by RDMA, of which the application gets no event (4.1).
  virtual void was_read() {}

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

 protected:
  struct Call {
    fabric::Context context = 0;
    std::uint64_t flags = 0;
    bool reported = false;  // or never to be reported: the application does not need its result any more
  };

  // --- steps: what the endpoint is asked for
  virtual SendCall send_call(const fabric::Send& call) const;
  virtual WriteCall write_call(const fabric::Write& call) const;
  virtual void post_to_endpoint(const fabric::Receive& call);
  virtual bool peer_has(Extra extra) const { return endpoint_.announces(setup_.far, extra); }
  // A call has started.
  virtual void note_call(OperationId id, fabric::Context context, std::uint64_t flags, bool delivery_complete);

  // --- steps: what the application gets
  virtual Status outcome_of(const Completion& completion) const { return completion.status; }
  virtual fabric::Address source_of(const Completion& completion) { return completion.peer; }
  virtual void deliver(const Call& call, fabric::Completion entry, Completion& completion);
  virtual void store(fabric::Context context, OctetBuffer data) { place(context, data); }

  // --- steps: the device and its endpoints
  virtual std::uint64_t seed_of_another() { return setup_.seed + ++others_; }
  virtual void queue_is_full() {}                         // packets that the endpoint has to send wait in it
  virtual void was_not_sent(const Outgoing& /*lost*/) {}  // the peer is not reached

  // --- tools of the steps
  void report(fabric::Completion completion) { completions_.push_back(std::move(completion)); }
  void complete(const Call& call, fabric::Completion entry, OctetBuffer data);
  void place(fabric::Context context, const OctetBuffer& data);
  bool may_go_directly(Extra extra) const;

  Endpoint& endpoint_;
  Setup setup_;
  fabric::Trouble trouble_;
  std::map<OperationId, Call> calls_;
  std::deque<fabric::Context> receives_;  // posted, of the application

 private:
  void drop_unsent();

  fabric::Abilities abilities_;
  bool closed_ = false;
  std::uint64_t others_ = 0;  // number of further endpoints opened
  std::map<fabric::Context, OctetBuffer> buffers_;
  std::deque<fabric::Completion> completions_;
};

}  // namespace wirelaw::efa
