// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/faults/segment_faults.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::uint8_t kReservedOpcode = 12;

bool is_send(Opcode opcode) {
  return opcode >= Opcode::send && opcode <= Opcode::send_se_invalidate;
}

void control_faults(const Deviations& deviations, OutgoingSegment& segment) {
  ddp::Header& header = segment.header;
  Control control = decode_control(header.rsvd_ulp);
  const auto become = [&](Opcode opcode) { control.opcode = static_cast<std::uint8_t>(opcode); };
  if (deviations.has(ddp_version_zero)) header.version = 0;
  if (deviations.has(ddp_version_two)) header.version = 2;
  if (deviations.has(ddp_reserved_set)) header.reserved = 0xf;
  if (deviations.has(rdmap_version_zero)) control.version = 0;
  if (deviations.has(rdmap_version_two)) control.version = 2;
  if (deviations.has(rdmap_reserved_set)) control.reserved = 3;
  if (is_send(segment.opcode)) {
    if (deviations.has(opcode_reserved)) control.opcode = kReservedOpcode;
    if (deviations.has(opcode_extension_unasked)) become(Opcode::immediate_data);
    if (deviations.has(rsvdulp_changes) && segment.index > 0) become(Opcode::send_se);
  }
  if (segment.opcode == Opcode::read_response && deviations.has(response_opcode_write)) become(Opcode::write);
  header.rsvd_ulp = encode_control(control);
}

void untagged_faults(const Deviations& deviations, bool extensions, OutgoingSegment& segment) {
  ddp::Header& header = segment.header;
  if (is_send(segment.opcode)) {
    if (deviations.has(queue_number_three)) header.qn = extensions ? 4 : 3;
    if (deviations.has(send_on_read_queue)) header.qn = kReadRequestQueue;
  }
  if (segment.opcode == Opcode::read_request && deviations.has(read_request_on_send_queue)) header.qn = kSendQueue;
  if (segment.opcode == Opcode::atomic_response && deviations.has(atomic_response_queue_zero)) header.qn = kSendQueue;
  if (segment.opcode == Opcode::terminate && deviations.has(terminate_on_send_queue)) header.qn = kSendQueue;
  if (segment.opcode == Opcode::terminate && deviations.has(terminate_msn_two)) header.msn += 1;
  if (deviations.has(msn_changes)) header.msn += segment.index;
  if (deviations.has(mo_wrong) && segment.index > 0) header.mo += 4;
  if (deviations.has(mo_from_one)) header.mo += 1;
  const OpcodeRow* const row = find_opcode(static_cast<std::uint8_t>(segment.opcode));
  if (deviations.has(invalidate_stag_not_zero) && row != nullptr && !row->invalidate_stag)
    header.rsvd_ulp_rest = 0xdeadbeef;
}

void tagged_faults(const Deviations& deviations, OutgoingSegment& segment) {
  ddp::Header& header = segment.header;
  if (deviations.has(to_wrong) && segment.index > 0) header.to += 4;
  if (deviations.has(stag_changes) && segment.index > 0) header.stag ^= 1;
  if (segment.opcode == Opcode::write && deviations.has(write_stag_unknown)) header.stag ^= 0x5a5a0000;
  if (segment.opcode == Opcode::write && deviations.has(write_untagged)) {
    header.tagged = false;
    header.qn = kSendQueue;
    header.msn = segment.msn;
    header.mo = segment.offset;
  }
}

}  // namespace

void apply_faults(const Deviations& deviations, bool extensions, OutgoingSegment& segment) {
  if (deviations.empty()) return;
  control_faults(deviations, segment);
  if (segment.header.tagged) {
    tagged_faults(deviations, segment);
  } else {
    untagged_faults(deviations, extensions, segment);
  }
  const bool response = segment.opcode == Opcode::read_response;
  if (deviations.has(last_early)) segment.header.last = true;
  if (deviations.has(last_missing) && (is_send(segment.opcode) || segment.opcode == Opcode::write))
    segment.header.last = false;
  if (deviations.has(response_last_missing) && response) segment.header.last = false;
}

mpa::FramingFaults framing_faults(const Deviations& deviations) {
  mpa::FramingFaults faults;
  if (deviations.empty()) return faults;
  if (deviations.has(crc_wrong)) faults.crc_xor = 1;
  if (deviations.has(ulpdu_length_wrong)) faults.length_add = 4;
  if (deviations.has(pad_not_zero)) faults.pad_fill = 0xff;
  if (deviations.has(marker_pointer_wrong)) faults.marker_pointer_xor ^= 4;
  if (deviations.has(marker_pointer_low_bits)) faults.marker_pointer_xor ^= 3;
  if (deviations.has(marker_reserved_set)) faults.marker_reserved = 0xffff;
  return faults;
}

}  // namespace wirelaw::rdmap
