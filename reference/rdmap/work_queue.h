// SPDX-License-Identifier: Apache-2.0
// The operations of the upper layer: they are sent, and complete, in the order of posting (RFC 5040, 5.5, rules 13 and
// 15). A read or an atomic operation is complete with its response, anything else once all of it has been passed to
// DDP.
#pragma once

#include <deque>
#include <tl/expected.hpp>

#include "reference/rdmap/events.h"

namespace wirelaw::rdmap {

enum class PostError : std::uint8_t {
  not_open,        // not in Full Operation
  queue_full,      // Options::max_work or max_receives
  too_long,        // at least 2^32 octets (RFC 5041, 5.2), or private data that does not fit the frame
  bad_buffer,      // the range is not in the local buffer
  no_extensions,   // RFC 7306 is not enabled
  not_asked,       // accept() or reject() without a request
  not_acceptable,  // the initiator's IRD is below Options::ord_required: only reject() is possible
};

struct Work {
  enum class State : std::uint8_t { posted, outstanding, done };

  WorkId id = 0;
  Opcode opcode = Opcode::send;
  Octets data;  // octets to send; in `owned` if that is not empty
  OctetBuffer owned;
  BufferAt remote;  // sink of a Write; for a Send, only the STag to invalidate
  ReadRequest read;
  AtomicRequest atomic;
  bool internal = false;  // not posted by the upper layer, which gets no completion

  State state = State::posted;
  bool ok = true;
  std::uint32_t received = 0;  // octets of the response so far
  std::uint64_t original = 0;  // value in an atomic response

  bool awaits_response() const { return opcode == Opcode::read_request || opcode == Opcode::atomic_request; }
};

class WorkQueue {
 public:
  WorkId push(Work&& work);

  // Returns the next work to send; nothing if all has been sent, or if `ord` responses are awaited.
  Work* next(std::size_t ord);
  // All octets of next() have been sent.
  void handed_over();

  // Returns the work to which the next response belongs; nothing if none is awaited.
  Work* oldest_outstanding();
  void answered();  // its response has arrived
  std::size_t outstanding() const { return outstanding_.size(); }

  // Completes all remaining work with an error.
  void fail();
  // Returns the next completion in order.
  bool next_completion(Completed& out);

  std::size_t size() const { return works_.size(); }
  std::size_t unsent() const { return works_.size() - sent_; }

 private:
  Work& by_id(WorkId id) { return works_[static_cast<std::size_t>(id - works_.front().id)]; }

  std::deque<Work> works_;  // ids without gaps
  std::size_t sent_ = 0;    // number of works_ that have been sent
  std::deque<WorkId> outstanding_;
  WorkId next_id_ = 1;
};

}  // namespace wirelaw::rdmap
