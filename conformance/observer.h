// SPDX-License-Identifier: Apache-2.0
// An observer reads one flow, message by message, and judges the rules of its protocol. It sends nothing, and it never
// trusts what it reads: its memory is bounded by its limits whatever the messages hold.
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

  // Judges what comes next in the flow; calls judge.at(message) itself. An observer implements those that its protocol
  // is found in: datagrams, each a message; pieces of a stream, in which it finds the messages itself; what the
  // observer of a protocol below it delivers.
  virtual void observe(const Message&, Judge&) {}
  virtual void observe(const StreamPiece&, Judge&) {}
  virtual void observe(const Delivery&, Judge&) {}
  // The flow has ended, or is given up to make room: judges what only the end can show.
  virtual void finish(Judge& judge) = 0;

  // From now on what is delivered to the protocol above goes there; nullptr: nobody is above. The sink outlives this.
  virtual void deliver_to(DeliverySink*) {}

  // Messages found in a stream so far; an observer of datagrams need not count them.
  virtual std::uint64_t messages() const { return 0; }
  // Why the flow could not be judged as a whole; empty where it could.
  virtual std::string partial() const = 0;
  // What a reader of the flow's line should know of how it was judged; empty where there is nothing to say.
  virtual std::string remark() const { return {}; }
  // Octets of memory that the observer holds now, near enough to keep a budget.
  virtual std::size_t memory() const = 0;
};

}  // namespace wirelaw
