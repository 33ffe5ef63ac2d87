// SPDX-License-Identifier: Apache-2.0
// Listens for connection requests to an RDMA device.
#pragma once

#include <functional>
#include <memory>

#include "harness/transports/verbs/consumer.h"

namespace wirelaw::verbs {

class VerbsListener final : private Concerned {
 public:
  // Called for each request, with its sender. The callee owns `fresh`; if it destroys it, the request is rejected.
  using Asked = std::function<void(CmEvent event, rdma_cm_id* fresh, const pcap::Endpoint& from)>;

  // Port 0: any port. The manager must outlive the listener.
  static tl::expected<std::unique_ptr<VerbsListener>, TransportError> listen(Manager& manager, const DeviceAddress& at,
                                                                             Asked asked);

  pcap::Endpoint local() const;
  ibv_context* device() const { return id_->verbs; }  // nullptr if the address is that of all

 private:
  VerbsListener(Manager::Id id, Asked asked) : id_(std::move(id)), asked_(std::move(asked)) {}

  void on_connection(CmEvent event, rdma_cm_id* fresh) override;
  void on_async(AsyncEvent) override {}

  Manager::Id id_;
  Asked asked_;
};

// An identifier that is bound to this address, and so to the device that has it.
tl::expected<Manager::Id, TransportError> bind_to(Manager& manager, const DeviceAddress& at);

}  // namespace wirelaw::verbs
