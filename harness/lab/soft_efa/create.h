// SPDX-License-Identifier: Apache-2.0
// Creates queues and queue pairs for all verbs that do so. Returns null with errno on failure.
#pragma once

#include <infiniband/verbs.h>

namespace wirelaw::soft_efa {

ibv_cq_ex* create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* attributes);
ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes);

}  // namespace wirelaw::soft_efa
