// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/manager.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace wirelaw::verbs {
namespace {

void do_not_block(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

// The values of both are those of librdmacm.
CmEvent copy_of(const rdma_cm_event& event) {
  const rdma_conn_param& parameters = event.param.conn;
  CmEvent copy{.type = static_cast<CmEventType>(event.event), .status = event.status};
  constexpr CmEventType kWithParameters[] = {CmEventType::connect_request, CmEventType::connect_response,
                                             CmEventType::rejected, CmEventType::established};
  if (std::ranges::find(kWithParameters, copy.type) == std::end(kWithParameters)) return copy;
  copy.responder_resources = parameters.responder_resources;
  copy.initiator_depth = parameters.initiator_depth;
  if (parameters.private_data == nullptr) return copy;
  const auto* const at = static_cast<const Octet*>(parameters.private_data);
  copy.private_data.assign(at, at + parameters.private_data_len);
  return copy;
}

}  // namespace

TransportError failed(std::string_view what, int error, std::string hint) {
  return {fmt::format("{}: {}", what, std::strerror(error)), std::move(hint)};
}

tl::expected<std::unique_ptr<Manager>, TransportError> Manager::create() {
  const auto verbs = verbs_library();
  if (!verbs) return tl::unexpected(verbs.error());
  const auto rdma = rdmacm_library();
  if (!rdma) return tl::unexpected(rdma.error());
  rdma_event_channel* const channel = (*rdma)->create_event_channel();
  if (channel == nullptr)
    return tl::unexpected(failed("this machine has no RDMA connection manager", errno,
                                 "load its driver (modprobe rdma_ucm), and see `wirelaw devices`"));
  do_not_block(channel->fd);
  return std::unique_ptr<Manager>(new Manager(**verbs, **rdma, channel));
}

Manager::~Manager() {
  rdma_.destroy_event_channel(channel_);
}

tl::expected<Manager::Id, TransportError> Manager::make_id() {
  rdma_cm_id* id = nullptr;
  if (rdma_.create_id(channel_, &id, nullptr, RDMA_PS_TCP) != 0) return tl::unexpected(failed("rdma_create_id", errno));
  return Id(id, rdma_.destroy_id);
}

void Manager::watch(ibv_context* device) {
  if (device != nullptr && devices_.insert(device).second) do_not_block(device->async_fd);
}

tl::expected<void, TransportError> Manager::dispatch() {
  rdma_cm_event* event = nullptr;
  while (rdma_.get_cm_event(channel_, &event) == 0) {
    const bool asks = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;
    auto* const concerned = static_cast<Concerned*>((asks ? event->listen_id : event->id)->context);
    rdma_cm_id* const fresh = asks ? event->id : nullptr;
    CmEvent copy = copy_of(*event);
    rdma_.ack_cm_event(event);  // before the object of the event is destroyed
    if (concerned != nullptr) concerned->on_connection(std::move(copy), fresh);
  }
  if (errno != EAGAIN && errno != EINTR) return tl::unexpected(failed("rdma_get_cm_event", errno));
  for (ibv_context* const device : devices_) dispatch_async(device);
  return {};
}

void Manager::dispatch_async(ibv_context* device) {
  for (ibv_async_event event; verbs_.get_async_event(device, &event) == 0;) {
    Concerned* concerned = nullptr;
    switch (event.event_type) {
      case IBV_EVENT_QP_FATAL:
      case IBV_EVENT_QP_REQ_ERR:
      case IBV_EVENT_QP_ACCESS_ERR:
      case IBV_EVENT_COMM_EST:
      case IBV_EVENT_SQ_DRAINED:
      case IBV_EVENT_PATH_MIG:
      case IBV_EVENT_PATH_MIG_ERR:
      case IBV_EVENT_QP_LAST_WQE_REACHED:
        concerned = static_cast<Concerned*>(event.element.qp->qp_context);
        break;
      case IBV_EVENT_CQ_ERR:
        concerned = static_cast<Concerned*>(event.element.cq->cq_context);
        break;
      default:
        break;  // events of ports and of the device: the connections have their own notifications
    }
    const auto reported = static_cast<AsyncEvent>(event.event_type);
    verbs_.ack_async_event(&event);
    if (concerned != nullptr) concerned->on_async(reported);
  }
}

void Manager::add_descriptors(std::vector<pollfd>& to) const {
  to.push_back({.fd = channel_->fd, .events = POLLIN, .revents = 0});
  for (const ibv_context* const device : devices_)
    to.push_back({.fd = device->async_fd, .events = POLLIN, .revents = 0});
}

}  // namespace wirelaw::verbs
