// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/faults/message_faults.h"

#include <optional>

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

// Calls `each` with the edits of the deviations.
template <class Each>
void for_each_edit(const Deviations& deviations, const Each& each) {
  for (std::size_t i = 0; i < kDeviationCount; ++i)
    if (deviations.has(static_cast<Deviation>(i))) each(message_edits()[i]);
}

// Calls each edit of this kind.
template <class Edit, class... Arguments>
void commit(const Deviations& deviations, Edit MessageEdit::*kind, Arguments&... arguments) {
  for_each_edit(deviations, [&](const MessageEdit& edit) {
    if (edit.*kind != nullptr) (edit.*kind)(arguments...);
  });
}

// Uses the request as received, without the progress of its answer.
Offender with_original_read(Offender offender) {
  if (offender.original_read) offender.read = offender.original_read;
  return offender;
}

}  // namespace

void apply_faults(const Deviations& deviations, OutgoingSegment& segment) {
  Control control = decode_control(segment.header.rsvd_ulp);
  for_each_edit(deviations, [&](const MessageEdit& edit) {
    if (edit.where == nullptr || !edit.where(segment)) return;
    if (edit.segment != nullptr) edit.segment(segment);
    if (edit.control != nullptr) edit.control(control);
  });
  segment.header.rsvd_ulp = encode_control(control);
}

mpa::FramingFaults framing_faults(const Deviations& deviations) {
  mpa::FramingFaults faults;
  commit(deviations, &MessageEdit::framing, faults);
  return faults;
}

void apply_faults(const Deviations& deviations, mpa::EnhancedData& data) {
  commit(deviations, &MessageEdit::enhanced, data);
}

void apply_faults(const Deviations& deviations, mpa::StartFrame& frame, OctetBuffer& private_data) {
  frame.private_data_length = static_cast<std::uint16_t>(private_data.size());
  commit(deviations, &MessageEdit::start, frame, private_data);
  frame.private_data = private_data;
}

OctetBuffer build_faulty_terminate(const Deviations& deviations, const ErrorCode& error, const Offender* offender) {
  std::optional<Offender> original;
  if (offender != nullptr && deviations.has(terminate_read_not_updated))
    offender = &original.emplace(with_original_read(*offender));
  const OctetBuffer honest = build_terminate(error, offender);
  OutgoingTerminate terminate{*decode_terminate(honest), offender};
  terminate.altered.assign(terminate.ddp_header.begin(), terminate.ddp_header.end());
  commit(deviations, &MessageEdit::terminate, terminate);

  OctetBuffer message;
  encode(terminate, message);
  commit(deviations, &MessageEdit::octets, message);
  return message;
}

}  // namespace wirelaw::rdmap
