// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/faults/message_faults.h"

namespace wirelaw::smbd {
namespace {

// Calls the edit of each deviation, if it has one of this kind.
template <class Edit, class... Arguments>
void commit(const Deviations& deviations, Edit MessageEdit::*kind, Arguments&&... arguments) {
  for (std::size_t i = 0; i < kDeviationCount; ++i)
    if (const Edit edit = message_edits()[i].*kind; edit != nullptr && deviations.has(static_cast<Deviation>(i)))
      edit(arguments...);
}

OctetBuffer with_octet_faults(MessageType type, OctetBuffer octets, const Deviations& deviations) {
  for (std::size_t i = 0; i < kDeviationCount; ++i) {
    const MessageEdit& edit = message_edits()[i];
    if (edit.octets != nullptr && edit.type == type && deviations.has(static_cast<Deviation>(i)))
      edit.octets(type, octets);
  }
  return octets;
}

}  // namespace

OctetBuffer encode_with_faults(const NegotiateRequest& request, const Deviations& deviations) {
  NegotiateRequest message = request;
  commit(deviations, &MessageEdit::request, message);
  return with_octet_faults(MessageType::negotiate_request, encode(message), deviations);
}

OctetBuffer encode_with_faults(const NegotiateResponse& response, std::uint32_t request_receive_size,
                               const Deviations& deviations) {
  NegotiateResponse message = response;
  if (message.status != status::kSuccess)
    commit(deviations, &MessageEdit::failure, message);
  else
    commit(deviations, &MessageEdit::success, message, request_receive_size);
  return with_octet_faults(MessageType::negotiate_response, encode(message), deviations);
}

OctetBuffer encode_with_faults(const DataTransfer& message, const Surroundings& around, const Deviations& deviations) {
  Draft draft{
      .message = message, .padding = OctetBuffer(message.padding.begin(), message.padding.end()), .around = around};
  for (std::size_t i = 0; i < kDeviationCount; ++i) {
    const MessageEdit& edit = message_edits()[i];
    if (edit.data != nullptr && deviations.has(static_cast<Deviation>(i)) && edit.where(draft)) edit.data(draft);
  }
  draft.message.padding = draft.padding;
  return with_octet_faults(MessageType::data_transfer, encode(draft.message), deviations);
}

}  // namespace wirelaw::smbd
