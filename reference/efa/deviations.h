// SPDX-License-Identifier: Apache-2.0
// The deliberate faults that the EFA RDM endpoint can be told to commit, each to prove that a rule or a case sees it.
// A few are no faults but the other reading of an interpretation: they prove that it is accepted.
#pragma once

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace wirelaw::efa {

// The side of an operation on which a fault shows. The requester calls for it: it sends the REQ packets.
enum class Role : std::uint8_t { responder = 1, requester = 2, both = 3 };

// What each one does stands in all_deviations(). A name in text is the name here with hyphens.
enum class Deviation : std::uint8_t {
  version_three,
  undefined_flag,
  big_endian,
  trailing_octets,
  payload_altered,
  sends_deprecated_type,
  sends_reserved_type,
  sends_unassigned_type,
  no_handshake,
  handshake_late,
  handshake_only_to_requests,
  handshake_twice,
  handshake_to_every_request,
  handshake_count_low,
  handshake_count_of_ids,
  handshake_without_extra_info,
  handshake_undefined_bit,
  handshake_connid_wrong,
  handshake_connid_unpadded,
  handshake_blocks_swapped,
  handshake_space_reserved,
  handshake_truncated,
  raw_address_missing,
  raw_address_kept,
  raw_address_short,
  raw_address_size_beyond,
  raw_address_wrong_gid,
  raw_address_wrong_qpn,
  raw_address_wrong_connid,
  raw_address_behind_cq_data,
  connid_before_cq_data,
  connid_wrong,
  connid_unannounced,
  connid_not_sent,
  connid_padded,
  constant_header_ignored,
  msg_flag_missing,
  tagged_flag_missing,
  tagged_flag_on_untagged,
  atomic_flag_missing,
  rma_flag_set,
  msg_flag_on_write,
  msg_id_starts_at_one,
  msg_id_skips,
  msg_id_repeats,
  msg_id_per_kind,
  msg_id_skips_zero,
  medium_offset_zero,
  medium_length_changes,
  medium_beyond_length,
  medium_segment_missing,
  medium_segment_twice,
  credit_request_zero,
  longcts_length_short,
  longcts_length_long,
  data_before_cts,
  data_beyond_window,
  cts_never,
  cts_not_again,
  cts_early,
  cts_twice,
  cts_length_zero,
  cts_length_beyond,
  cts_wrong_send_id,
  cts_recv_id_changes,
  cts_read_flag_set,
  cts_read_flag_clear,
  ctsdata_wrong_recv_id,
  ctsdata_length_long,
  ctsdata_length_short,
  ctsdata_offset_zero,
  ctsdata_offset_shifted,
  ctsdata_missing,
  ctsdata_twice,
  rtw_data_short,
  rtw_wrong_key,
  rtw_length_differs,
  write_not_placed,
  rtr_with_data,
  rtr_cq_data,
  rtr_length_differs,
  rtr_recv_length_zero,
  short_rtr_too_long,
  readrsp_missing,
  readrsp_twice,
  readrsp_wrong_recv_id,
  readrsp_length_wrong,
  atomic_type_undefined,
  atomic_op_undefined,
  atomic_op_of_other_call,
  atomic_operand_short,
  atomic_wrong_result,
  atomic_done_twice,
  atomics_in_arrival_order,
  atomrsp_missing,
  atomrsp_twice,
  atomrsp_wrong_recv_id,
  atomrsp_length_wrong,
  atomrsp_to_write,
  extras_before_handshake,
  extras_not_announced,
  receipt_missing,
  receipt_twice,
  receipt_wrong_send_id,
  receipt_wrong_msg_id,
  receipt_early,
  receipt_unasked,
  longread_with_data,
  longread_length_differs,
  longread_without_iov,
  eor_missing,
  eor_early,
  eor_twice,
  eor_wrong_send_id,
  eor_of_twelve_octets,
  runt_length_changes,
  runt_offset_zero,
  runt_missing,
  nack_not_announced,
  nack_early,
  nack_twice,
  nack_wrong_send_id,
  nack_not_followed,
  nacked_with_data,
  nacked_new_msg_id,
  nacked_length_differs,
  nacked_flag_missing,
  delivers_in_arrival_order,
  reorder_not_tolerated,
  wrap_not_tolerated,
  duplicates_delivered,
  unexpected_lost,
  tag_ignored,
  wrong_connid_accepted,
  dies_of_short_packet,
  dies_of_unknown_type,
  dies_of_other_version,
  dies_of_undefined_flag,
  dies_of_undefined_extra_info,
  dies_of_trailing_handshake,
  dies_of_second_handshake,
  dies_of_long_raw_address,
  dies_of_duplicate,
  dies_of_unknown_id,
  dies_of_zero_window,
  dies_of_empty_write,
  dies_of_bad_key,
};

struct DeviationInfo {
  Deviation deviation;
  std::string_view name;
  Role role;                 // where it shows
  std::string_view section;  // of the document
  std::string_view text;
};

std::span<const DeviationInfo> all_deviations();
const DeviationInfo& describe(Deviation deviation);
std::optional<Deviation> deviation_from_name(std::string_view name);

inline constexpr std::size_t kDeviationCount = static_cast<std::size_t>(Deviation::dies_of_bad_key) + 1;

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
  // Those that show on this side of an operation.
  Deviations of(Role role) const;

 private:
  std::bitset<kDeviationCount> set_;
};

}  // namespace wirelaw::efa
