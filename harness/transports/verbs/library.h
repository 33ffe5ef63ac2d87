// SPDX-License-Identifier: Apache-2.0
// The functions of libibverbs and libefa, looked up when they are first needed: the program runs if neither is
// installed. A library that is preloaded in their place is found before them.
#pragma once

#include <infiniband/efadv.h>
#include <infiniband/verbs.h>

#include <tl/expected.hpp>

#include "conformance/transport.h"

namespace wirelaw {

// Each is a member without its prefix. What <infiniband/verbs.h> has as an inline function needs no row.
#define WIRELAW_IBV_FUNCTIONS(row)                                                                                     \
  row(get_device_list) row(free_device_list) row(get_device_name) row(open_device) row(close_device) row(query_device) \
      row(query_port) row(query_gid) row(alloc_pd) row(dealloc_pd) row(reg_mr) row(dereg_mr) row(create_ah)            \
          row(destroy_ah) row(destroy_cq) row(modify_qp) row(destroy_qp) row(qp_to_qp_ex) row(wc_status_str)           \
              row(create_comp_channel) row(destroy_comp_channel) row(create_cq) row(get_cq_event) row(ack_cq_events)   \
                  row(get_async_event) row(ack_async_event) row(query_qp)
#define WIRELAW_EFADV_FUNCTIONS(row) row(create_cq) row(cq_from_ibv_cq_ex) row(create_qp_ex) row(query_ah)

struct VerbsLibrary {
#define WIRELAW_MEMBER(name) decltype(&::ibv_##name) name = nullptr;
  WIRELAW_IBV_FUNCTIONS(WIRELAW_MEMBER)
#undef WIRELAW_MEMBER
  decltype(&::efadv_query_device) efa_query_device = nullptr;  // nullptr if there is no libefa
#define WIRELAW_MEMBER(name) decltype(&::efadv_##name) efa_##name = nullptr;
  WIRELAW_EFADV_FUNCTIONS(WIRELAW_MEMBER)
#undef WIRELAW_MEMBER

  bool has_efa() const {
    return efa_query_device != nullptr;
  }
};

// The library stays loaded. The error names the missing package.
tl::expected<const VerbsLibrary*, TransportError> verbs_library();

}  // namespace wirelaw
