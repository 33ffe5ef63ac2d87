// SPDX-License-Identifier: Apache-2.0
// The operations of the upper layer: they are sent in the order of posting, and they complete in that order (RFC 5040,
// 5.5, rules 13 and 15). A read or an atomic operation is complete with its response, anything else once all of it has
// been handed to DDP.
#pragma once

#include <deque>
#include <tl/expected.hpp>

#include "reference/rdmap/events.h"

namespace wirelaw::rdmap {

enum class PostError : std::uint8_t {
  not_open,        // no Full Operation, or not any more
  queue_full,      // Options::max_work or max_receives
  too_long,        // 2^32 octets and more (RFC 5041, 5.2), or private data beyond what a frame holds
  bad_buffer,      // the local buffer has no such range
  no_extensions,   // RFC 7306 is not on
  not_asked,       // accept() or reject() without a request
  not_acceptable,  // the initiator's IRD is below Options::ord_required: only reject() is left
};

struct Work {
  enum class State : std::uint8_t { posted, outstanding, done };

  WorkId id = 0;
  Opcode opcode = Opcode::send;
  Octets data;  // what is sent; in `owned` if that is not empty
  OctetBuffer owned;
  BufferAt remote;  // the sink of a Write; for a Send, only the STag that it invalidates
  ReadRequest read;
  AtomicRequest atomic;
  bool internal = false;  // the upper layer has not asked for it and gets no completion of it

  State state = State::posted;
  bool ok = true;
  std::uint32_t received = 0;  // octets of the response so far
  std::uint64_t original = 0;  // what an atomic response gave

  bool awaits_response() const { return opcode == Opcode::read_request || opcode == Opcode::atomic_request; }
};

class WorkQueue {
 public:
  WorkId push(Work&& work);

  // The work to send next; nothing if all has been sent, or if `ord` responses are awaited.
  Work* next(std::size_t ord);
  // next() has been sent to its end.
  void handed_over();

  // The one that the next response belongs to; nothing if none is awaited.
  Work* oldest_outstanding();
  void answered();  // it has its response
  std::size_t outstanding() const { return outstanding_.size(); }

  // Whatever is not done is done, and not ok.
  void fail();
  // The next completion in order.
  bool next_completion(Completed& out);

  std::size_t size() const { return works_.size(); }
  std::size_t unsent() const { return works_.size() - sent_; }

 private:
  Work& by_id(WorkId id) { return works_[static_cast<std::size_t>(id - works_.front().id)]; }

  std::deque<Work> works_;  // ids without gaps
  std::size_t sent_ = 0;    // how many of works_
  std::deque<WorkId> outstanding_;
  WorkId next_id_ = 1;
};

}  // namespace wirelaw::rdmap
