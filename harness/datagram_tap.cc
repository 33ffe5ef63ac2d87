// SPDX-License-Identifier: Apache-2.0
#include "harness/datagram_tap.h"

namespace wirelaw {

tl::expected<void, TransportError> DatagramTap::send(Octets message) {
  auto sent = conversation_->send(message);
  if (sent) observe(message, false);
  return sent;
}

tl::expected<std::optional<OctetBuffer>, TransportError> DatagramTap::receive(Instant deadline) {
  auto received = conversation_->receive(deadline);
  if (received && *received) observe(**received, true);
  return received;
}

void DatagramTap::observe(Octets octets, bool from_iut) {
  if (messages_ == 0) {
    name_sides(from_iut);
    place_sides();
    locate_sides();
  }
  Message message{.octets = octets,
                  .wire_length = octets.size(),
                  .sender = side_of(from_iut),
                  .index = messages_++,
                  .time_ns = time_ns()};
  octets_ += octets.size();
  if (context_.recording) {
    RecordedFrame frame = frame_from(from_iut);
    frame.octets.assign(octets.begin(), octets.end());
    message.frame = context_.recording->add(std::move(frame));
  }
  if (from_iut) {
    ++from_iut_;
    keep_last(message);
  }
  list(message);
  judge([&](JudgedFlow& flow, Judge& to) { flow.observe(message, to); });
}

void DatagramTap::finish() {
  // An IUT that never stops talking does not keep the case from ending.
  constexpr unsigned kUnreadMessages = 10'000;
  for (unsigned i = 0; i < kUnreadMessages; ++i) {
    const auto unread = receive(now());
    if (!unread || !*unread) break;
  }
  if (any()) judge([](JudgedFlow& flow, Judge& to) { flow.finish(to); });
}

}  // namespace wirelaw
