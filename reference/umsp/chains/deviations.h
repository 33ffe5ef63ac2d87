// SPDX-License-Identifier: Apache-2.0
// The faults that either end of a session's chains can commit (reference/umsp/make_parts.h), each to prove that
// a rule or a case detects it.
#pragma once

#include <cstdint>
#include <span>

#include "reference/deviation_set.h"

namespace wirelaw::umsp {

enum class ChainEnd : std::uint8_t { receiver = 1, sender = 2 };

// all_chain_deviations() describes each one. In text, a name has hyphens.
enum class ChainDeviation : std::uint8_t {
  snd_cancel_with_header_ignored,
  snd_cancel_with_msg_ignored,
  snd_cancel_ignored,
  one_chain_at_a_time,
  disorder_executed,
  rest_executed,
  long_sequence_refused,
  nop_does_not_end,
  executes_what_it_can,
  exec_ignored,
  executed_is_cancelled,
  tre_not_executed,
  tre_forgotten_at_end,
  executed_over_time,
  time_over_unanswered,
  all_executed_at_end,
  waits_for_exec,
  transaction_executed_early,
  executes_without_exec,
  time_in_seconds,
  time_from_beginning,
  no_unlimited_time,
  exec_without_execution,
  exec_unanswered,
  exec_with_header_ignored,
  cancel_with_header_ignored,
  cancelled_comes_back,
  fragments_damaged,
  outside_held_back,
  thread_blocks,
  window_not_enforced,
  req_buf_with_header_ignored,
  short_buffer_refused,
  own_buffer_for_subordinated,
  sequence_needs_grant,
  sequence_buffered,
  overtaking_dropped,
  one_segment_buffered,
  fitting_needs_grant,
  each_answered,
  sequence_executed_at_end,
  fragments_executed_early,
  collected_in_part,
  window_not_cleared,
  acknowledged_by_rsp,
  answered_by_rsp_p,
  base_of_all_chains,
  base_in_first_octets,
  first_base_stays,
  base_twice_taken,
  life_time_counted_whole,
  assembly_not_counted,
  short_life_refused,
  life_time_not_passed,
  expired_executed,
  expired_unanswered,
  expired_always_answered,
  same_number,
  end_not_marked,
  rest_sent,
  sends_without_room,
  room_free_when_sent,
  req_id_of_vm_kept,
  room_never_free,
  req_id_not_restored,
  queue_not_counted,
  over_sequence_goes_on,
  over_fragments_go_on,
  own_life_time,
  life_time_left_out,
};
inline constexpr std::size_t kChainDeviationCount = static_cast<std::size_t>(ChainDeviation::life_time_left_out) + 1;

using ChainDeviationInfo = DeviationRow<ChainDeviation, ChainEnd>;
std::span<const ChainDeviationInfo> all_chain_deviations();
using ChainDeviations = DeviationSet<all_chain_deviations, kChainDeviationCount>;

}  // namespace wirelaw::umsp
