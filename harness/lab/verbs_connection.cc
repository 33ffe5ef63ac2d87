// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/verbs_connection.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace wirelaw::lab {
namespace {

constexpr std::uint32_t kWorkRequests = 128;  // of a queue; receives and their echoes, and what a round needs

ibv_sge piece(RegisteredMemory& memory, std::size_t offset, std::size_t octets) {
  return {reinterpret_cast<std::uintptr_t>(memory.at(offset)), static_cast<std::uint32_t>(octets), memory.local_key()};
}

}  // namespace

std::string failure(const std::string& call) {
  return fmt::format("{}: {}", call, std::strerror(errno));
}

RegisteredMemory::RegisteredMemory(ibv_pd* domain, std::size_t octets, int access) : octets_(octets) {
  region_ = ibv_reg_mr(domain, octets_.data(), octets_.size(), access);
}

RegisteredMemory::~RegisteredMemory() {
  if (region_ != nullptr) ibv_dereg_mr(region_);
}

rdmap::AdvertisedBuffer RegisteredMemory::advertised() const {
  return {{region_->rkey, reinterpret_cast<std::uintptr_t>(octets_.data())},
          static_cast<std::uint32_t>(octets_.size())};
}

Result<std::unique_ptr<VerbsConnection>> VerbsConnection::on(rdma_cm_id* id) {
  std::unique_ptr<VerbsConnection> made(new VerbsConnection(id));
  if (const auto prepared = made->prepare(); !prepared) return tl::unexpected(prepared.error());
  return made;
}

Result<> VerbsConnection::prepare() {
  domain_ = ibv_alloc_pd(id_->verbs);
  if (domain_ == nullptr) return tl::unexpected(failure("ibv_alloc_pd"));
  channel_ = ibv_create_comp_channel(id_->verbs);
  if (channel_ == nullptr) return tl::unexpected(failure("ibv_create_comp_channel"));
  ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  completions_ = ibv_create_cq(id_->verbs, 2 * kWorkRequests, nullptr, channel_, 0);
  if (completions_ == nullptr) return tl::unexpected(failure("ibv_create_cq"));
  if (ibv_req_notify_cq(completions_, 0) != 0) return tl::unexpected(failure("ibv_req_notify_cq"));
  ibv_qp_init_attr attributes{};
  attributes.send_cq = attributes.recv_cq = completions_;
  attributes.qp_type = IBV_QPT_RC;
  attributes.cap.max_send_wr = attributes.cap.max_recv_wr = kWorkRequests;
  attributes.cap.max_send_sge = attributes.cap.max_recv_sge = 1;
  if (rdma_create_qp(id_, domain_, &attributes) != 0) return tl::unexpected(failure("rdma_create_qp"));
  receives_ =
      std::make_unique<RegisteredMemory>(domain_, rdmap::kReceives * rdmap::kReceiveOctets, IBV_ACCESS_LOCAL_WRITE);
  if (!receives_->registered()) return tl::unexpected(failure("ibv_reg_mr"));
  for (std::size_t place = 0; place < rdmap::kReceives; ++place)
    if (!post_receive(place)) return tl::unexpected(failure("ibv_post_recv"));
  return {};
}

VerbsConnection::~VerbsConnection() {
  if (id_->qp != nullptr) rdma_destroy_qp(id_);
  receives_.reset();
  if (completions_ != nullptr) ibv_destroy_cq(completions_);
  if (channel_ != nullptr) ibv_destroy_comp_channel(channel_);
  if (domain_ != nullptr) ibv_dealloc_pd(domain_);
  rdma_destroy_id(id_);
}

Octets VerbsConnection::received(std::size_t place, std::size_t octets) {
  return Octets(receives_->octets()).subspan(place * rdmap::kReceiveOctets, octets);
}

bool VerbsConnection::post_receive(std::size_t place) {
  ibv_sge where = piece(*receives_, place * rdmap::kReceiveOctets, rdmap::kReceiveOctets);
  ibv_recv_wr request{};
  request.wr_id = place;
  request.sg_list = &where;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  return ibv_post_recv(id_->qp, &request, &bad) == 0;
}

bool VerbsConnection::send_received(std::uint64_t id, std::size_t place, std::size_t octets) {
  ibv_sge what = piece(*receives_, place * rdmap::kReceiveOctets, octets);
  ibv_send_wr request{};
  request.wr_id = id;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  request.sg_list = &what;
  request.num_sge = octets == 0 ? 0 : 1;
  return post(request);
}

bool VerbsConnection::post(ibv_send_wr& request) {
  ibv_send_wr* bad = nullptr;
  return ibv_post_send(id_->qp, &request, &bad) == 0;
}

void VerbsConnection::for_each_completion(const std::function<void(const ibv_wc&)>& act) {
  ibv_cq* which = nullptr;
  void* context = nullptr;
  while (ibv_get_cq_event(channel_, &which, &context) == 0) ibv_ack_cq_events(which, 1);
  // Armed before they are taken, so that none comes unnoticed in between.
  if (ibv_req_notify_cq(completions_, 0) != 0) return;
  std::array<ibv_wc, 16> some{};
  for (int count; (count = ibv_poll_cq(completions_, static_cast<int>(some.size()), some.data())) > 0;)
    for (int i = 0; i < count; ++i) act(some[static_cast<std::size_t>(i)]);
}

rdma_conn_param VerbsConnection::parameters(Octets private_data) {
  constexpr std::uint8_t kReads = 16;  // outstanding, in either direction
  rdma_conn_param parameters{};
  parameters.private_data = private_data.data();
  parameters.private_data_len = static_cast<std::uint8_t>(private_data.size());
  parameters.responder_resources = parameters.initiator_depth = kReads;
  parameters.retry_count = parameters.rnr_retry_count = 7;
  return parameters;
}

}  // namespace wirelaw::lab
