// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/create.h"

#include <cerrno>

#include "harness/lab/soft_efa/queue_pair.h"

namespace wirelaw::soft_efa {

ibv_cq_ex* create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* attributes) {
  return new CompletionQueue(context, *attributes);
}

ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes) {
  Context& owner = context_of(context);
  const ibv_qp_cap& cap = attributes->cap;
  const bool fits = cap.max_send_wr <= kMaxSendWr && cap.max_recv_wr <= kMaxRecvWr && cap.max_send_sge <= kMaxSendSge &&
                    cap.max_recv_sge <= kMaxRecvSge && cap.max_inline_data <= owner.settings.inline_octets;
  const bool known = attributes->qp_type == IBV_QPT_DRIVER || attributes->qp_type == IBV_QPT_UD;
  if (!fits || !known || attributes->send_cq == nullptr || attributes->recv_cq == nullptr) {
    errno = EINVAL;
    return nullptr;
  }
  const Locked locked(owner.lock);
  // The port that was asked for goes to the first queue pair.
  const std::uint16_t port = owner.queue_pairs.empty() ? owner.settings.port : 0;
  auto sockets = bind_pair(owner.settings.gid, port);
  if (!sockets) return nullptr;
  return &(new QueuePair(owner, *attributes, std::move(*sockets)))->qp_base;
}

}  // namespace wirelaw::soft_efa
