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
       "A responder serves one-sided operations without a call of its application, as long as that drives progress.",
       "Whether the application was called upon is seen only beside it."},
      {"EFA-3.3-2", must, responder, k3_3, stimulus, octets,
       "A write with CQ data gives the responder's application a completion with that data.",
       "An application that echoes answers such a write by a message (conformance/case.h)", {remote_write_untold}},
      {"EFA-3.3-3", must_not, responder, k3_3, api, octets,
       "No other one-sided operation gives the responder's application a completion.",
       "The completion queue of the responder shows it."},
      {"EFA-3.3-4", must, requester, k3_3, api, octets,
       "The requester's application gets a completion when a one-sided operation is finished.",
       "The completion queue of the requester shows it."},
      {"EFA-3.3-5", must, requester, k3_3, trace, octets,
       "A buffer in rma_iov ends within the 64-bit address space: addr and len do not wrap."},
      {"EFA-3.3-6", must, requester, k3_3, api, octets,
       "The key of a buffer is the one under which the responder registered it.",
       "The two applications agree on keys by means of their own; a responder that gets another key shows nothing.",
       {rtw_wrong_key}},
      {"EFA-4.1-3", must, requester, k4_1, trace, octets,
       "A buffer in read_iov ends within the 64-bit address space: addr and len do not wrap."},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::OneSidedRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::OneSidedRules, I> {
};
