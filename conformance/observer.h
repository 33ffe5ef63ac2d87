// SPDX-License-Identifier: Apache-2.0
// An observer reads one flow, message by message, and judges the rules of its protocol. It sends nothing and trusts
// nothing that it reads: its memory is bounded by its limits, whatever the messages contain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/delivery.h"
#include "conformance/judge.h"
#include "conformance/trace.h"

namespace wirelaw {

class Observer {
 public:
  virtual ~Observer() = default;

  // Judges the next input of the flow, and calls judge.at(message) itself. An observer implements the overloads for the
  // input of its protocol: datagrams, each one message; pieces of a stream, in which the observer finds the messages;
  // or deliveries from the observer of the protocol below.
  virtual void observe(const Message&, Judge&) {}
  virtual void observe(const StreamPiece&, Judge&) {}
  virtual void observe(const Delivery&, Judge&) {}
  // The flow has ended, or is given up to make room. Judges what only the end can show.
  virtual void finish(Judge& judge) = 0;

  // Sets the receiver of deliveries for the protocol above. nullptr: there is none. The sink outlives the observer.
  virtual void deliver_to(DeliverySink*) {}

  // The number of messages found in a stream so far. An observer of datagrams need not count them.
  virtual std::uint64_t messages() const { return 0; }
  // The reason why the flow could not be judged as a whole. Empty if it could.
  virtual std::string partial() const = 0;
  // A remark on how the flow was judged, for its line in the report. Empty if there is none.
  virtual std::string remark() const { return {}; }
  // The memory that the observer holds now, in octets, precise enough to keep a budget.
  virtual std::size_t memory() const = 0;
};

}  // namespace wirelaw
