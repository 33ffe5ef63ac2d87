// SPDX-License-Identifier: Apache-2.0
// The reference endpoint as an RDMA device that is driven through verbs. It is a queue pair above an Endpoint, and adds
// what the endpoint does not have: completion queues, memory regions, fences, events. It never waits: a caller that
// waits lets time pass elsewhere, and asks again.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "conformance/verbs.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// Options for the endpoint below a consumer. An initiator requests enhanced set-up, peer to peer.
Options consumer_options(Role role, Options options);
bool awaits_response(verbs::WrOpcode opcode);
verbs::WcOpcode completion_of(verbs::WrOpcode opcode);

class ReferenceConsumer : public verbs::Consumer {
 public:
  ReferenceConsumer(Role role, const Options& options, Buffers& buffers);

  // --- the transport's side
  bool wants_connection() { return std::exchange(wants_connection_, false); }  // for an initiator: true once
  void opened(Instant now);
  void receive(Octets octets, Instant now);
  void ended(Ending ending, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const { return endpoint_->deadline(); }
  bool next_octets(OctetBuffer& out);
  Ending ending() const { return endpoint_->ending(); }
  // Behaves like a driver that reports IBV_QPS_RESET when asked for the state (RDMAP/V-11).
  void report_no_state() { reports_state_ = false; }
  Ending reported = Ending::none;  // our ending, as reported to the transport

  // --- verbs
  const verbs::DeviceInfo& device() const override { return device_; }
  Instant now() const override { return now_; }
  Outcome<void> connect(const verbs::ConnParam& param) override;
  Outcome<void> accept(const verbs::ConnParam& param) override;
  Outcome<void> reject(Octets private_data) override;
  Outcome<void> disconnect() override;
  Awaited<verbs::CmEvent> cm_event(Instant deadline) override;
  Outcome<std::span<Octet>> allocate(std::size_t octets) override;
  Outcome<verbs::Region> reg_mr(std::span<Octet> memory, const verbs::Access& access) override;
  Outcome<void> dereg_mr(const verbs::Region& region) override;
  Outcome<void> post_recv(const verbs::RecvWr& wr) override;
  Outcome<void> post_send(const verbs::SendWr& wr) override;
  Awaited<verbs::Wc> poll_cq(verbs::Cq cq, Instant deadline) override;
  Outcome<void> req_notify_cq(verbs::Cq cq, bool solicited_only) override;
  tl::expected<bool, TransportError> cq_event(verbs::Cq cq, Instant deadline) override;
  Awaited<verbs::AsyncEvent> async_event(Instant deadline) override;
  Outcome<verbs::QpInfo> query_qp() override;
  Outcome<void> modify_qp_to_err() override;

  std::string state() const;  // one line of text

 protected:
  struct Posted {
    verbs::RecvWr wr;
    ReceiveId id;
  };
  struct Submitted {
    verbs::SendWr wr;
    WorkId id;
  };

  ReferenceConsumer(Role role, const Options& options, std::unique_ptr<Endpoint> endpoint);

  // --- steps: the connection
  virtual verbs::CmEvent cm(verbs::CmEventType type, const std::optional<mpa::EnhancedData>& enhanced,
                            OctetBuffer private_data, int status = 0) const;
  virtual bool is_starting() const;  // true while the application does not know the connection yet
  virtual void bind();               // Full Operation has begun
  virtual void start_failed();
  virtual void disconnected();
  virtual void closed();
  virtual void fail(std::optional<verbs::AsyncEvent> event);
  virtual void flush();
  virtual void flush_one(verbs::Cq cq, std::uint64_t wr_id, verbs::WcOpcode opcode);
  virtual void deregister(const verbs::Region& region);

  // --- steps: posted work, and what has arrived
  virtual Outcome<void> enqueue(const verbs::SendWr& wr);
  virtual void submit();
  virtual bool may_go(const verbs::SendWr& wr) const;
  virtual void submitted(const Submitted& work);
  virtual void local_fault(const verbs::SendWr& wr);
  virtual tl::expected<WorkId, PostError> start(const verbs::SendWr& wr);
  virtual OctetBuffer payload_of(const verbs::SendWr& wr);
  virtual void take_result(const Submitted& done, const Completed& completed);
  virtual void report(const Submitted& done);
  virtual void complete_work(const verbs::Wc& wc);
  virtual void place(OctetBuffer& data, std::span<Octet> buffer);
  virtual void complete_receive(const verbs::Wc& wc, bool solicited);
  virtual void raise_event(verbs::Cq cq);

  // --- parts of the steps
  void complete(verbs::Cq cq, const verbs::Wc& wc, bool solicited = false);
  void complete_silently(verbs::Cq cq, const verbs::Wc& wc) { queue(cq).completions.push_back(wc); }
  std::span<Octet> local(const verbs::Sge& sge, bool to_write);  // empty if it is not all there
  std::size_t reads_outstanding() const;

  Role role_;
  std::deque<OctetBuffer> memory_;  // from allocate(); outlives the endpoint, which places data into it
  std::unique_ptr<Endpoint> endpoint_;
  bool disconnecting_ = false;
  verbs::QpState state_ = verbs::QpState::init;
  std::deque<verbs::SendWr> waiting_;  // not handed to the endpoint yet
  std::deque<Submitted> submitted_;

 private:
  struct Mr {
    std::span<Octet> memory;
    std::uint64_t addr;
    bool local_write;
  };
  struct Queue {
    std::deque<verbs::Wc> completions;
    bool armed = false, solicited_only = false, event = false;
  };

  Queue& queue(verbs::Cq cq) { return queues_[static_cast<std::size_t>(cq)]; }
  bool is_there(const verbs::Sge& sge, bool to_write) { return sge.length == 0 || !local(sge, to_write).empty(); }

  void proceed();
  template <class Other>
  void on(const Other&) {}
  void on(const ConnectionRequest& request);
  void on(const Established& established);
  void on(const Rejected& rejected);
  void on(Received& received);
  void on(const Completed& completed);
  void on(const RemoteTerminate&);
  void on(const LocalError& error);
  void on(const PeerEnded&);
  void on(const Closed&);

  verbs::DeviceInfo device_;
  std::map<std::uint32_t, Mr> regions_;  // by key
  std::uint64_t callers_ = 0;            // registrations of memory that is not of allocate()
  Instant now_{};
  OctetBuffer private_data_;  // for connect()
  bool wants_connection_ = false;
  bool disconnect_reported_ = false;
  bool reports_state_ = true;
  std::deque<Posted> receives_;
  Queue queues_[2];
  std::deque<verbs::CmEvent> cm_events_;
  std::deque<verbs::AsyncEvent> async_events_;
};

}  // namespace wirelaw::rdmap
