// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/faults/start_frame_faults.h"

namespace wirelaw::rdmap {

using enum Deviation;

void apply_faults(const Deviations& deviations, mpa::EnhancedData& data) {
  const auto set_rtr = [&](bool value) { data.rtr_send = data.rtr_write = data.rtr_read = value; };
  if (deviations.has(enhanced_a_not_echoed)) {
    data.peer_to_peer = false;
    set_rtr(false);
  }
  if (deviations.has(enhanced_a_unasked)) data.peer_to_peer = data.rtr_write = true;
  if (deviations.has(enhanced_no_rtr_bits)) {
    data.peer_to_peer = true;
    set_rtr(false);
  }
  if (deviations.has(enhanced_rtr_bits_without_a)) {
    data.peer_to_peer = false;
    set_rtr(true);
  }
}

void apply_faults(const Deviations& deviations, mpa::StartFrame& frame, OctetBuffer& private_data) {
  if (deviations.has(key_of_other_role))
    frame.key = mpa::key_of(frame.key == mpa::key_of(mpa::FrameKind::request) ? mpa::FrameKind::reply
                                                                              : mpa::FrameKind::request);
  if (deviations.has(key_wrong)) frame.key.back() ^= 0x20;
  if (deviations.has(revision_zero)) frame.revision = 0;
  if (deviations.has(revision_three)) frame.revision = 3;
  if (deviations.has(start_reserved_set)) frame.reserved = 0xf;
  if (deviations.has(rejected_bit_in_request)) frame.rejected = true;

  if (deviations.has(private_data_too_long)) private_data.resize(mpa::kMaxPrivateData + 1, 0x5a);
  if (deviations.has(private_data_length_short) && private_data.empty()) private_data.push_back(0x5a);
  frame.private_data_length = static_cast<std::uint16_t>(private_data.size());
  if (deviations.has(private_data_length_short)) --frame.private_data_length;
  if (deviations.has(private_data_length_long))
    frame.private_data_length = static_cast<std::uint16_t>(frame.private_data_length + 4);
  frame.private_data = private_data;
}

}  // namespace wirelaw::rdmap
