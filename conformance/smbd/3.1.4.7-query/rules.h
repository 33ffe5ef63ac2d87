// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.7: the upper layer queries the negotiated values.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct QueryRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.7-1", must, any, kSection, api, octets,
       "Query Connection Parameters returns MaxSendSize.", "The upper layer sees it",
       {request_big_endian, response_preferred_above_request, response_big_endian, data_before_request}},
      {"SMBD-3.1.4.7-2", must, any, kSection, api, octets,
       "Query Connection Parameters returns MaxFragmentedSendSize.", "The upper layer sees it",
       {parameters_wrong, {message_above_fragmented_size, initiator}}},
      {"SMBD-3.1.4.7-3", must, any, kSection, api, octets,
       "Query Connection Parameters returns MaxReceiveSize.", "The upper layer sees it", {request_receive_size_low}},
      {"SMBD-3.1.4.7-4", must, any, kSection, api, octets,
       "Query Connection Parameters returns MaxReadWriteSize.", "The upper layer sees it", {read_write_size_wrong}},
      {"SMBD-3.1.4.7-5", must, any, kSection, api, octets,
       "Query Connection Parameters returns KeepaliveInterval.", "The upper layer sees it",
       {keepalive_interval_wrong}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::QueryRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::QueryRules, I> {
};
