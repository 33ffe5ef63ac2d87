// SPDX-License-Identifier: Apache-2.0
// The faults that the RAMCloud endpoints can commit, each to prove that a rule or a case detects it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/deviation_set.h"

namespace wirelaw::ramcloud {

// all_deviations() describes each one. In text, a name has hyphens.
enum class Deviation : std::uint8_t {
  session_open_no_answer,
  open_response_empty,
  open_response_two_octets,
  open_response_direction_clear,
  open_response_other_client_hint,
  open_response_nibbles_swapped,
  big_endian_header,
  token_not_accepted,
  token_zero_in_data,
  token_changes,
  tokens_repeat,
  tokens_count_up,
  wrong_token_accepted,
  server_hint_changes,
  client_hint_not_echoed_in_data,
  client_hint_truncated_16,
  answers_on_other_channel,
  channel_out_of_range_executed,
  highest_channel_refused,
  rpc_id_off_by_one,
  old_rpc_executed,
  skipped_rpc_executed,
  response_before_request_complete,
  frag_number_from_one,
  frag_number_beyond_total_stored,
  total_frags_zero_in_response,
  total_frags_changes,
  total_mismatch_accepted,
  total_zero_executed,
  duplicate_fragment_appended,
  reorder_not_tolerated,
  direction_clear_in_data,
  direction_clear_in_ack,
  direction_ignored_on_receipt,
  no_ack,
  ack_five_octets,
  ack_seven_octets,
  ack_eight_octets_padded,
  ack_first_missing_beyond_total,
  ack_claims_unreceived,
  ack_staging_off_by_one,
  ack_staging_bits_reversed,
  ack_bits_beyond_total,
  ack_first_missing_not_lowest,
  ack_wrong_rpc,
  ack_wrong_channel,
  ack_unasked,
  ack_with_request_ack,
  please_drop_ignored,
  please_drop_ignored_on_open,
  please_drop_acked,
  please_drop_sent,
  reserved1_sent,
  reserved1_dies,
  reserved_type_sent,
  reserved_type_dies,
  short_packet_dies,
  short_ack_dies,
  ack_past_end_dies,
  bad_session_with_payload,
  bad_session_not_sent,
  bad_session_wrong_client_hint,
  bad_session_for_valid,
  executes_bad_session,
  re_executes_duplicate,
  no_stored_response,
  stored_response_one_per_session,
  resends_everything_on_ack,
  ignores_unsolicited_ack,
  sessions_share_channels,
  one_rpc_at_a_time,
  payload_altered,
  retransmit_differs,
  response_for_incomplete_after_ack,
  data_before_open_response,
  open_with_payload,
  open_nibbles_swapped,
  token_not_used,
  token_alternates,
  client_hint_changes,
  server_hint_not_echoed,
  channel_beyond_max,
  rpc_id_starts_at_one,
  rpc_id_steps_by_two,
  rpc_id_not_reset_on_reopen,
  next_rpc_before_response,
  total_frags_zero,
  direction_set,
  sends_bad_session,
  never_retransmits,
  never_gives_up,
  resends_everything,
  resend_differs,
  no_unsolicited_ack,
  partial_response_accepted,
  wrong_token_response_accepted,
  wrong_rpc_response_accepted,
  wrong_channel_response_accepted,
  old_session_after_bad_session,
  duplicate_response_fragment_appended,
  response_reorder_not_tolerated,
  executes_twice_when_asked,
  empty_open_response_dies,
  reopens_for_ever,
  long_ack_dies,
  bound_too_high,
  bad_session_dies,
  open_payload_dies,
  total_zero_acknowledged,
  next_rpc_dies,
  silent_once_acknowledged,
  old_octets_in_repeated_request,
  response_beyond_end_taken,
};

inline constexpr std::size_t kDeviationCount = static_cast<std::size_t>(Deviation::response_beyond_end_taken) + 1;

using DeviationInfo = DeviationRow<Deviation>;
std::span<const DeviationInfo> all_deviations();
using Deviations = DeviationSet<all_deviations, kDeviationCount>;

inline const DeviationInfo& describe(Deviation deviation) {
  return Deviations::describe(deviation);
}
inline std::optional<Deviation> deviation_from_name(std::string_view name) {
  return Deviations::named(name);
}

}  // namespace wirelaw::ramcloud
