// SPDX-License-Identifier: Apache-2.0
// The device's attributes, as it reports them.
#pragma once

#include <infiniband/efadv.h>
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>

namespace wirelaw::soft_efa {

ibv_device_attr device_attributes();
efadv_device_attr efa_attributes(ibv_context* context);
int query_device_ex(ibv_context* context, const ibv_query_device_ex_input* input, ibv_device_attr_ex* out,
                    std::size_t size);
int query_port(ibv_context* context, std::uint8_t port, ibv_port_attr* out, std::size_t size);

}  // namespace wirelaw::soft_efa
