// SPDX-License-Identifier: Apache-2.0
// The faults of a node in its sessions and in its search for VMs (reference/umsp/make_node.h), each to prove that a
// rule or a case of RFC 3018, sections 5.3, 5.4, 5.8 and 9, detects it.
#pragma once

#include <cstdint>
#include <span>

#include "reference/deviation_set.h"

namespace wirelaw::umsp {

// all_session_deviations() describes each one. In text, a name has hyphens.
enum class SessionDeviation : std::uint8_t {
  open_unanswered,
  open_with_headers_ignored,
  open_before_accept,
  window_zero_overlooked,
  opener_ltid_changed,
  opened_for_another_job,
  one_task_for_all,
  one_session_of_a_task,
  task_registered_again,
  vm_not_chosen,
  announced_vm_refused,
  sides_alike,
  one_session_per_connection,
  session_bound_to_connection,
  accepted_not_open,
  accept_ignored,
  accept_with_headers_ignored,
  reject_ignored,
  reject_with_headers_ignored,
  former_task_kept,
  jcp_asked_again,
  jcp_refused_again,
  second_session_accepted,
  refusal_ends_session,
  zero_session_unserved,
  zero_session_needs_open,
  zero_open_registered,
  zero_open_countered,
  zero_open_unanswered,
  zero_open_makes_session,
  close_unanswered,
  close_with_headers_ignored,
  close_without_operands_ignored,
  close_of_unknown_taken,
  closing_not_cancelled,
  response_cancels_closing,
  abend_ignored,
  abend_with_headers_ignored,
  abend_without_operands_ignored,
  agreed_closing_unfinished,
  refused_closing_ends,
  closing_times_out,
  vm_req_unanswered,
  vm_req_by_datagram_ignored,
  vm_req_answered_by_tcp,
  vm_req_without_ask_ignored,
  vm_req_with_headers_ignored,
  vm_req_for_all_unanswered,
  vm_req_for_one_gets_all,
  vm_req_for_group_unanswered,
  greatest_version_unnamed,
  name_unanswered,
  group_as_one_vm,
  vms_in_one_notification,
  vm_notif_answered,
  unusual_vm_notif_refused,
};
inline constexpr std::size_t kSessionDeviations =
    static_cast<std::size_t>(SessionDeviation::unusual_vm_notif_refused) + 1;

std::span<const DeviationRow<SessionDeviation>> all_session_deviations();
using SessionDeviations = DeviationSet<all_session_deviations, kSessionDeviations>;

}  // namespace wirelaw::umsp
