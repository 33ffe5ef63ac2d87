// SPDX-License-Identifier: Apache-2.0
// A flow from its first message to its line in the report: its two sides and their names, who of them is judged, the
// stack of observers, and what became of it. Captures and live runs have the same:
//
//   frame ─ pcap ─ datagram, or piece of a stream ─┐
//                                                  ├─ JudgedFlow ─ FlowObserver ─ Judge ─ findings
//   case ─ tap ─── datagram, or piece of a stream ─┘
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "conformance/judge.h"
#include "conformance/stack.h"
#include "conformance/verdict.h"

namespace wirelaw {

class JudgedFlow {
 public:
  // --- the sides. `transport` is the word before their names: "udp".
  void set_number(std::uint64_t number) { names_.number = number; }
  void name_sides(std::string_view transport, std::string a, std::string b, Judged judged);
  const FlowNames& names() const { return names_; }

  // --- the observers
  // `known` and what `limits` refer to outlive the flow.
  void begin(const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
             const Protocol* only) {
    observer_ = std::make_unique<FlowObserver>(protocol, known, limits, only);
    protocol_ = &observer_->protocol();
  }
  bool is_observed() const { return observer_ != nullptr; }
  // The judge has entered the flow.
  template <class What>
  void observe(const What& what, Judge& judge) {
    if (observer_) observer_->observe(what, judge);
  }
  // What only the end shows is judged; the observers go.
  void finish(Judge& judge);

  // --- what is known of it, also after its end
  const Protocol* protocol() const { return protocol_; }  // the lowest that is judged; nullptr where none is recognised
  const Protocol& protocol_of(const Message& message) const {
    return observer_ ? observer_->protocol_of(message) : *protocol_;
  }
  std::uint64_t stream_messages() const { return observer_ ? observer_->messages() : messages_; }
  std::size_t memory() const { return observer_ ? observer_->memory() : 0; }
  // `judged`, or `partial` with the reason.
  FlowResult result(std::uint64_t messages, std::uint64_t octets) const;

 private:
  FlowNames names_;
  std::unique_ptr<FlowObserver> observer_;
  const Protocol* protocol_ = nullptr;
  const Protocol* above_ = nullptr;  // once it has ended
  std::uint64_t messages_ = 0;       // of a stream; likewise
  std::string partial_;
};

}  // namespace wirelaw
