// SPDX-License-Identifier: Apache-2.0
// For tests: devices with queue pairs in one process, used as a provider does, through the verbs.
#pragma once

#include <infiniband/efadv.h>
#include <infiniband/verbs.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/lab/soft_efa/context.h"

#undef ibv_reg_mr

namespace wirelaw::soft_efa::testing {

inline constexpr std::uint32_t kQkey = 0x11223344;
inline constexpr int kAllAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;

inline Settings settings() {
  Settings settings;
  settings.gid = *parse_gid("127.0.0.1");
  settings.rdma = Rdma::write;
  settings.idle_us = 0;
  return settings;
}

// The fields of a completion.
struct Seen {
  std::uint64_t wr_id;
  ibv_wc_status status;
  std::uint32_t vendor_err;
  ibv_wc_opcode opcode;
  std::uint32_t byte_len;
  std::uint32_t immediate;
  std::uint32_t src_qp;
  std::uint32_t slid;
  std::optional<Gid> sgid;  // if the device knows no address handle
};

// Memory that is registered as long as it lives.
class Region {
 public:
  Region(ibv_pd* pd, std::size_t size, int access = kAllAccess)
      : octets(size), mr(ibv_reg_mr(pd, octets.data(), size, access)) {}
  ~Region() { ibv_dereg_mr(mr); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  ibv_sge sge(std::size_t offset, std::size_t length) {
    return {reinterpret_cast<std::uintptr_t>(octets.data() + offset), static_cast<std::uint32_t>(length), mr->lkey};
  }
  std::uint64_t address(std::size_t offset = 0) const {
    return reinterpret_cast<std::uintptr_t>(octets.data() + offset);
  }

  std::vector<std::uint8_t> octets;
  ibv_mr* mr;
};

// A device with one queue pair that is ready to send.
class Node {
 public:
  explicit Node(Settings with = settings(), ibv_qp_type type = IBV_QPT_DRIVER, std::uint32_t sends = 256)
      : settings_(std::move(with)), record_(settings_.record), context(new Context(device_, settings_, record_)) {
    pd = ibv_alloc_pd(&context->context);
    ibv_cq_init_attr_ex queue = {};
    queue.cqe = 1024;
    efadv_cq_init_attr efa_queue = {};
    cq = efadv_create_cq(&context->context, &queue, &efa_queue, sizeof efa_queue);
    ibv_qp_init_attr_ex pair = {};
    pair.send_cq = pair.recv_cq = ibv_cq_ex_to_cq(cq);
    pair.cap = {.max_send_wr = sends, .max_recv_wr = 1024, .max_send_sge = 2, .max_recv_sge = 1};
    pair.qp_type = type;
    pair.pd = pd;
    efadv_qp_init_attr efa_pair = {};
    qp = efadv_create_qp_ex(&context->context, &pair, &efa_pair, sizeof efa_pair);
    ibv_qp_attr attributes = {};
    attributes.qp_state = IBV_QPS_RTS;
    attributes.qkey = kQkey;
    ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_QKEY);
  }
  ~Node() {
    handles_.clear();
    if (qp != nullptr) ibv_destroy_qp(qp);
    ibv_destroy_cq(ibv_cq_ex_to_cq(cq));
    ibv_dealloc_pd(pd);
    ibv_close_device(&context->context);
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::uint16_t port() const { return static_cast<std::uint16_t>(qp->qp_num); }

  ibv_ah* handle(const Gid& gid = settings().gid) {
    ibv_ah_attr attributes = {};
    std::memcpy(attributes.grh.dgid.raw, gid.data(), gid.size());
    handles_.emplace_back(ibv_create_ah(pd, &attributes), ibv_destroy_ah);
    return handles_.back().get();
  }

  int send(ibv_ah* handle, std::uint32_t qpn, std::vector<ibv_sge> parts, std::uint64_t wr_id = 1, unsigned flags = 0) {
    ibv_send_wr request = {};
    request.wr_id = wr_id;
    request.sg_list = parts.data();
    request.num_sge = static_cast<int>(parts.size());
    request.opcode = IBV_WR_SEND;
    request.send_flags = flags;
    request.wr.ud.ah = handle;
    request.wr.ud.remote_qpn = qpn;
    request.wr.ud.remote_qkey = kQkey;
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(qp, &request, &bad);
  }

  int post_receive(ibv_sge place, std::uint64_t wr_id = 2) {
    ibv_recv_wr request = {};
    request.wr_id = wr_id;
    request.sg_list = &place;
    request.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    return ibv_post_recv(qp, &request, &bad);
  }

  struct Rdma {
    ibv_wr_opcode opcode;
    std::uint32_t key;
    std::uint64_t address;
    std::uint32_t qkey = kQkey;
    std::uint32_t immediate = 0;
  };
  int rdma(const Rdma& what, ibv_ah* handle, std::uint32_t qpn, ibv_sge part, std::uint64_t wr_id = 3) {
    ibv_qp_ex* builder = ibv_qp_to_qp_ex(qp);
    ibv_wr_start(builder);
    builder->wr_id = wr_id;
    builder->wr_flags = 0;
    if (what.opcode == IBV_WR_RDMA_READ) ibv_wr_rdma_read(builder, what.key, what.address);
    if (what.opcode == IBV_WR_RDMA_WRITE) ibv_wr_rdma_write(builder, what.key, what.address);
    if (what.opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
      ibv_wr_rdma_write_imm(builder, what.key, what.address, what.immediate);
    ibv_wr_set_sge_list(builder, 1, &part);
    ibv_wr_set_ud_addr(builder, handle, qpn, what.qkey);
    return ibv_wr_complete(builder);
  }

  std::optional<Seen> poll() {
    ibv_poll_cq_attr attributes = {};
    if (ibv_start_poll(cq, &attributes) != 0) return std::nullopt;
    Seen seen{cq->wr_id,
              cq->status,
              ibv_wc_read_vendor_err(cq),
              ibv_wc_read_opcode(cq),
              ibv_wc_read_byte_len(cq),
              ibv_wc_read_imm_data(cq),
              ibv_wc_read_src_qp(cq),
              ibv_wc_read_slid(cq),
              std::nullopt};
    ibv_gid gid;
    if (efadv_wc_read_sgid(efadv_cq_from_ibv_cq_ex(cq), &gid) >= 0) {
      seen.sgid.emplace();
      std::memcpy(seen.sgid->data(), gid.raw, seen.sgid->size());
    }
    ibv_end_poll(cq);
    return seen;
  }

  // Polls, also the other nodes, until there is a completion. If none comes, the test never ends, and CTest stops it.
  Seen wait(std::vector<Node*> others = {}) {
    while (true) {
      if (auto seen = poll()) return *seen;
      for (Node* other : others) other->poll();
    }
  }

 private:
  ibv_device device_ = {};
  Settings settings_;
  Record record_;
  std::vector<std::unique_ptr<ibv_ah, int (*)(ibv_ah*)>> handles_;

 public:
  Context* context;
  ibv_pd* pd = nullptr;
  ibv_cq_ex* cq = nullptr;
  ibv_qp* qp = nullptr;
};

}  // namespace wirelaw::soft_efa::testing
