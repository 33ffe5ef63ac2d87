// SPDX-License-Identifier: Apache-2.0
#include "harness/watched_stream.h"

namespace wirelaw {

bool WatchedStream::has_opened() {
  if (opened_ || conversation_->iut().empty()) return false;
  opened_ = true;
  name_sides(iut_connects_);
  locate_sides();
  return true;
}

void WatchedStream::feed(const StreamPiece& piece) {
  watch([&](JudgedFlow& flow, Judge& to) { flow.observe(piece, to); });
}

void WatchedStream::finish_observer() {
  watch([](JudgedFlow& flow, Judge& to) { flow.finish(to); });
}

void WatchedStream::read_unread() {
  constexpr std::uint64_t kUnreadOctets = 64u << 20;
  constexpr unsigned kUnreadPieces = 100'000;
  std::uint64_t octets = 0;
  for (unsigned i = 0; i < kUnreadPieces && octets < kUnreadOctets && !over_; ++i) {
    const auto unread = receive(now());
    if (!unread || !*unread) return;
    octets += (*unread)->size();
  }
}

template <class Observing>
void WatchedStream::watch(const Observing& observe) {
  context_.judge.listen([this](const Message& message) { found(message); });
  judge([&](JudgedFlow& flow, Judge& to) {
    observe(flow, to);
    messages_ = flow.stream_messages();
  });
  context_.judge.listen({});
}

void WatchedStream::found(const Message& message) {
  const bool from_iut = is_from_iut(message.sender);
  list(message);
  if (!from_iut) return;
  ++from_iut_;
  keep_last(message);
}

}  // namespace wirelaw
