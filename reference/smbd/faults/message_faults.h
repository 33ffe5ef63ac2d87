// SPDX-License-Identifier: Apache-2.0
// Encodes messages of an endpoint with deviations: faults in their fields and octets.
#pragma once

#include <cstdint>
#include <span>

#include "reference/smbd/deviations.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {

// The state in which a Data Transfer is sent.
struct Surroundings {
  bool first = false;  // the message is the first, or only, fragment of an upper-layer message
  bool last = false;
  std::uint32_t first_remaining = 0;  // RemainingDataLength of the first fragment
  std::uint32_t most_octets = 0;      // maximum length of the message
  std::uint32_t most_fragmented = 0;  // the peer's MaxFragmentedSize
  std::uint32_t receive_credits = 0;  // number of credits that the peer has
  std::uint32_t missing_credits = 0;  // number of credits that the sender lacks to reach its target
};

// A Data Transfer before it is encoded.
struct Draft {
  DataTransfer message;
  OctetBuffer padding;
  Surroundings around;
};

// What a deviation changes in an outgoing message. One function is set, or none.
struct MessageEdit {
  void (*request)(NegotiateRequest&) = nullptr;
  void (*success)(NegotiateResponse&, std::uint32_t request_receive_size) = nullptr;
  void (*failure)(NegotiateResponse&) = nullptr;
  bool (*where)(const Draft&) = nullptr;  // the Data Transfers that `data` changes
  void (*data)(Draft&) = nullptr;
  MessageType type = {};  // the messages whose octets `octets` changes
  void (*octets)(MessageType, OctetBuffer&) = nullptr;
};
// The edits of all deviations, in the order of the enumeration.
std::span<const MessageEdit> message_edits();

OctetBuffer encode_with_faults(const NegotiateRequest& request, const Deviations& deviations);
// `request_receive_size`: the MaxReceiveSize of the request.
OctetBuffer encode_with_faults(const NegotiateResponse& response, std::uint32_t request_receive_size,
                               const Deviations& deviations);
OctetBuffer encode_with_faults(const DataTransfer& message, const Surroundings& around, const Deviations& deviations);

}  // namespace wirelaw::smbd
