// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.7.1: the RDMA transport loses the connection.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct LossRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.7.1-1", must, any, kSection, api, octets,
       "A side notifies its upper layer of a lost connection, no matter which side ended it.",
       "The upper layer sees it", {loss_not_reported}},
      {"SMBD-3.1.7.1-2", must, any, kSection, api, octets,
       "The notification tells the upper layer which connection was lost.", "The upper layer sees it",
       {loss_not_reported}},
      {"SMBD-3.1.7.1-3", must, any, kSection, stimulus, octets,
       "A side that loses a connection closes its endpoint of the RDMA provider.", "SMBD/A46; S-13, S-17",
       {endpoint_left_open}},
      {"SMBD-3.1.7.1-4", must, any, kSection, stimulus, octets,
       "A side discards all state of a lost connection: a new connection starts afresh.", "S-13",
       {no_message_arrives, response_short, response_status_not_zero, response_twice, response_missing,
        response_behind_data, begins_with_a_message, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::LossRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::LossRules, I> {
};
