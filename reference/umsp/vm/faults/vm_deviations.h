// SPDX-License-Identifier: Apache-2.0
// The faults that a virtual machine can commit (reference/umsp/make_parts.h), each to prove that a rule or a case
// detects it.
#pragma once

#include <cstdint>
#include <span>

#include "reference/deviation_set.h"

namespace wirelaw::umsp {

// The side of the VM with the fault: the execution of others' instructions, or its threads' requests to others.
enum class VmSide : std::uint8_t { executes = 1, asks = 2, both = 3 };

// all_vm_deviations() describes each one. In text, a name has hyphens.
enum class VmDeviation : std::uint8_t {
  opr_length_ignored,
  req_id_checked,
  answers_responses,
  repeats_requests,
  times_out_syn,
  thread_waits_for_ever,
  one_memory_for_all,
  other_jobs_memory,
  address24_first,
  address24_octet_ignored,
  address16_first,
  address16_octets_ignored,
  base_ignored,
  short_without_base,
  short_not_filled,
  longer_cut,
  sender_vm_ignored,
  parameters_least_first,
  code_of_any_vm,
  smaller_versions_refused,
  words_converted,
  req_data_refused_as_data,
  data_length_checked,
  write_done_negative,
  write_refused_positive,
  write_padding,
  write_ext_done_negative,
  write_ext_refused_positive,
  cmp_padding,
  cmp_unequal_negative,
  cmp_less_is_more,
  cmp_empty_is_less,
  cmp_equal_is_more,
  cmp_more_is_less,
  cmp_refused_positive,
  jump_bad_address_taken,
  jump_refused,
  return_data_demanded,
  exception_returns,
  exception_silent,
  return_length_checked,
  return_in_own_format,
  code_apart,
  alignment_demanded,
  allocates_nothing,
  code_looked_into,
  moved_code_not_run,
  address_behind,
  free_ignored,
  task_end_keeps_memory,
  run_code_looked_into,
  run_code_kept,
  syn_reports_again,
  syn_initial_ignored,
  syn_mask_inverted,
  syn_mask_ignored,
  syn_bad_address_silent,
  syn_reports_unchanged,
  syn_never_reports,
  syn_reports_old_data,
  nop_operands_refused,
  nop_headers_refused,
  common_objects_hidden,
  transient_objects_shared,
  transient_objects_without_session,
  offset_from_four,
  object_beyond_addresses,
  realization_exact,
  any_version_refused,
  user_objects_made,
  objects_not_made,
  pointers_kept,
  number_nearest,
  object_names_refused,
  user_objects_named,
  number_twice,
  name_twice,
  new_demands_name,
  sys_new_of_one_job,
  new_refused_positive,
  new_looked_into,
  new_without_session,
  new_of_any_vm,
  new_version_filled,
  new_name_lost,
  task_end_keeps_objects,
  deletes_of_others,
  name_leads_elsewhere,
  name_of_jobs_shared,
  get_name_refused,
  seek_refused,
  seek_missing_found,
  seek_without_session_ignored,
  seek_without_session_in_jobs,
  seek_other_req_id,
  get_name_missing_found,
  obj_req_data_refused_as_data,
  obj_write_done_negative,
  obj_write_refused_positive,
  obj_write_padding,
  obj_write_ext_done_negative,
  obj_write_ext_refused_positive,
  obj_cmp_padding,
  obj_cmp_refused_positive,
  call_bnum_missing_returns,
  call_bname_missing_returns,
  user_procedures_named,
  user_procedures_not_called,
  allocates_without_session,
};

inline constexpr std::size_t kVmDeviationCount = static_cast<std::size_t>(VmDeviation::allocates_without_session) + 1;

// `rule` has the number of the catalogue's rule, "6.1.1-10" of UMSP-6.1.1-10, or a section.
using VmDeviationInfo = DeviationRow<VmDeviation, VmSide>;
std::span<const VmDeviationInfo> all_vm_deviations();
using VmDeviations = DeviationSet<all_vm_deviations, kVmDeviationCount>;

}  // namespace wirelaw::umsp
