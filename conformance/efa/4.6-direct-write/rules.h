// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.6: RDMA-Write based data transfer. Packets do not show it.
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct DirectWriteRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.6-1", must, requester, kSection, api, octets,
       "A requester performs a direct write by RDMA writes alone, without a packet.",
       "RDMA writes are not packets of this protocol. The device shows them"},
      {"EFA-4.6-2", must, requester, kSection, api, octets,
       "A requester writes memory directly only if the peer has announced RDMA write.",
       "RDMA writes are not packets of this protocol. The device shows them", {extras_not_announced}},
      {"EFA-4.6-3", must, responder, kSection, stimulus, octets,
       "A responder drives its progress, so that a direct write with CQ data gives its application a completion.",
       "An application that echoes answers such a write by a message (conformance/case.h)", {remote_write_untold}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::DirectWriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::DirectWriteRules, I> {
};
