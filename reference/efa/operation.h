// SPDX-License-Identifier: Apache-2.0
// Operations in progress: sends and receives of an endpoint. Both roles of the protocol have both: in an emulated read
// the responder sends and the requester receives (3.3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/efa/call.h"
#include "reference/efa/coverage.h"
#include "reference/efa/layout.h"
#include "reference/efa/timers.h"
#include "reference/endpoint.h"
#include "reference/octet_budget.h"

namespace wirelaw::efa {

// Data on its way to a peer. Its `id` is the send_id on the wire.
struct Transmission {
  enum class Stage : std::uint8_t {
    held,     // waits for other transmissions, or for the peer's capabilities
    request,  // REQ packets, or a READRSP, are to be sent
    data,     // CTSDATA may be sent up to window_end
    wait_cts,
    wait_eor,
    wait_receipt,
  };

  std::uint32_t id = 0;
  PeerId peer = 0;
  Completion::Kind kind = Completion::Kind::send;
  std::optional<OperationId> call = {};  // none for the response to a read
  Stage stage = Stage::held;
  bool ready = false;  // in the queue of operations with packets to send
  std::optional<Timers::Handle> timer = {};
  Instant last_progress{};
  const Layout* request = nullptr;

  // The request.
  Purpose purpose = Purpose::none;
  bool response = false;  // answers an emulated read by READRSP and CTSDATA
  bool direct = false;
  bool delivery_complete = false;
  AtomicCall atomic_call = AtomicCall::write;
  std::uint32_t atomic_op = 0;
  std::uint32_t atomic_datatype = 0;
  std::optional<Transfer> transfer = {};
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
  OctetBuffer data = {};  // empty for a response to a read, whose data is read from memory
  OctetBuffer rma_iov = {};
  std::uint64_t total = 0;  // length of the data in octets

  // Its progress.
  std::uint32_t msg_id = 0;
  bool numbered = false;      // msg_id has been assigned
  std::uint32_t recv_id = 0;  // chosen by the peer (long-CTS), or here (reads, fetching atomics)
  bool has_recv_id = false;
  std::uint64_t sent = 0;
  std::uint64_t window_end = 0;
  std::uint64_t runt = 0;  // octets that RUNTREAD packets carry
  bool nacked = false;     // READ_NACK received (4.7)
  bool ended = false;      // EOR received
  RmaIov registered = {};  // buffer that the peer reads by RDMA; key 0 if none
};

// Data on its way from a peer. Its `id` is the recv_id on the wire.
struct Reception {
  enum class Kind : std::uint8_t { message, write, read, atomic };

  struct Held {
    std::uint64_t offset;
    OctetBuffer octets;
  };

  std::uint32_t id = 0;
  PeerId peer = 0;
  Kind kind = Kind::message;
  const Layout* request = nullptr;
  std::optional<OperationId> call = {};  // the receive that matches it, or the call that requested the data
  std::optional<Timers::Handle> timer = {};
  Instant last_progress{};

  std::uint32_t msg_id = 0;
  std::uint64_t tag = 0;
  std::optional<std::uint64_t> cq_data = {};
  std::uint64_t total = 0;
  std::uint32_t send_id = 0;  // chosen by the peer
  bool has_send_id = false;

  // The destination of the data: a buffer of the application, registered memory, or `held` until a receive is posted.
  bool matched = false;
  OctetBuffer buffer = {};
  std::uint64_t capacity = 0;
  OctetBuffer rma_iov = {};
  std::vector<Held> held = {};
  OctetCharge charge = {};

  Coverage coverage = {};
  std::uint32_t credit_request = 0;  // CTSDATA packets that the sender requests
  std::uint64_t granted = 0;         // octets of the message that CTS have allowed so far

  // RDMA reads (4.1, 4.5).
  OctetBuffer read_iov = {};
  std::uint64_t runt = 0;
  bool reading = false;  // holds a registration
  bool read_done = false;
  bool nacked = false;
  std::size_t reads = 0;  // RDMA reads in progress
  Status status = Status::ok;
};

}  // namespace wirelaw::efa
