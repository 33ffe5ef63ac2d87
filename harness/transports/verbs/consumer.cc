// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "harness/transports/verbs/address.h"
#include "harness/transports/verbs/listener.h"
#include "harness/wait.h"

namespace wirelaw::verbs {
namespace {

constexpr int kRequests = 256;  // outstanding, of each queue
constexpr int kResolveMilliseconds = 2000;
constexpr std::chrono::seconds kResolve{3};
// A completion queue signals an event only if the caller has requested one.
constexpr std::chrono::milliseconds kLookEvery{1};

DeviceInfo info_of(const VerbsLibrary& verbs, ibv_context& device, const ibv_device_attr& limits) {
  const bool iwarp = device.device->transport_type == IBV_TRANSPORT_IWARP;
  const auto at_most = [](int depth) { return static_cast<std::uint8_t>(std::clamp(depth, 0, 255)); };
  return {.name = verbs.get_device_name(device.device),
          .iwarp = iwarp,
          .send_with_inv = (limits.device_cap_flags & IBV_DEVICE_MEM_MGT_EXTENSIONS) != 0,
          .write_with_imm = !iwarp,
          .atomics = limits.atomic_cap != IBV_ATOMIC_NONE,
          .max_qp_rd_atom = at_most(limits.max_qp_rd_atom),
          .max_qp_init_rd_atom = at_most(limits.max_qp_init_rd_atom)};
}

tl::unexpected<VerbsError> refused(std::string_view verb, int error) {
  return tl::unexpected(VerbsError{failed(verb, error).message});
}

// Converts the result of a librdmacm verb: -1 and errno.
tl::expected<void, VerbsError> outcome_of(std::string_view verb, int returned) {
  if (returned == 0) return {};
  return refused(verb, errno);
}

ibv_sge sge_of(const Sge& from) {
  return {.addr = from.addr, .length = from.length, .lkey = from.lkey};
}

ibv_send_wr wr_of(const SendWr& from, ibv_sge& element) {
  ibv_send_wr wr = {};
  wr.wr_id = from.wr_id;
  wr.opcode = static_cast<ibv_wr_opcode>(from.opcode);
  wr.sg_list = &element;
  wr.num_sge = from.sge.length == 0 ? 0 : 1;
  wr.send_flags = (from.signaled ? unsigned{IBV_SEND_SIGNALED} : 0U) | (from.fence ? unsigned{IBV_SEND_FENCE} : 0U) |
                  (from.solicited ? unsigned{IBV_SEND_SOLICITED} : 0U);
  switch (from.opcode) {
    case WrOpcode::rdma_write:
    case WrOpcode::rdma_write_with_imm:
    case WrOpcode::rdma_read:
      wr.wr.rdma = {.remote_addr = from.remote_addr, .rkey = from.rkey};
      break;
    case WrOpcode::atomic_cmp_and_swp:
    case WrOpcode::atomic_fetch_and_add:
      wr.wr.atomic = {
          .remote_addr = from.remote_addr, .compare_add = from.compare_add, .swap = from.swap, .rkey = from.rkey};
      break;
    default:
      break;
  }
  if (from.opcode == WrOpcode::send_with_inv || from.opcode == WrOpcode::local_inv)
    wr.invalidate_rkey = from.invalidate_rkey;
  else
    wr.imm_data = htonl(from.imm_data);
  return wr;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------ set-up

tl::expected<std::unique_ptr<LiveConsumer>, TransportError> LiveConsumer::make_responder(Manager& manager,
                                                                                         ibv_context* device,
                                                                                         const LiveClock& clock) {
  std::unique_ptr<LiveConsumer> made(new LiveConsumer(manager, clock));
  if (auto opened = made->open(device); !opened) return tl::unexpected(opened.error());
  return made;
}

tl::expected<std::unique_ptr<LiveConsumer>, TransportError> LiveConsumer::make_initiator(
    Manager& manager, const DeviceAddress& to, const LiveClock& clock, const std::optional<DeviceAddress>& from) {
  std::unique_ptr<LiveConsumer> made(new LiveConsumer(manager, clock));
  if (auto resolved = made->resolve(to, from); !resolved) return tl::unexpected(resolved.error());
  return made;
}

tl::expected<void, TransportError> LiveConsumer::open(ibv_context* device) {
  if (const int error = manager_.verbs().query_device(device, &limits_); error != 0)
    return tl::unexpected(failed("ibv_query_device", error));
  info_ = info_of(manager_.verbs(), *device, limits_);
  manager_.watch(device);
  if (auto opened = memory_.open(device); !opened) return opened;
  return completions_.open(device, std::min(2 * kRequests, limits_.max_cqe), static_cast<Concerned*>(this));
}

tl::expected<void, TransportError> LiveConsumer::resolve(const DeviceAddress& to,
                                                         const std::optional<DeviceAddress>& from) {
  auto id = from ? bind_to(manager_, *from) : manager_.make_id();
  if (!id) return tl::unexpected(id.error());
  id_ = std::move(*id);
  id_->context = static_cast<Concerned*>(this);
  sockaddr_storage address = sockaddr_of(to.endpoint);
  const std::string where = pcap::to_string(to.endpoint.address);
  if (manager_.rdma().resolve_addr(id_.get(), nullptr, reinterpret_cast<sockaddr*>(&address), kResolveMilliseconds) !=
      0)
    return tl::unexpected(failed(where + " is not reached by an RDMA device", errno, "see `wirelaw devices`"));
  if (auto resolved = await_resolved(CmEventType::addr_resolved); !resolved) return resolved;
  const std::string_view device = manager_.verbs().get_device_name(id_->verbs->device);
  if (!to.device.empty() && device != to.device)
    return tl::unexpected(TransportError{fmt::format("{} is reached by {}, not by {}", where, device, to.device),
                                         "see `wirelaw devices`"});
  if (auto opened = open(id_->verbs); !opened) return opened;
  if (auto made = make_queue_pair(); !made) return made;
  if (manager_.rdma().resolve_route(id_.get(), kResolveMilliseconds) != 0)
    return tl::unexpected(failed("rdma_resolve_route", errno));
  return await_resolved(CmEventType::route_resolved);
}

pcap::Endpoint LiveConsumer::local() const {
  return id_ ? endpoint_of(id_->route.addr.src_addr) : pcap::Endpoint();
}

tl::expected<void, TransportError> LiveConsumer::await_resolved(CmEventType wanted) {
  const auto event = cm_event(now() + kResolve);
  if (!event) return tl::unexpected(event.error());
  if (*event && (*event)->type == wanted) return {};
  return tl::unexpected(
      TransportError{fmt::format("the RDMA connection manager reports {} where {} was awaited",
                                 *event ? to_string((*event)->type) : std::string_view("nothing"), to_string(wanted)),
                     "see `wirelaw devices`, and whether the address is one that they reach"});
}

tl::expected<void, TransportError> LiveConsumer::make_queue_pair() {
  const auto requests = static_cast<std::uint32_t>(std::min(kRequests, limits_.max_qp_wr));
  ibv_qp_init_attr attributes = {};
  attributes.qp_context = static_cast<Concerned*>(this);
  attributes.send_cq = completions_.queue(Cq::send);
  attributes.recv_cq = completions_.queue(Cq::receive);
  attributes.cap = {
      .max_send_wr = requests, .max_recv_wr = requests, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
  attributes.qp_type = IBV_QPT_RC;
  if (manager_.rdma().create_qp(id_.get(), memory_.domain(), &attributes) != 0)
    return tl::unexpected(failed("rdma_create_qp", errno));
  queue_pair_ = {id_.get(), QueuePairEnd{&manager_}};
  return {};
}

void LiveConsumer::requested(CmEvent event, rdma_cm_id* fresh) {
  id_ = manager_.adopt(fresh);
  id_->context = static_cast<Concerned*>(this);
  if (const auto made = make_queue_pair(); !made) no_queue_pair_ = made.error().message;
  cm_events_.push_back(std::move(event));
}

// ---------------------------------------------------------------------------------------------------- the connection

void LiveConsumer::on_connection(CmEvent event, rdma_cm_id*) {
  pending_ = false;
  was_connected_ |= event.type == CmEventType::established;
  cm_events_.push_back(std::move(event));
}

rdma_conn_param LiveConsumer::parameters_of(const ConnParam& param) const {
  return {.private_data = param.private_data.empty() ? nullptr : param.private_data.data(),
          .private_data_len = static_cast<std::uint8_t>(param.private_data.size()),
          .responder_resources = std::min(param.responder_resources, info_.max_qp_rd_atom),
          .initiator_depth = std::min(param.initiator_depth, info_.max_qp_init_rd_atom),
          .flow_control = 1,
          .retry_count = 7,
          .rnr_retry_count = 7,
          .srq = 0,
          .qp_num = 0};
}

LiveConsumer::Outcome<void> LiveConsumer::refuse_without_queue_pair(std::string_view verb) const {
  if (queue_pair() != nullptr) return {};
  return tl::unexpected(VerbsError{fmt::format("{}: {}", verb, no_queue_pair_)});
}

constexpr std::size_t kPrivateData = 255;  // rdma_conn_param counts in eight bits

LiveConsumer::Outcome<void> LiveConsumer::connect(const ConnParam& param) {
  if (auto none = refuse_without_queue_pair("rdma_connect"); !none) return none;
  if (param.private_data.size() > kPrivateData) return refused("rdma_connect: the private data", EMSGSIZE);
  rdma_conn_param parameters = parameters_of(param);
  return outcome_of("rdma_connect", manager_.rdma().connect(id_.get(), &parameters));
}

LiveConsumer::Outcome<void> LiveConsumer::accept(const ConnParam& param) {
  if (auto none = refuse_without_queue_pair("rdma_accept"); !none) return none;
  if (param.private_data.size() > kPrivateData) return refused("rdma_accept: the private data", EMSGSIZE);
  rdma_conn_param parameters = parameters_of(param);
  auto accepted = outcome_of("rdma_accept", manager_.rdma().accept(id_.get(), &parameters));
  pending_ = accepted.has_value();
  return accepted;
}

LiveConsumer::Outcome<void> LiveConsumer::reject(Octets private_data) {
  if (!id_) return tl::unexpected(VerbsError{"rdma_reject: " + no_queue_pair_});
  if (private_data.size() > kPrivateData) return refused("rdma_reject: the private data", EMSGSIZE);
  return outcome_of("rdma_reject", manager_.rdma().reject(id_.get(), private_data.data(),
                                                          static_cast<std::uint8_t>(private_data.size())));
}

LiveConsumer::Outcome<void> LiveConsumer::disconnect() {
  if (auto none = refuse_without_queue_pair("rdma_disconnect"); !none) return none;
  return outcome_of("rdma_disconnect", manager_.rdma().disconnect(id_.get()));
}

// -------------------------------------------------------------------------------------------------------------- work

LiveConsumer::Outcome<void> LiveConsumer::post_recv(const RecvWr& wr) {
  if (auto none = refuse_without_queue_pair("ibv_post_recv"); !none) return none;
  ibv_sge element = sge_of(wr.sge);
  ibv_recv_wr request = {
      .wr_id = wr.wr_id, .next = nullptr, .sg_list = &element, .num_sge = wr.sge.length == 0 ? 0 : 1};
  ibv_recv_wr* bad = nullptr;
  if (const int error = ibv_post_recv(queue_pair(), &request, &bad); error != 0) return refused("ibv_post_recv", error);
  return {};
}

LiveConsumer::Outcome<void> LiveConsumer::post_send(const SendWr& wr) {
  if (auto none = refuse_without_queue_pair("ibv_post_send"); !none) return none;
  ibv_sge element = sge_of(wr.sge);
  ibv_send_wr request = wr_of(wr, element);
  ibv_send_wr* bad = nullptr;
  if (const int error = ibv_post_send(queue_pair(), &request, &bad); error != 0) return refused("ibv_post_send", error);
  return {};
}

// -------------------------------------------------------------------------------------------------- what is reported

template <class Take>
auto LiveConsumer::wait(Instant deadline, Take take) -> decltype(take()) {
  std::vector<pollfd> descriptors;
  while (true) {
    if (const auto dispatched = manager_.dispatch(); !dispatched) return tl::unexpected(dispatched.error());
    auto taken = take();
    if (!taken || *taken || now() >= deadline) return taken;
    descriptors.clear();
    manager_.add_descriptors(descriptors);
    static_cast<void>(wait_for(descriptors, clock_.at(std::min<Instant>(deadline, now() + kLookEvery))));
  }
}

namespace {

template <class Event>
tl::expected<std::optional<Event>, TransportError> first_of(std::deque<Event>& queue) {
  if (queue.empty()) return std::nullopt;
  Event event = std::move(queue.front());
  queue.pop_front();
  return event;
}

}  // namespace

LiveConsumer::Awaited<CmEvent> LiveConsumer::cm_event(Instant deadline) {
  return wait(deadline, [this] { return first_of(cm_events_); });
}

LiveConsumer::Awaited<AsyncEvent> LiveConsumer::async_event(Instant deadline) {
  return wait(deadline, [this] { return first_of(async_events_); });
}

LiveConsumer::Awaited<Wc> LiveConsumer::poll_cq(Cq cq, Instant deadline) {
  return wait(deadline, [&] { return completions_.poll(cq); });
}

tl::expected<bool, TransportError> LiveConsumer::cq_event(Cq cq, Instant deadline) {
  return wait(deadline, [&]() -> tl::expected<bool, TransportError> { return completions_.take_event(cq); });
}

void LiveConsumer::arm() {
  for (const Cq cq : {Cq::send, Cq::receive}) {
    while (completions_.take_event(cq)) continue;
    static_cast<void>(completions_.request(cq, false));
  }
}

// --------------------------------------------------------------------------------------------------------- queue pair

LiveConsumer::Outcome<QpInfo> LiveConsumer::query_qp() {
  if (auto none = refuse_without_queue_pair("ibv_query_qp"); !none) return tl::unexpected(none.error());
  ibv_qp_attr attributes = {};
  ibv_qp_init_attr initial = {};
  const int error = manager_.verbs().query_qp(
      queue_pair(), &attributes, IBV_QP_STATE | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC, &initial);
  if (error != 0) return refused("ibv_query_qp", error);
  QpInfo info{.state = static_cast<QpState>(attributes.qp_state),
              .responder_resources = attributes.max_dest_rd_atomic,
              .initiator_depth = attributes.max_rd_atomic};
  // A driver that does not fill the state in leaves a zero, which no queue pair that is connected can have.
  if (info.state == QpState::reset && was_connected_) info.state = QpState::unknown;
  return info;
}

LiveConsumer::Outcome<void> LiveConsumer::modify_qp_to_err() {
  if (auto none = refuse_without_queue_pair("ibv_modify_qp"); !none) return none;
  ibv_qp_attr attributes = {};
  attributes.qp_state = IBV_QPS_ERR;
  if (const int error = manager_.verbs().modify_qp(queue_pair(), &attributes, IBV_QP_STATE); error != 0)
    return refused("ibv_modify_qp", error);
  return {};
}

}  // namespace wirelaw::verbs
