// SPDX-License-Identifier: Apache-2.0
// The only device, made from the environment when it is first asked for.
#pragma once

#include <infiniband/verbs.h>

#include "harness/lab/soft_efa/context.h"

namespace wirelaw::soft_efa {

ibv_device* the_device();  // null if the environment is wrong, which is reported once on standard error
Context* open_device(ibv_device& device);

}  // namespace wirelaw::soft_efa
