// SPDX-License-Identifier: Apache-2.0
// The three ways to post: ibv_post_send, ibv_post_recv, and the ibv_wr_… builders.
#pragma once

#include <infiniband/verbs.h>

namespace wirelaw::soft_efa {

int post_send(ibv_qp* queue_pair, ibv_send_wr* request, ibv_send_wr** bad);
int post_recv(ibv_qp* queue_pair, ibv_recv_wr* request, ibv_recv_wr** bad);
void set_posting_functions(ibv_qp_ex& queue_pair);

}  // namespace wirelaw::soft_efa
