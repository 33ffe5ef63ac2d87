// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/posting.h"

#include <cerrno>
#include <utility>

#include "harness/lab/soft_efa/queue_pair.h"

namespace wirelaw::soft_efa {
namespace {

QueuePair& pair_of(ibv_qp_ex* queue_pair) {
  return *static_cast<QueuePair*>(queue_pair);
}

int convert(const ibv_send_wr& from, const Settings& settings, WorkRequest& to) {
  to.wr_id = from.wr_id;
  to.opcode = from.opcode;
  to.immediate = from.imm_data;
  to.address = static_cast<const AddressHandle*>(from.wr.ud.ah);
  to.qpn = from.wr.ud.remote_qpn;
  to.qkey = from.wr.ud.remote_qkey;
  // ibv_send_wr keeps a remote address or an address handle, not both: one-sided operations need the builders.
  if (to.one_sided()) return EOPNOTSUPP;
  if (from.num_sge < 0) return EINVAL;
  const std::span list(from.sg_list, static_cast<std::size_t>(from.num_sge));
  if ((from.send_flags & IBV_SEND_INLINE) == 0) return to.set_sges(list);
  for (const ibv_sge& sge : list)
    if (const int error = to.add_inline(reinterpret_cast<const void*>(sge.addr), sge.length, settings.inline_octets))
      return error;
  return 0;
}

// ------------------------------------------------------------------------------------------------ builders
// Between wr_start and wr_complete or wr_abort the lock is held. Setters concern the request begun last.

void start(ibv_qp_ex* queue_pair) {
  pair_of(queue_pair).owner().lock.lock();
  pair_of(queue_pair).batch = {};
}

int complete(ibv_qp_ex* queue_pair) {
  QueuePair& self = pair_of(queue_pair);
  int error = self.batch.error;
  for (WorkRequest& request : self.batch.requests)
    if (error == 0) error = self.post(std::move(request));
  self.batch = {};
  self.owner().lock.unlock();
  return error;
}

void abandon(ibv_qp_ex* queue_pair) {
  pair_of(queue_pair).batch = {};
  pair_of(queue_pair).owner().lock.unlock();
}

WorkRequest& begin(ibv_qp_ex* queue_pair, ibv_wr_opcode opcode) {
  WorkRequest& request = pair_of(queue_pair).batch.requests.emplace_back();
  request.opcode = opcode;
  request.wr_id = queue_pair->wr_id;
  return request;
}

template <typename Set>
void with_last(ibv_qp_ex* queue_pair, Set set) {
  QueuePair::Batch& batch = pair_of(queue_pair).batch;
  const int error = batch.requests.empty() ? EINVAL : set(batch.requests.back());
  if (batch.error == 0) batch.error = error;
}

void begin_rdma(ibv_qp_ex* queue_pair, ibv_wr_opcode opcode, std::uint32_t key, std::uint64_t address,
                std::uint32_t immediate) {
  WorkRequest& request = begin(queue_pair, opcode);
  request.remote_key = key;
  request.remote_address = address;
  request.immediate = immediate;
}

void set_inline_list(ibv_qp_ex* queue_pair, std::size_t count, const ibv_data_buf* list) {
  const std::uint16_t most = pair_of(queue_pair).owner().settings.inline_octets;
  with_last(queue_pair, [&](WorkRequest& request) {
    for (std::size_t i = 0; i < count; ++i)
      if (const int error = request.add_inline(list[i].addr, list[i].length, most)) return error;
    return 0;
  });
}

void set_sge_list(ibv_qp_ex* queue_pair, std::size_t count, const ibv_sge* list) {
  with_last(queue_pair, [&](WorkRequest& request) { return request.set_sges({list, count}); });
}

void set_ud_addr(ibv_qp_ex* queue_pair, ibv_ah* address, std::uint32_t qpn, std::uint32_t qkey) {
  with_last(queue_pair, [&](WorkRequest& request) {
    request.address = static_cast<const AddressHandle*>(address);
    request.qpn = qpn;
    request.qkey = qkey;
    return 0;
  });
}

}  // namespace

int post_send(ibv_qp* queue_pair, ibv_send_wr* request, ibv_send_wr** bad) {
  QueuePair& self = soft_efa::pair_of(queue_pair);
  const Locked locked(self.owner().lock);
  for (; request != nullptr; request = request->next) {
    WorkRequest converted;
    int error = convert(*request, self.owner().settings, converted);
    if (error == 0) error = self.post(std::move(converted));
    if (error != 0) {
      *bad = request;
      return error;
    }
  }
  return 0;
}

int post_recv(ibv_qp* queue_pair, ibv_recv_wr* request, ibv_recv_wr** bad) {
  QueuePair& self = soft_efa::pair_of(queue_pair);
  const Locked locked(self.owner().lock);
  for (; request != nullptr; request = request->next) {
    if (const int error = self.post_receive(*request)) {
      *bad = request;
      return error;
    }
  }
  return 0;
}

void set_posting_functions(ibv_qp_ex& pair) {
  pair.wr_start = start;
  pair.wr_complete = complete;
  pair.wr_abort = abandon;
  pair.wr_send = [](ibv_qp_ex* qp) { begin(qp, IBV_WR_SEND); };
  pair.wr_send_imm = [](ibv_qp_ex* qp, std::uint32_t immediate) {
    begin(qp, IBV_WR_SEND_WITH_IMM).immediate = immediate;
  };
  pair.wr_rdma_read = [](ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address) {
    begin_rdma(qp, IBV_WR_RDMA_READ, key, address, 0);
  };
  pair.wr_rdma_write = [](ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address) {
    begin_rdma(qp, IBV_WR_RDMA_WRITE, key, address, 0);
  };
  pair.wr_rdma_write_imm = [](ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address, std::uint32_t immediate) {
    begin_rdma(qp, IBV_WR_RDMA_WRITE_WITH_IMM, key, address, immediate);
  };
  pair.wr_set_inline_data = [](ibv_qp_ex* qp, void* octets, std::size_t length) {
    const ibv_data_buf one{octets, length};
    set_inline_list(qp, 1, &one);
  };
  pair.wr_set_inline_data_list = set_inline_list;
  pair.wr_set_sge = [](ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address, std::uint32_t length) {
    const ibv_sge one{address, length, key};
    set_sge_list(qp, 1, &one);
  };
  pair.wr_set_sge_list = set_sge_list;
  pair.wr_set_ud_addr = set_ud_addr;
}

}  // namespace wirelaw::soft_efa
