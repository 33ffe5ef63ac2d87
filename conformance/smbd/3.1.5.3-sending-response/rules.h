// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendingResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.3-1", must, listener, kSection, trace, octets,
       "In a Negotiate Response, MinVersion is 0x0100.", {}, {response_min_version_zero, failure_versions_zero}},
      {"SMBD-3.1.5.3-2", must, listener, kSection, trace, octets,
       "In a Negotiate Response, MaxVersion is 0x0100.", {}, {response_max_version_two, failure_versions_zero}},
      {"SMBD-3.1.5.3-3", must, listener, kSection, trace, octets,
       "In a Negotiate Response, Reserved is zero.", "SMBD/A3", {response_reserved_set, failure_reserved_set}},
      {"SMBD-3.1.5.3-4", must, listener, kSection, stimulus, octets,
       "The listener sets Status to the result of processing the request.", {},
       {response_big_endian, failure_status_other, failure_is_no_error}},
      {"SMBD-3.1.5.3-5", must, listener, kSection, none, octets,
       "The response is the second message on the connection.", "Judged by SMBD-2.2.2-1 and -2"},
      {"SMBD-3.1.5.3-6", must, listener, kSection, trace, octets,
       "If Status is not zero, every other field except the versions is zero.", {},
       {response_status_not_zero, failure_fields_set}},
      {"SMBD-3.1.5.3-7", must, listener, kSection, trace, octets,
       "In a successful response, NegotiatedVersion is Connection.Protocol, 0x0100.", "SMBD/A7",
       {response_negotiated_zero, response_negotiated_two}},
      {"SMBD-3.1.5.3-8", should, listener, kSection, trace, absence,
       "After a failure response, the listener closes the connection gracefully.",
       "SMBD/A31: either side may close first; SMBD/A28: within 5 seconds. A capture shows at most a warning: SMBD/A48", {{failure_keeps_connection, warning}}},
      {"SMBD-3.1.5.3-9", must, listener, kSection, trace, octets,
       "The listener sends nothing after a failure response.", "3.1.5.1: the connection was never established"},
      {"SMBD-3.1.5.3-10", should, listener, kSection, none, octets,
       "The listener sets CreditsRequested to SendCreditTarget.", "SMBD/A37: a local value, which nothing else shows"},
      {"SMBD-3.1.5.3-11", must, listener, kSection, stimulus, octets,
       "The listener sets CreditsGranted to the number of receives that it has posted.",
       "A case shows that it receives as many messages",
       {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
        grants_nothing, no_empty_grant, refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-3.1.5.3-12", must, listener, kSection, none, octets,
       "The listener sets MaxReadWriteSize to Connection.MaxReadWriteSize.",
       "SMBD/A33; SMBD-2.2.2-12 judges that the listener does not exceed it"},
      {"SMBD-3.1.5.3-13", must, listener, kSection, none, octets,
       "The listener sets PreferredSendSize to MaxSendSize.",
       "SMBD-3.1.5.4-12 judges that the listener does not exceed it"},
      {"SMBD-3.1.5.3-14", must, listener, kSection, none, octets,
       "The listener sets MaxReceiveSize to Connection.MaxReceiveSize.",
       "SMBD-2.2.2-19 judges that the listener accepts such messages"},
      {"SMBD-3.1.5.3-15", must, listener, kSection, none, octets,
       "The listener sets MaxFragmentedSize to MaxFragmentedRecvSize.",
       "SMBD-2.2.2-20 judges that the listener accepts such messages"},
      {"SMBD-3.1.5.3-16", must, listener, kSection, stimulus, octets,
       "The listener posts a failure response to the RDMA provider.", {}, {failure_not_sent, bad_negotiation_ignored}},
      {"SMBD-3.1.5.3-17", must, listener, kSection, stimulus, octets,
       "The listener posts a successful response to the RDMA provider.", {},
       {sizes_signed, response_short, response_status_not_zero, response_missing, response_behind_data,
        refuses_reserved_bits}},
      {"SMBD-3.1.5.3-18", must, listener, kSection, api, octets,
       "The listener returns the RDMA provider's result to the caller.", "The upper layer sees it"},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SendingResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SendingResponseRules, I> {
};
