// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/conversation.h"

namespace wirelaw::verbs {
namespace {

using Clock = LiveClock::Steady;

// siw answers a request before it reads the following octets, and before its kernel knows the connection. An FPDU that
// arrives within this time may wait until the next one, and an end of the stream triggers a fault in the kernel. If
// only the initiator's first FPDU establishes a connection, the tester waits this long.
constexpr std::chrono::milliseconds kHaste{100};

}  // namespace

VerbsConversation::~VerbsConversation() {
  settle();
  // A kernel that waits for the rest of a start frame does not release the queue pair, so the stream ends first. The
  // exception is a connection that is accepted but not established, which the end would reach.
  if (!seat_.consumer->is_pending()) socket_.reset();
  session_.remove(&seat_);
}

void VerbsConversation::settle() {
  const Instant until = now() + kHaste;
  while (seat_.consumer->is_pending() && now() < until) {
    session_.wait({}, until);
    if (!session_.pump()) return;
  }
}

tl::expected<void, TransportError> VerbsConversation::accept() {
  if (socket_) return {};
  auto made = acceptor_->accept(Clock::now());
  if (!made) return tl::unexpected(made.error());
  if (*made) socket_ = std::move(**made);
  return {};
}

tl::expected<void, TransportError> VerbsConversation::send(Octets octets) {
  if (!socket_)
    return tl::unexpected(TransportError{"nobody has connected to " + tester() + " yet",
                                         "a listening tester answers; let the peer begin"});
  if (auto pumped = session_.pump(); !pumped) return pumped;
  if (auto sent = socket_->send(octets); !sent) return sent;
  return session_.pump();
}

tl::expected<std::optional<OctetBuffer>, TransportError> VerbsConversation::receive(Instant deadline) {
  while (true) {
    if (auto pumped = session_.pump(); !pumped) return tl::unexpected(pumped.error());
    if (auto accepted = accept(); !accepted) return tl::unexpected(accepted.error());
    if (socket_) {
      auto received = socket_->receive(Clock::now());
      if (!received || *received || socket_->ending() != Ending::none) {
        settle();
        return received;
      }
    }
    if (now() >= deadline) return std::nullopt;
    session_.wait({{.fd = socket_ ? socket_->descriptor() : acceptor_->descriptor(), .events = POLLIN, .revents = 0}},
                  deadline);
  }
}

void VerbsConversation::end(Ending ending) {
  settle();
  if (socket_) socket_->end(ending);
}

}  // namespace wirelaw::verbs
