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

struct TapContext {
  const Protocol* protocol;
  Judge* judge;
  Recording* recording = nullptr;
  std::string transport;
  std::int64_t epoch_ns = 0;
  ObserverLimits limits;
};

class FlowTap {
 public:
  FlowTap(std::unique_ptr<Conversation> conversation, const TapContext& context);

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
  void enter();

  std::unique_ptr<Conversation> conversation_;
  const TapContext& context_;
  std::unique_ptr<Observer> observer_;
  bool iut_spoke_first_ = false;
  std::uint64_t messages_ = 0;
  std::uint64_t from_iut_ = 0;
  std::uint64_t octets_ = 0;
  Message last_;  // from the IUT
  OctetBuffer last_octets_;
  std::vector<std::string> tail_;
};

}  // namespace wirelaw
