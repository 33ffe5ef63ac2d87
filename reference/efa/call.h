// SPDX-License-Identifier: Apache-2.0
// An application's calls to an endpoint, and their results: the libfabric calls and completions that the document
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

using OperationId = std::uint64_t;  // 0, 1, 2, … in call order

// fi_send, fi_senddata, fi_tsend, fi_tsenddata.
struct SendCall {
  OctetBuffer data;
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;         // 4.2
  std::optional<Transfer> transfer = {};  // use only this subprotocol
};

// fi_recv, fi_trecv.
struct ReceiveCall {
  struct TagMatch {
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;  // tag bits that are not compared
  };
  std::size_t octets = 0;
  std::optional<TagMatch> tag = {};  // nothing: untagged messages
  std::optional<PeerId> from = {};   // FI_DIRECTED_RECV
};

// fi_write, fi_writedata.
struct WriteCall {
  OctetBuffer data;
  std::vector<RmaIov> to;  // their total length is the length of the data
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
  OctetBuffer compare;  // only for comparing operations; as long as the operand
  std::vector<RmaIov> on;
  bool delivery_complete = false;  // for AtomicCall::write
};

enum class Status : std::uint8_t {
  ok,
  truncated,    // the message was longer than the posted buffer
  unsupported,  // the peer has not announced an extra feature that the call needs
  vanished,     // the peer stopped answering, or another endpoint took its place
  cancelled,    // the application removed the peer
  too_long,     // the data does not fit the subprotocol
  invalid,      // arguments contradict each other
  failed,       // RDMA failed
  no_room,      // too many operations
  given_up,     // the peer gave up the operation (4.10 of later documents)
};

struct Completion {
  enum class Kind : std::uint8_t { send, receive, write, read, atomic, remote_write };
  Kind kind = Kind::send;
  OperationId id = 0;  // the call's ID; remote_write has none
  PeerId peer = 0;
  Status status = Status::ok;
  OctetBuffer data = {};     // received, read or fetched
  std::uint64_t length = 0;  // message length; if truncated, longer than the data
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
};

// RDMA that the endpoint requests from its transport (1.1). The transport calls rdma_done() for each.
struct RdmaWork {
  enum class Kind : std::uint8_t { read, write };
  Kind kind = Kind::read;
  std::uint64_t id = 0;
  PeerId peer = 0;
  RmaIov remote = {};                         // in the peer's memory
  OctetBuffer octets = {};                    // data of a write
  std::optional<std::uint64_t> cq_data = {};  // sent with a write
};

}  // namespace wirelaw::efa
