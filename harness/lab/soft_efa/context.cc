// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/context.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/lab/soft_efa/attributes.h"
#include "harness/lab/soft_efa/completion_queue.h"
#include "harness/lab/soft_efa/create.h"
#include "harness/lab/soft_efa/engine.h"
#include "harness/lab/soft_efa/posting.h"

namespace wirelaw::soft_efa {

Context::Context(ibv_device& device, const Settings& of, Record& packets)
    : verbs_context{}, settings(of), record(packets), chance(of.reorder_seed) {
  sz = sizeof(verbs_context);
  soft_efa::Context::query_port = soft_efa::query_port;
  query_device_ex = soft_efa::query_device_ex;
  create_cq_ex = soft_efa::create_cq_ex;
  create_qp_ex = soft_efa::create_qp_ex;
  context.device = &device;
  context.cmd_fd = -1;
  context.async_fd = -1;
  context.num_comp_vectors = 1;
  context.abi_compat = __VERBS_ABI_IS_EXTENDED;
  pthread_mutex_init(&context.mutex, nullptr);
  context.ops.poll_cq = poll_cq;
  context.ops.req_notify_cq = [](ibv_cq*, int) { return 0; };
  context.ops.post_send = post_send;
  context.ops.post_recv = post_recv;
}

Context::~Context() = default;

}  // namespace wirelaw::soft_efa
