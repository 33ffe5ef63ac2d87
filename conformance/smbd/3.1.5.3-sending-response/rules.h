// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendingResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.3-1", must, listener, kSection, trace, octets,
       "MinVersion is 0x0100.", {}, {response_min_version_zero, failure_versions_zero}},
      {"SMBD-3.1.5.3-2", must, listener, kSection, trace, octets,
       "MaxVersion is 0x0100.", {}, {response_max_version_two, failure_versions_zero}},
      {"SMBD-3.1.5.3-3", must, listener, kSection, trace, octets,
       "Reserved is zero.", "SMBD/A3", {response_reserved_set, failure_reserved_set}},
      {"SMBD-3.1.5.3-4", must, listener, kSection, stimulus, octets,
       "Status is what the processing of the request gave.", {},
       {response_big_endian, failure_status_other, failure_is_no_error}},
      {"SMBD-3.1.5.3-5", must, listener, kSection, none, octets,
       "The response is the second message on the connection.", "judged by SMBD-2.2.2-1 and -2"},
      {"SMBD-3.1.5.3-6", must, listener, kSection, trace, octets,
       "Where Status is not zero, every field but the versions and Status is zero.", {},
       {response_status_not_zero, failure_fields_set}},
      {"SMBD-3.1.5.3-7", must, listener, kSection, trace, octets,
       "NegotiatedVersion of a success is Connection.Protocol, 0x0100.", "SMBD/A7",
       {response_negotiated_zero, response_negotiated_two}},
      {"SMBD-3.1.5.3-8", should, listener, kSection, trace, absence,
       "After a failure response the connection is ended gracefully.",
       "SMBD/A31: either side may close first; SMBD/A28: within 5 seconds", {{failure_keeps_connection, warning}}},
      {"SMBD-3.1.5.3-9", must, listener, kSection, trace, octets,
       "Nothing is sent behind a failure response.", "the connection was never established: 3.1.5.1"},
      {"SMBD-3.1.5.3-10", should, listener, kSection, none, octets,
       "CreditsRequested is SendCreditTarget.", "SMBD/A37: a value of the listener's own, which nothing else shows"},
      {"SMBD-3.1.5.3-11", must, listener, kSection, stimulus, octets,
       "CreditsGranted is the number of receives posted.", "that so many are taken, a case shows",
       {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
        grants_nothing, no_empty_grant, refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-3.1.5.3-12", must, listener, kSection, none, octets,
       "MaxReadWriteSize is the connection's.", "SMBD/A33; that it is kept to: SMBD-2.2.2-12"},
      {"SMBD-3.1.5.3-13", must, listener, kSection, none, octets,
       "PreferredSendSize is MaxSendSize.", "that it is kept to: SMBD-3.1.5.4-12"},
      {"SMBD-3.1.5.3-14", must, listener, kSection, none, octets,
       "MaxReceiveSize is the connection's.", "that such messages are taken: SMBD-2.2.2-19"},
      {"SMBD-3.1.5.3-15", must, listener, kSection, none, octets,
       "MaxFragmentedSize is MaxFragmentedRecvSize.", "that such messages are taken: SMBD-2.2.2-20"},
      {"SMBD-3.1.5.3-16", must, listener, kSection, stimulus, octets,
       "A failure response is given to the provider.", {}, {failure_not_sent, bad_negotiation_ignored}},
      {"SMBD-3.1.5.3-17", must, listener, kSection, stimulus, octets,
       "A response of success is given to the provider.", {},
       {sizes_signed, response_short, response_status_not_zero, response_missing, response_behind_data,
        refuses_reserved_bits}},
      {"SMBD-3.1.5.3-18", must, listener, kSection, api, octets,
       "The provider's result is returned to the caller.", "the upper layer sees it"},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SendingResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SendingResponseRules, I> {
};
