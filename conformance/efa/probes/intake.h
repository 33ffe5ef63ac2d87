// SPDX-License-Identifier: Apache-2.0
// The answers of a correct endpoint to operations that the implementation under test starts: it takes messages and
// writes, answers reads and atomics, grants windows, acknowledges delivery. Cases see the complete messages.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "conformance/efa/probes/probe.h"
#include "reference/efa/coverage.h"

namespace wirelaw::efa {

// A completely received message.
struct WholeMessage {
  const Layout* request = nullptr;
  std::uint32_t msg_id = 0;
  std::optional<std::uint64_t> tag;
  std::optional<std::uint64_t> cq_data;
  OctetBuffer octets;
};

// The memory that an implementation under test reads and writes. Every address and key exists.
class LentMemory {
 public:
  OctetBuffer read(std::uint64_t addr, std::uint64_t octets) const;
  void write(std::uint64_t addr, Octets octets);

 private:
  static constexpr std::uint64_t kPage = 4096;
  static const OctetBuffer& untouched();
  std::map<std::uint64_t, OctetBuffer> pages_;  // by address / kPage
};

class Intake {
 public:
  explicit Intake(Probe& probe) : probe_(probe) {}

  // Handles the packet if it is one of these operations.
  bool take(const Received& received);

  // Packets from now on come from another endpoint, or go to another one, so IDs start again.
  void begin_anew() {
    incoming_.clear();
    outgoing_.clear();
    mediums_.clear();
    msg_ids_.clear();
    turn_.reset();
  }

  // Sends a message: in one packet if it fits, otherwise in segments or, if it is long, by long-CTS.
  struct MessageOut {
    std::uint32_t msg_id = 0;
    OctetBuffer octets = {};
    std::optional<std::uint64_t> tag = {};
    std::optional<std::uint64_t> cq_data = {};
    std::optional<Transfer> transfer = {};  // this subprotocol and no other
  };
  void send_message(const MessageOut& message);
  // Same, but returns the packets instead of sending them; for a long message only its request, without data.
  std::vector<OctetBuffer> packets_of(const MessageOut& message, std::uint32_t send_id = 0) const;

  // The number of incomplete runting messages.
  std::size_t incomplete_runts() const;

  std::deque<WholeMessage>& messages() { return messages_; }
  // The network may reorder messages. has_next() returns true if the message after the last one taken has arrived; the
  // other function returns the earliest that has arrived.
  bool has_next() const;
  WholeMessage take_earliest();
  // CQ data of completed writes.
  std::deque<std::uint64_t>& remote_cq_data() { return remote_cq_data_; }
  LentMemory& memory() { return memory_; }

  // Octets that one CTS of the probe grants, and octets that one READRSP or CTSDATA carries (0: as many as fit).
  std::uint64_t window = std::uint64_t{1} << 40;
  std::size_t segment = 0;
  // The msg_id in the RECEIPT for a write or an atomic (EFA/A-46).
  std::uint32_t one_sided_receipt_msg_id = 0;
  // Answers requests for RDMA reads with READ_NACK if the peer has announced READ_NACK.
  bool refuses_reads = false;
  // Length of the awaited message, if the case knows it: some senders' segments do not contain it (EFA/A-03).
  std::optional<std::uint64_t> expected_octets;

 private:
  // Data that the peer is sending to the probe.
  struct Incoming {
    const Layout* request = nullptr;
    std::uint32_t msg_id = 0;
    std::uint32_t send_id = 0;  // the peer's
    std::optional<std::uint64_t> tag, cq_data;
    OctetBuffer rma_iov;  // target of a write, empty for a message
    OctetBuffer octets = {};
    Coverage here;
    std::uint64_t total = 0;
    std::uint64_t granted = 0;
    bool per_segment = false;  // each packet declares only its own length (EFA/A-03)
    // Used only for data that is fetched by RDMA reads (4.1, 4.5).
    OctetBuffer read_iov = {};
    std::uint64_t runt = 0;  // octets that RUNTREAD packets carry
    bool refused = false;
  };
  // Data that the peer reads, or a long message that it receives.
  struct Outgoing {
    std::optional<std::uint32_t> recv_id = {};  // the peer's
    OctetBuffer octets = {};
    std::uint64_t sent = 0;
    std::uint64_t allowed = 0;
    bool begun = false;
  };

  bool take_message(const Packet& packet);
  bool refuses() const;
  bool take_by_read(const Packet& packet);
  bool continue_refused(const Packet& packet);
  void fetch(std::uint32_t recv_id);
  bool take_write(const Packet& packet);
  bool take_read(const Packet& packet);
  bool take_atomic(const Packet& packet);
  bool take_ctsdata(const Packet& packet);
  bool take_cts(const Packet& packet);

  Incoming* begin(const Packet& packet, std::uint64_t total);
  void add(std::uint32_t recv_id, std::uint64_t offset, Octets octets);
  void grant(std::uint32_t recv_id, Incoming& incoming);
  void finish(std::uint32_t recv_id);
  void send_data(std::uint32_t send_id);
  std::size_t room(std::size_t header) const;

  Probe& probe_;
  LentMemory memory_;
  std::deque<WholeMessage> messages_;
  std::deque<std::uint64_t> remote_cq_data_;
  std::map<std::uint32_t, Incoming> incoming_;      // by the tester's recv_id
  std::map<std::uint32_t, Outgoing> outgoing_;      // by the tester's send_id
  std::map<std::uint32_t, std::uint32_t> mediums_;  // our recv_id by msg_id
  std::set<std::uint32_t> msg_ids_;                 // messages that have begun
  std::optional<std::uint32_t> turn_;               // next msg_id after the latest message taken
  std::uint32_t next_recv_id_ = 0x3001;
  std::uint32_t next_send_id_ = 0x2001;
};

}  // namespace wirelaw::efa
