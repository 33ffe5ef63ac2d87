// SPDX-License-Identifier: Apache-2.0
// Connects a reference RDMAP endpoint, which speaks octets, with a device's consumer. What the endpoint sends becomes
// work for the device. What the device completes reaches the endpoint as if from a peer that speaks iWARP, whatever
// wire protocol the device uses.
//
//   Send                a Send of the device, of the same form
//   Write, Read         RDMA Write and Read of the memory of the device's peer
//   start frames        the device's connection, with the private data
//   the end             the device's disconnection, once what was sent is complete; the same for a Terminate
//
// So every protocol above RDMAP also runs on any device, and is recorded and judged as on iWARP. The frames of such a
// stream come from the gateway, not from the device. They show what was sent and received, in order, but not how RDMAP,
// DDP or MPA would have carried it. What the device's peer does with memory that was exposed to it (MemoryDevice)
// passes between the two devices, and is not in the stream.
//
// It never waits, and is an application above a consumer like any other.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "harness/peers/verbs/application.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::verbs {

class Gateway final : public ConsumerApplication, private rdmap::MemoryDevice {
 public:
  // `role`: the consumer's. The consumer outlives the gateway, and has no other user.
  Gateway(Consumer& consumer, Role role);
  ~Gateway() override;

  // --- the stream; at its other end is an endpoint in the consumer's role
  void receive(Octets octets);
  void ended(Ending ending);
  // Returns the next octets to send there; false if there are none.
  bool next_octets(OctetBuffer& out);
  // Returns how this end ended its direction, once there is nothing more to send, and not before the device is
  // disconnected.
  Ending ending() const;
  // The reason why a connection that was requested here failed.
  const std::optional<TransportError>& lost() const { return lost_; }
  // The device has all that was sent, and is done with it.
  bool has_sent() const { return waiting_.empty() && posted_.empty(); }
  // Registers the memory that the endpoint exposes.
  rdmap::MemoryDevice& memory() { return *this; }

  // --- ConsumerApplication
  void proceed() override;
  std::optional<Instant> deadline() const override;
  bool is_over() const override { return over_; }
  std::string state() const override;

 private:
  class Relay;

  // Memory of the device that work is done from, or received into.
  struct Slot {
    std::span<Octet> memory;
    Sge sge;
  };
  // Work that waits for its turn, or that the device has.
  struct Work {
    WrOpcode opcode = WrOpcode::send;
    OctetBuffer octets = {};      // for a Send or a Write
    std::uint32_t size = 0;       // for a Read
    rdmap::BufferAt remote = {};  // for a Write or a Read
    rdmap::Stag invalidates = 0;
    std::optional<rdmap::InboundRead> read = {};
    Slot slot = {};
  };

  void on(const CmEvent& event);
  void on(rdmap::Event& event);
  void poll();
  void submit();
  void completed(const Wc& wc);
  void received(const Wc& wc);
  void queue(Work&& work) { waiting_.push_back(std::move(work)); }
  void part();
  void fail(std::string what);
  tl::expected<Slot, VerbsError> slot_of(std::size_t octets);
  tl::expected<void, VerbsError> open_receives();
  tl::expected<void, VerbsError> post_receive(std::uint64_t number);

  std::optional<rdmap::BufferAt> expose(std::span<Octet> memory, rdmap::Access access) override;
  void withdraw(rdmap::Stag stag) override;

  Consumer& consumer_;
  Role role_;
  rdmap::Buffers buffers_;
  std::unique_ptr<Relay> endpoint_;
  Region receives_;
  std::deque<Work> waiting_;
  std::map<std::uint64_t, Work> posted_;    // by wr_id
  std::multimap<std::size_t, Slot> spare_;  // by size
  std::map<rdmap::Stag, Region> lent_;
  std::uint64_t next_id_ = 0;
  ConnParam granted_;  // for a responder: parameters of the initiator's request
  bool connected_ = false;
  bool leaving_ = false, left_ = false;
  bool broken_ = false;
  bool over_ = false;
  std::optional<TransportError> lost_;
  std::uint64_t sent_ = 0, received_ = 0;
  std::string error_;
};

}  // namespace wirelaw::verbs
