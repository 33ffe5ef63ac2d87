// SPDX-License-Identifier: Apache-2.0
// Makes queues and queue pairs, whichever verb asks. Null with errno if it cannot.
#pragma once

#include <infiniband/verbs.h>

namespace wirelaw::soft_efa {

ibv_cq_ex* create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* attributes);
ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes);

}  // namespace wirelaw::soft_efa
