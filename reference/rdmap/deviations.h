// SPDX-License-Identifier: Apache-2.0
// The deliberate faults that an RDMAP endpoint can be told to commit, in any of its layers, each to prove that a rule
// or a case sees it.
#pragma once

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace wirelaw::rdmap {

enum class Role : std::uint8_t { initiator = 1, responder = 2, both = 3 };

// What each one does stands in all_deviations(). A name in text is the name here with hyphens.
enum class Deviation : std::uint8_t {
  key_wrong,
  key_of_other_role,
  revision_zero,
  revision_three,
  start_reserved_set,
  rejected_bit_in_request,
  private_data_length_short,
  private_data_length_long,
  private_data_too_long,
  request_cut,
  request_twice,
  fpdu_before_reply,
  reply_before_request,
  reply_missing,
  reply_revision_one,
  reply_not_enhanced,
  reply_enhanced_unasked,
  fpdu_before_first,
  fpdu_after_rejection,
  rejects_everything,
  accepts_bad_key,
  accepts_any_revision,
  accepts_long_private_data,
  accepts_octets_behind_request,
  closes_on_reserved_bits,
  closes_on_rejected_bit_in_request,
  closes_on_revision_one,
  never_times_out,
  enhanced_a_not_echoed,
  enhanced_a_unasked,
  enhanced_no_rtr_bits,
  enhanced_rtr_bits_without_a,
  enhanced_ord_above_ird,
  enhanced_ird_zero,
  enhanced_3fff_answered,
  enhanced_little_endian,
  insufficient_ird_ignored,
  rtr_mismatch_ignored,
  rtr_missing,
  rtr_not_agreed,
  rtr_not_empty,
  crc_wrong,
  crc_off,
  crc_not_checked,
  crc_checked_unasked,
  pad_not_zero,
  ulpdu_length_wrong,
  markers_missing,
  markers_unasked,
  marker_pointer_wrong,
  marker_pointer_low_bits,
  marker_reserved_set,
  ulpdu_too_short,
  ulpdu_above_mulpdu,
  ddp_version_zero,
  ddp_version_two,
  ddp_reserved_set,
  last_missing,
  last_early,
  msn_from_zero,
  msn_skips,
  msn_repeats,
  msn_shared,
  msn_changes,
  mo_wrong,
  mo_from_one,
  to_wrong,
  stag_changes,
  rsvdulp_changes,
  queue_number_three,
  zero_length_in_two,
  rdmap_version_zero,
  rdmap_version_two,
  rdmap_reserved_set,
  invalidate_stag_not_zero,
  opcode_reserved,
  opcode_extension_unasked,
  send_on_read_queue,
  read_request_on_send_queue,
  read_request_short,
  read_request_long,
  write_untagged,
  messages_interleaved,
  send_lost,
  response_stag_wrong,
  response_to_wrong,
  responses_reordered,
  response_short,
  response_long,
  response_missing,
  response_twice,
  response_unasked,
  response_data_wrong,
  response_last_missing,
  response_opcode_write,
  zero_length_read_unanswered,
  zero_length_read_validated,
  zero_length_stag_cleared,
  exceeds_ord,
  exceeds_ird,
  ird_off_by_one,
  read_before_write,
  terminate_missing,
  terminate_missing_stays,
  reset_for_terminate,
  error_ignored,
  terminate_layer_wrong,
  terminate_layer_swapped,
  terminate_type_wrong,
  terminate_code_wrong,
  terminate_no_headers,
  terminate_r_set,
  terminate_d_clear,
  terminate_cut,
  terminate_tail,
  terminate_reserved_set,
  terminate_length_wrong,
  terminate_length_of_payload,
  terminate_header_altered,
  terminate_read_missing,
  terminate_read_not_updated,
  terminate_on_send_queue,
  terminate_msn_two,
  terminate_twice,
  terminate_answered,
  terminate_ignored,
  sends_after_terminate,
  stays_open_after_terminate,
  accepts_ddp_version,
  accepts_rdmap_version,
  accepts_opcode,
  accepts_later_opcode,
  accepts_queue_number,
  accepts_wrong_queue,
  accepts_msn,
  accepts_mo,
  accepts_too_long,
  accepts_without_buffer,
  accepts_stag,
  accepts_foreign_stag,
  accepts_bounds,
  accepts_wrap,
  accepts_access,
  accepts_marker,
  accepts_short_ulpdu,
  accepts_read_size,
  accepts_unasked_response,
  accepts_response_size,
  accepts_invalidation,
  invalidation_ignored,
  writes_not_placed,
  zero_length_write_checked,
  zero_length_send_not_counted,
  reserved_checked,
  pad_checked,
  bare_invalidate_stag_checked,
  buffer_short_by_one,
  dies_of_short_ulpdu,
  dies_of_bad_opcode,
  dies_of_bad_start,
  goes_silent,
  closes_inside_fpdu,
  closes_inside_message,
  resets_at_close,
  never_closes,
  extensions_refused,
  atomic_identifier_wrong,
  atomic_value_wrong,
  atomic_not_applied,
  atomic_alignment_ignored,
  atomic_response_queue_zero,
  atomic_reserved_set,
  immediate_seven_octets,
  accepts_immediate_size,
};

struct DeviationInfo {
  Deviation deviation;
  std::string_view name;
  Role role;              // who can commit it
  std::string_view rule;  // the section that it should be found to break
  std::string_view text;
};

std::span<const DeviationInfo> all_deviations();
const DeviationInfo& describe(Deviation deviation);
std::optional<Deviation> deviation_from_name(std::string_view name);

inline constexpr std::size_t kDeviationCount = static_cast<std::size_t>(Deviation::accepts_immediate_size) + 1;

// A set of faults, empty by default.
class Deviations {
 public:
  Deviations() = default;
  Deviations(std::initializer_list<Deviation> list) {
    for (const Deviation deviation : list) add(deviation);
  }

  Deviations& add(Deviation deviation) {
    set_.set(static_cast<std::size_t>(deviation));
    return *this;
  }
  bool has(Deviation deviation) const { return set_.test(static_cast<std::size_t>(deviation)); }
  bool empty() const { return set_.none(); }
  // Those that an endpoint of this role can commit.
  Deviations of(Role role) const;

 private:
  std::bitset<kDeviationCount> set_;
};

}  // namespace wirelaw::rdmap
