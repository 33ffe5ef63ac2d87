// SPDX-License-Identifier: Apache-2.0
// The faults of a control point and of a node in managing jobs and tasks (make_jobs.h), each to prove that a rule or a
// case of RFC 3018, sections 5 to 5.7, detects it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/deviation_set.h"

namespace wirelaw::umsp {

// The role that commits the fault.
enum class JobRole : std::uint8_t { control = 1, node = 2 };

// all_job_deviations() describes each one. In text, a name has hyphens.
enum class JobDeviation : std::uint8_t {
  task_end_not_notified,
  task_notice_held,
  job_notice_behind_confirm,
  ltid_never_again,
  gjid_of_other_node,
  padded_ctid_unknown,
  control_req_unanswered,
  control_req_with_extension_ignored,
  control_req_with_name_ignored,
  control_req_with_inaction_ignored,
  no_life_time_is_short,
  cmt_refused,
  job_name_changes,
  former_job_overlooked,
  former_job_not_notified,
  repeated_job_refused,
  other_job_ended,
  task_reg_unanswered,
  task_reg_with_extension_ignored,
  task_reg_with_inaction_refused,
  registration_refused,
  unknown_opener_confirmed,
  known_ltid_confirmed,
  unknown_job_confirmed,
  check_with_extension_ignored,
  check_refused,
  unknown_check_confirmed,
  terminate_with_extension_ignored,
  terminate_not_notified,
  one_node_without_task_notice,
  ended_node_notified,
  task_notice_without_end,
  task_notice_with_ctid,
  task_notice_codes_changed,
  completed_with_extension_ignored,
  life_time_ignored,
  life_end_silent,
  shut_down_silent,
  job_end_not_notified,
  one_node_without_job_notice,
  job_notice_without_end,
  job_notice_codes_changed,
  initiator_notified_last,
  nodes_not_watched,
  silent_initiator_ignored,
  silent_node_not_notified,
  old_gjid_again,
  no_period_set,
  former_tasks_overlooked,
  former_tasks_not_notified,
  task_notice_behind_confirm,
  asks_other_ltid,
  new_task_stops_check,
  gives_up_early,
  silence_tolerated,
  reserved_state_checked,
  older_tasks_not_asked,
  reload_not_waited_for,
  later_tasks_not_asked,
  unlinked_node_given_up,
  gjid_altered,
  padded_ltid_unknown,
  job_not_registered,
  control_req_misdirected,
  control_confirm_answered,
  control_confirm_with_extension_ignored,
  first_task_registered,
  control_reject_5_ignored,
  control_reject_4_ignored,
  control_reject_answered,
  control_reject_with_extension_ignored,
  begins_unsanctioned,
  jcp_needs_sanction,
  registers_at_opener,
  registers_other_ctid,
  registers_own_gtid,
  task_confirm_answered,
  task_confirm_with_extension_ignored,
  rejected_task_begins,
  task_reject_answered,
  task_reject_with_extension_ignored,
  checks_at_opener,
  checks_new_task,
  former_task_goes_on,
  opened_again_admitted,
  sessions_not_abended,
  terminate_misdirected,
  terminate_not_sent,
  terminate_with_first_ctid,
  terminated_task_goes_on,
  node_sends_notice,
  task_notice_with_extension_ignored,
  node_end_not_reported,
  completion_not_sent,
  sessions_kept_after_job,
  job_notice_ignored,
  job_notice_with_extension_ignored,
  job_notice_without_codes_ignored,
  job_notice_with_codes_ignored,
  inaction_always_named,
  node_asks_state,
  state_req_unanswered,
  jcp_given_up_early,
  state_misdirected,
  sessions_denied,
  sessions_invented,
  resources_invented,
  completed_task_denied,
  reload_misdirected,
  reload_denied,
  waits_for_ever,
  task_confirm_with_any_extension_ignored,
  reload_for_every_task,
};

inline constexpr std::size_t kJobDeviationCount = static_cast<std::size_t>(JobDeviation::reload_for_every_task) + 1;

using JobDeviationInfo = DeviationRow<JobDeviation, JobRole>;
std::span<const JobDeviationInfo> all_job_deviations();
using JobDeviations = DeviationSet<all_job_deviations, kJobDeviationCount>;

}  // namespace wirelaw::umsp
