// SPDX-License-Identifier: Apache-2.0
// What an application asks of an endpoint, and what it gets: the libfabric calls and completions that the document
// mentions, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/efa/atomic.h"
#include "reference/efa/layout.h"
#include "reference/efa/raw_address.h"
#include "reference/endpoint.h"

namespace wirelaw::efa {

using OperationId = std::uint64_t;  // 0, 1, 2, … in the order of the calls

// fi_send, fi_senddata, fi_tsend, fi_tsenddata.
struct SendCall {
  OctetBuffer data;
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;         // 4.2
  std::optional<Transfer> transfer = {};  // this subprotocol and no other
};

// fi_recv, fi_trecv.
struct ReceiveCall {
  struct TagMatch {
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;  // bits that need not agree
  };
  std::size_t octets = 0;
  std::optional<TagMatch> tag = {};  // for tagged messages
  std::optional<PeerId> from = {};   // FI_DIRECTED_RECV
};

// fi_write, fi_writedata.
struct WriteCall {
  OctetBuffer data;
  std::vector<RmaIov> to;  // the sum of the lengths is that of the data
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;
  std::optional<Transfer> transfer = {};
  bool direct = false;  // RDMA write (4.6)
};

// fi_read.
struct ReadCall {
  std::vector<RmaIov> from;
  std::optional<Transfer> transfer = {};  // eager: SHORT_RTR
  bool direct = false;                    // RDMA read (4.1)
};

// fi_atomic, fi_fetch_atomic, fi_compare_atomic.
struct AtomicRequest {
  AtomicCall call = AtomicCall::write;
  AtomicOp op = AtomicOp::sum;
  Datatype datatype = Datatype::uint64;
  OctetBuffer operand;  // empty for FI_ATOMIC_READ
  OctetBuffer compare;  // for a comparing operation, as long as the operand
  std::vector<RmaIov> on;
  bool delivery_complete = false;  // for AtomicCall::write
};

enum class Status : std::uint8_t {
  ok,
  truncated,    // the message was longer than the buffer that was posted
  unsupported,  // the peer has not announced an extra feature that the call needs
  vanished,     // the peer fell silent, or another endpoint took its place
  cancelled,    // the application removed the peer
  too_long,     // does not fit the subprotocol
  invalid,      // arguments that contradict each other
  failed,       // RDMA did
  no_room,      // too many operations
  given_up,     // the peer gave it up (4.10 of later documents)
};

struct Completion {
  enum class Kind : std::uint8_t { send, receive, write, read, atomic, remote_write };
  Kind kind = Kind::send;
  OperationId id = 0;  // the call's ID; remote_write has none
  PeerId peer = 0;
  Status status = Status::ok;
  OctetBuffer data = {};     // received, read or fetched
  std::uint64_t length = 0;  // message length; truncation leaves it longer than the data
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
};

// RDMA that the endpoint wants from its transport (1.1). The transport calls rdma_done() for each.
struct RdmaWork {
  enum class Kind : std::uint8_t { read, write };
  Kind kind = Kind::read;
  std::uint64_t id = 0;
  PeerId peer = 0;
  RmaIov remote = {};                         // in the peer's memory
  OctetBuffer octets = {};                    // to write
  std::optional<std::uint64_t> cq_data = {};  // with the write
};

}  // namespace wirelaw::efa
