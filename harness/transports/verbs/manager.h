// SPDX-License-Identifier: Apache-2.0
// The connection manager (rdma_cm): hands its events, and the devices' asynchronous events, to the objects that they
// concern. Nothing waits here: a caller that waits, waits for the descriptors.
#pragma once

#include <poll.h>

#include <memory>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/verbs.h"
#include "harness/transports/verbs/library.h"
#include "harness/transports/verbs/rdmacm_library.h"
#include "reference/octets/octets.h"

namespace wirelaw::verbs {

// Returns the error "what: text of errno".
TransportError failed(std::string_view what, int error, std::string hint = {});

class Concerned {
 public:
  // `fresh` belongs to a connection request; the callee owns it.
  virtual void on_connection(CmEvent event, rdma_cm_id* fresh) = 0;
  virtual void on_async(AsyncEvent event) = 0;

 protected:
  ~Concerned() = default;
};

class Manager {
 public:
  // The error states that the machine has no RDMA, if that is so.
  static tl::expected<std::unique_ptr<Manager>, TransportError> create();
  ~Manager();
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  const VerbsLibrary& verbs() const { return verbs_; }
  const RdmacmLibrary& rdma() const { return rdma_; }

  using Id = std::unique_ptr<rdma_cm_id, decltype(RdmacmLibrary::destroy_id)>;
  // Makes an id. Its events go to its context, a Concerned, which outlives it and is set later.
  tl::expected<Id, TransportError> make_id();
  // Takes ownership of an id from a connection request.
  Id adopt(rdma_cm_id* fresh) { return {fresh, rdma_.destroy_id}; }

  // Watches a device's asynchronous events. Those of a queue pair go to its context, a Concerned.
  void watch(ibv_context* device);

  // Dispatches the events that have arrived. An error if the manager itself has failed.
  tl::expected<void, TransportError> dispatch();
  // The events to wait for.
  void add_descriptors(std::vector<pollfd>& to) const;

 private:
  Manager(const VerbsLibrary& verbs, const RdmacmLibrary& rdma, rdma_event_channel* channel)
      : verbs_(verbs), rdma_(rdma), channel_(channel) {}

  void dispatch_async(ibv_context* device);

  const VerbsLibrary& verbs_;
  const RdmacmLibrary& rdma_;
  rdma_event_channel* channel_;
  std::set<ibv_context*> devices_;
};

}  // namespace wirelaw::verbs
