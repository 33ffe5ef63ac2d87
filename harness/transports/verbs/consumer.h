// SPDX-License-Identifier: Apache-2.0
// A consumer of a device of this machine: librdmacm makes its connection, libibverbs does its work.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "harness/transports/live_clock.h"
#include "harness/transports/verbs/completions.h"
#include "harness/transports/verbs/memory.h"
#include "pcap/address.h"

namespace wirelaw::verbs {

struct DeviceAddress {
  pcap::Endpoint endpoint;
  std::string device;  // the device that must have the address; empty: any
};

// Destroys the queue pair of an identifier.
struct QueuePairEnd {
  Manager* manager = nullptr;
  void operator()(rdma_cm_id* id) const { manager->rdma().destroy_qp(id); }
};

class LiveConsumer final : public Consumer, private Concerned {
 public:
  // Manager and clock outlive it.
  // Makes a consumer that waits for a connection request: requested().
  static tl::expected<std::unique_ptr<LiveConsumer>, TransportError> make_responder(Manager& manager,
                                                                                    ibv_context* device,
                                                                                    const LiveClock& clock);
  // Makes a consumer that can connect there; from this address, if one is given.
  static tl::expected<std::unique_ptr<LiveConsumer>, TransportError> make_initiator(
      Manager& manager, const DeviceAddress& to, const LiveClock& clock, const std::optional<DeviceAddress>& from = {});
  // For a responder, once: the request for its connection.
  void requested(CmEvent event, rdma_cm_id* fresh);

  // --- for callers that wait for several things at once
  // The descriptor signals the next completion from here on. Earlier completions are in the queues already.
  void arm();
  void add_descriptor(std::vector<pollfd>& to) const {
    to.push_back({.fd = completions_.descriptor(), .events = POLLIN, .revents = 0});
  }
  // Returns our end of an initiator's connection.
  pcap::Endpoint local() const;
  // True if we have accepted the connection, and the device has not reported the result yet.
  bool is_pending() const { return pending_; }

  // --- Consumer
  const DeviceInfo& device() const override { return info_; }
  Instant now() const override { return clock_.now(); }
  Outcome<void> connect(const ConnParam& param) override;
  Outcome<void> accept(const ConnParam& param) override;
  Outcome<void> reject(Octets private_data) override;
  Outcome<void> disconnect() override;
  Awaited<CmEvent> cm_event(Instant deadline) override;
  Outcome<std::span<Octet>> allocate(std::size_t octets) override { return memory_.allocate(octets); }
  Outcome<Region> reg_mr(std::span<Octet> memory, const Access& access) override {
    return memory_.reg_mr(memory, access);
  }
  Outcome<void> dereg_mr(const Region& region) override { return memory_.dereg_mr(region); }
  Outcome<void> post_recv(const RecvWr& wr) override;
  Outcome<void> post_send(const SendWr& wr) override;
  Awaited<Wc> poll_cq(Cq cq, Instant deadline) override;
  Outcome<void> req_notify_cq(Cq cq, bool solicited_only) override { return completions_.request(cq, solicited_only); }
  tl::expected<bool, TransportError> cq_event(Cq cq, Instant deadline) override;
  Awaited<AsyncEvent> async_event(Instant deadline) override;
  Outcome<QpInfo> query_qp() override;
  Outcome<void> modify_qp_to_err() override;

 private:
  LiveConsumer(Manager& manager, const LiveClock& clock)
      : manager_(manager),
        clock_(clock),
        memory_(manager.verbs()),
        completions_(manager.verbs()),
        id_(nullptr, manager.rdma().destroy_id) {}

  void on_connection(CmEvent event, rdma_cm_id* fresh) override;
  void on_async(AsyncEvent event) override { async_events_.push_back(event); }

  tl::expected<void, TransportError> open(ibv_context* device);
  tl::expected<void, TransportError> resolve(const DeviceAddress& to, const std::optional<DeviceAddress>& from);
  // Waits until the manager has reported an initiator's address or route.
  tl::expected<void, TransportError> await_resolved(CmEventType wanted);
  tl::expected<void, TransportError> make_queue_pair();
  ibv_qp* queue_pair() const { return id_ ? id_->qp : nullptr; }
  Outcome<void> refuse_without_queue_pair(std::string_view verb) const;
  rdma_conn_param parameters_of(const ConnParam& param) const;
  // Calls `take` whenever something may have arrived, until it returns something or the deadline has passed.
  template <class Take>
  auto wait(Instant deadline, Take take) -> decltype(take());

  Manager& manager_;
  const LiveClock& clock_;
  DeviceInfo info_;
  ibv_device_attr limits_ = {};
  Memory memory_;
  Completions completions_;
  Manager::Id id_;
  std::unique_ptr<rdma_cm_id, QueuePairEnd> queue_pair_;  // queue pair of id_; destroyed before the queues that it uses
  std::string no_queue_pair_ = "there is no connection request yet";  // why there is none
  std::deque<CmEvent> cm_events_;
  std::deque<AsyncEvent> async_events_;
  bool pending_ = false;
  bool was_connected_ = false;
};

}  // namespace wirelaw::verbs
