// SPDX-License-Identifier: Apache-2.0
// A conversation with a listener on the line: every message goes to the protocol's observer, which judges the IUT's
// side of it, and to the recording. A live run is judged by the same observer as a capture.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "conformance/judge.h"
#include "conformance/protocol.h"
#include "harness/environment.h"
#include "harness/recording.h"

namespace wirelaw {

// What the taps of a run share.
struct TapContext {
  const Protocol& protocol;
  Judge& judge;
  Recording* recording = nullptr;
  std::string transport;      // as it stands before a flow's addresses: "udp"
  std::int64_t epoch_ns = 0;  // Message::time_ns at Instant{0}
  std::uint64_t flows = 0;    // so far: numbers them
  ObserverLimits limits;
};

class FlowTap {
 public:
  FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context);

  tl::expected<void, CarriageError> send(Octets message);
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline);
  Instant now() const { return conversation_->now(); }

  // Reads what has arrived and nobody has asked for, and lets the observer judge the flow's end.
  void finish();

  // The judge's next finding is about the IUT and this flow: its last message, or, where `silence`, none.
  void point_judge_at_last(bool silence);

  FlowResult result() const;
  std::uint64_t messages() const { return messages_; }
  std::uint64_t from_iut() const { return from_iut_; }
  // The last messages, a line each.
  std::string tail() const;

 private:
  void observe(Octets octets, bool from_iut);
  void enter() { context_.judge.enter_flow(names_); }
  void name_sides();

  std::unique_ptr<Conversation> conversation_;
  TapContext& context_;
  std::unique_ptr<Observer> observer_;
  FlowNames names_;
  bool iut_spoke_first_ = false;
  std::uint64_t messages_ = 0;
  std::uint64_t from_iut_ = 0;
  std::uint64_t octets_ = 0;
  Message last_;  // from the IUT
  OctetBuffer last_octets_;
  std::vector<std::string> tail_;
};

}  // namespace wirelaw
