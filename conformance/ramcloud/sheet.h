// SPDX-License-Identifier: Apache-2.0
// Common definitions of the rule sheets of RAMCloud RPC. Each field of the header and each payload format has a folder,
// named as in the ids of its rules.
#pragma once

#include "conformance/sheet.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {

struct Words : SheetWords {
  using enum Deviation;
  static constexpr Role client = Role::initiator;
  static constexpr Role server = Role::responder;

  // A server with one of these opens no session that a client can use.
  static constexpr DeviationGroup no_session_opens =
      kDeviationGroup<session_open_no_answer, open_response_empty, open_response_direction_clear,
                      open_response_other_client_hint, open_response_nibbles_swapped, big_endian_header>;
  // If the server has one of these, no RPC with the server completes correctly.
  static constexpr DeviationGroup no_rpc_completes =
      kDeviationGroup<token_not_accepted, answers_on_other_channel, client_hint_not_echoed_in_data, rpc_id_off_by_one,
                      frag_number_from_one, total_frags_zero_in_response, direction_clear_in_data,
                      bad_session_for_valid, payload_altered>;
  // If a peer has one of these, both fields of an ACK have wrong values, or are read wrongly.
  static constexpr DeviationGroup wrong_acks =
      kDeviationGroup<ack_five_octets, ack_eight_octets_padded, ack_first_missing_beyond_total, ack_claims_unreceived,
                      ack_staging_off_by_one, ack_staging_bits_reversed, ack_first_missing_not_lowest>;
};

}  // namespace wirelaw::ramcloud
