// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct OneSidedRules : Words {
  static constexpr std::string_view k3_3 = "EFA RDM v4 3.3";
  static constexpr std::string_view k4_1 = "EFA RDM v4 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-1", must, responder, k3_3, api, octets,
       "A responder serves one-sided operations without a call of its application, except to drive progress.",
       "Only an observer beside the responder sees whether the application was involved."},
      {"EFA-3.3-2", must, responder, k3_3, stimulus, octets,
       "A responder gives its application a completion with the CQ data of a write.",
       "An application that echoes answers such a write by a message (conformance/case.h)", {remote_write_untold}},
      {"EFA-3.3-3", must_not, responder, k3_3, api, octets,
       "A responder gives its application no completion for any other one-sided operation.",
       "The completion queue of the responder shows it."},
      {"EFA-3.3-4", must, requester, k3_3, api, octets,
       "A requester gives its application a completion when a one-sided operation has finished.",
       "The completion queue of the requester shows it."},
      {"EFA-3.3-5", must, requester, k3_3, trace, octets,
       "A requester sends in rma_iov only buffers that end within the 64-bit address space: addr plus len does not "
       "wrap."},
      {"EFA-3.3-6", must, requester, k3_3, api, octets,
       "A requester uses the key under which the responder registered the buffer.",
       "The two applications agree on keys by their own means. A responder that gets another key shows nothing.",
       {rtw_wrong_key}},
      {"EFA-4.1-3", must, requester, k4_1, trace, octets,
       "A requester sends in read_iov only buffers that end within the 64-bit address space: addr plus len does not "
       "wrap."},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::OneSidedRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::OneSidedRules, I> {
};
