// SPDX-License-Identifier: Apache-2.0
// The faults of a node in receiving from its connections (reference/umsp/make_node.h), each to prove that a rule or a
// case of RFC 3018, sections 2 to 4, 5.3.4 and 8, detects it.
#pragma once

#include <cstdint>
#include <span>

#include "reference/deviation_set.h"

namespace wirelaw::umsp {

// The side of the node with the fault: what it accepts, what it sends, or both.
enum class NodeSide : std::uint8_t { takes = 1, sends = 2, both = 3 };

// all_node_deviations() describes each one. In text, a name has hyphens.
enum class NodeDeviation : std::uint8_t {
  // connections, jobs and sessions: 2, 3.4
  tcp_unserved,
  udp_unserved,
  one_connection_of_node,
  session_kept_on_connection,
  connection_end_ends_sessions,
  one_session_of_node,
  split_instructions_lost,
  one_of_segment,
  one_of_datagram,
  datagrams_without_session_ignored,
  datagrams_answered,
  seek_by_datagram_refused,
  task_for_each_session,
  one_gjid_for_all,
  // headers: 3, 3.1
  extended_form_refused,
  empty_extended_form_refused,
  seven_words_taken,
  long_headers_ignored,
  same_session_ignored,
  same_number_taken,
  previous_session_kept,
  unknown_session_guessed,
  unknown_length_ignored,
  unknown_ends_connection,
  unknown_unanswered,
  nop_unanswered,
  answers_unasked,
  // extension headers and operands: 3.2, 3.3, 8
  obligatory_headers_ignored,
  management_in_datagrams_taken,
  obligatory_header_unanswered,
  unknown_headers_refused,
  headers_behind_unknown_ignored,
  reserved_bits_checked,
  last_header_overlooked,
  many_headers_executed,
  many_headers_refused,
  extended_heads_refused,
  alignment_refused,
  second_msg_refused,
  data_taken_for_text,
  short_operands_filled,
  nonsense_ends_connection,
  // responses: 4
  req_id_in_one_session,
  req_id_of_jcp_ignored,
  unasked_responses_end_session,
  responses_dropped,
  responses_with_headers_ignored,
  msg_means_error,
  empty_response_negative,
  additional_code_means_error,
  // profiles: 5.3.4
  comparison_offered_alone,
  profile_ignored,
  long_data_refused,
  executions_answered_by_rsp_p,
};
inline constexpr std::size_t kNodeDeviations =
    static_cast<std::size_t>(NodeDeviation::executions_answered_by_rsp_p) + 1;

std::span<const DeviationRow<NodeDeviation, NodeSide>> all_node_deviations();
using NodeDeviations = DeviationSet<all_node_deviations, kNodeDeviations>;

}  // namespace wirelaw::umsp
