// SPDX-License-Identifier: Apache-2.0
// The functions of librdmacm, looked up when they are first wanted, as those of libibverbs are
// (harness/transports/verbs/library.h).
#pragma once

#include <rdma/rdma_cma.h>

#include <tl/expected.hpp>

#include "conformance/transport.h"

namespace wirelaw {

// Each is a member without its prefix.
#define WIRELAW_RDMA_FUNCTIONS(row)                                                                              \
  row(create_event_channel) row(destroy_event_channel) row(create_id) row(destroy_id) row(bind_addr) row(listen) \
      row(resolve_addr) row(resolve_route) row(create_qp) row(destroy_qp) row(connect) row(accept) row(reject)   \
          row(disconnect) row(get_cm_event) row(ack_cm_event) row(event_str)

struct RdmacmLibrary {
#define WIRELAW_MEMBER(name) decltype(&::rdma_##name) name = nullptr;
  WIRELAW_RDMA_FUNCTIONS(WIRELAW_MEMBER)
#undef WIRELAW_MEMBER
};

// The library stays loaded. The error names the missing package.
tl::expected<const RdmacmLibrary*, TransportError> rdmacm_library();

}  // namespace wirelaw
