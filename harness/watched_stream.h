// SPDX-License-Identifier: Apache-2.0
// The base of all taps on a connection, for every source of streams. The observer gets pieces of the streams and finds
// the messages in them.
#pragma once

#include "harness/flow_tap.h"

namespace wirelaw {

class WatchedStream : public FlowTap {
 public:
  bool any() const override { return opened_; }
  std::uint64_t messages() const override { return messages_; }
  std::uint64_t from_iut() const override { return std::max<std::uint64_t>(from_iut_, heard_ ? 1 : 0); }

 protected:
  WatchedStream(std::unique_ptr<Conversation> conversation, TapContext& context)
      : FlowTap(std::move(conversation), context) {}

  // Returns true once: when the connection and both its ends are known.
  bool has_opened();
  void feed(const StreamPiece& piece);
  void finish_observer();
  // Reads what has arrived and was not read. An IUT that never stops sending does not keep the case from ending.
  void read_unread();

  bool opened_ = false;
  bool heard_ = false;  // the IUT has sent something, at least its end
  bool over_ = false;   // the stream has ended

 private:
  // Passes octets to the observer, and records the messages that it finds.
  template <class Observing>
  void watch(const Observing& observe);
  void found(const Message& message);

  std::uint64_t messages_ = 0;
  std::uint64_t from_iut_ = 0;
};

}  // namespace wirelaw
