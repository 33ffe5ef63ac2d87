// SPDX-License-Identifier: Apache-2.0
// The interface between UMSP and a virtual machine (RFC 3018 6, 7.4): the protocol layer passes instructions of
// exchange; the VM executes them, forms the responses, and sends its own instructions. Nothing blocks: next_response()
// returns later results.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/endpoint.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// The addressee of an instruction, and what its chain adds. Zeros are the zero-session (5.8).
struct Circumstances {
  std::uint32_t session = 0;  // SESSION_ID that this node has assigned
  std::uint64_t task = 0;     // LTID on this node
  // For a chain: the base of its abbreviated addresses (7.6). Without a base, an abbreviated address outside a chain is
  // padded with zeros, and one in a chain is an error (6).
  std::optional<std::uint64_t> base = {};
  bool chained = false;
  std::optional<std::uint32_t> life_time = {};  // from _LIFE_TIME, in units of 1.024 ms (8.5, UMSP/A48)
};

struct Execution {
  enum class Kind : std::uint8_t {
    executed,   // the rest of a sequence may follow
    refused,    // nothing was changed; the rest of a sequence is dropped (7.1)
    under_way,  // a thread was begun, or data are watched; a response may follow
  };
  Kind kind = Kind::executed;
  // The response with the REQ_ID of the request, but without a session. Empty if the request had ASK 0, or if no
  // response is due yet.
  std::optional<Draft> response = {};
};

// A later response, or an instruction from a thread of this VM.
struct FromVm {
  std::uint32_t session = 0;  // as in Circumstances
  Draft instruction;          // without a session
};

class Executor {
 public:
  virtual ~Executor() = default;

  // The lifetime of a task; end_task() releases all that the task has not freed (6.4.4).
  virtual void begin_task(std::uint64_t task) = 0;
  virtual void end_task(std::uint64_t task) = 0;
  // Pointers to that node are invalid in this task from now on (5.5.2). `node`: octets of the node's address.
  virtual void forget_node(std::uint64_t task, Octets node) = 0;

  // True if execute() would execute it now. A transaction is executed as a whole, or not at all (7.2).
  virtual bool can_execute(const Instruction& instruction, const Circumstances& at) const = 0;
  virtual Execution execute(const Instruction& instruction, const Circumstances& at, Instant now) = 0;
  // For a chain outside the window (7.4): true if there is room for this many octets.
  virtual bool grants_buffer(std::uint32_t octets, const Circumstances& at) = 0;
  // A response (RSP, DATA, RETURN, ADDRESS, OBJECT or PROC_NUM) to a request of this VM.
  virtual void on_response(const Instruction& response, const Circumstances& at) = 0;

  // Returns the next later result; false if there is none.
  virtual bool next_response(FromVm& out) = 0;
  virtual bool next_request(FromVm& out) = 0;
  virtual void advance(Instant now) = 0;
  virtual std::optional<Instant> deadline() const = 0;
};

}  // namespace wirelaw::umsp
