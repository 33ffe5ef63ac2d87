// SPDX-License-Identifier: Apache-2.0
// The EFA RDM endpoint with the deviations of reference/efa/deviations.h: it overrides the steps that its deviations
// concern, and sends its packets with the faults of reference/efa/faults/packet_faults.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "reference/efa/deviations.h"
#include "reference/efa/endpoint.h"
#include "reference/efa/faults/packet_faults.h"

namespace wirelaw::efa {

class FaultyEndpoint final : public Endpoint {
 public:
  FaultyEndpoint(const Options& options, std::uint64_t seed, const Deviations& deviations)
      : Endpoint(options, seed), deviations_(deviations), packet_faults_(deviations) {}

 private:
  // State of a fault for each peer or reception.
  struct OfPeer {
    std::uint32_t next_atomic_id = 0;    // msg-id-per-kind
    std::uint32_t numbered = 0;          // msg-id-repeats: count of messages and atomics
    bool taken = false;                  // wrap-not-tolerated: a message has been taken
    std::set<std::uint32_t> long_ids{};  // send-id-taken-once: send_ids of its LONGCTS_RTM
    OctetBuffer last_read{};             // reads-confused: its rma_iov
  };
  struct OfReception {
    std::uint64_t imagined = 0;  // counts-doubled, part-delivered: octets wrongly counted as received
    std::size_t windows = 0;     // cts-not-again: number of CTS sent
  };

  bool has(Deviation deviation) const { return deviations_.has(deviation); }
  void die() { dead_ = true; }
  void die_of(Deviation deviation) { dead_ = dead_ || has(deviation); }

  // faulty_endpoint.cc: packets, peers and the handshake
  bool responds() const override { return !dead_; }
  bool understands(const Packet& packet) override;
  bool serves(const Peer& peer, const Packet& packet) override;
  void drop(Drop reason) override;
  bool is_another_endpoint(const Peer& peer, std::uint32_t connid) const override;
  bool may_succeed(const Peer& peer) const override;
  void forget(Peer& peer, Status status) override;
  bool owes_handshake(const Peer& peer, const Layout& received) const override;
  void on_handshake(Peer& peer, const Packet& packet) override;

  // faulty_endpoint_transmissions.cc: choice of subprotocol, outgoing packets, and answers to them
  std::uint32_t first_msg_id() const override;
  std::uint32_t next_msg_id(Peer& peer, const Transmission& op) override;
  Choice may_use(const Peer& peer, std::uint64_t extras) const override;
  bool takes_immediate(const Peer& peer) const override;
  bool takes_messages(const Peer& peer) const override;
  bool fits_readrsp(std::uint64_t octets) const override;
  void send_packet(const Peer& peer, const Packet& packet) override;
  bool sends_raw_address(const Peer& peer) const override;
  bool sends_connid(const Peer& peer) const override;
  bool await_first_cts(Transmission& op) override;
  std::uint64_t window_of(const Transmission& op, const Packet& cts) override;
  bool confirms(const Transmission& op, const Packet& receipt) const override;
  void follow_nack(Peer& peer, Transmission& op) override;
  void begin_again(Peer& peer, Transmission& op, const Layout& long_cts) override;

  // faulty_endpoint_messages.cc
  void on_ordered(Peer& peer, const Packet& packet) override;
  Reorder& order_of(Peer& peer) override;
  void keep_for_its_turn(Peer& peer, const Packet& packet) override;
  void on_repeated(Peer& peer, const Packet& packet) override;
  bool take(Peer& peer, const Packet& packet) override;
  bool begin_message(Peer& peer, const Packet& packet) override;
  std::optional<PostedReceive> receive_for(const UnexpectedMessage& message) override;
  bool take_first_data(Reception& op, std::uint64_t offset, Octets data) override;
  void truncate(Reception& op) override;
  void give_up_segments(Peer& peer, std::uint32_t but_of);

  // faulty_endpoint_receptions.cc: incoming data, and RDMA
  bool accept(Reception& op, std::uint64_t offset, Octets octets) override;
  bool is_whole(const Reception& op) const override;
  bool window_is_used_up(const Reception& op) const override;
  std::uint64_t next_window(const Reception& op) const override;
  void grant(Reception& op) override;
  bool is_alone(const Reception& op);
  void finish(Reception& op) override;
  void end(Reception& op, Status status) override;
  bool may_send_to(const Peer& peer, const Reception& op) const override;
  void on_ctsdata(Peer& peer, const Packet& packet) override;
  void on_readrsp(Peer& peer, const Packet& packet) override;
  void on_atomrsp(Peer& peer, const Packet& packet) override;
  bool runt_is_whole(const Reception& op) const override;
  bool may_nack(const Peer& peer) const override;
  void start_reads(Reception& op) override;
  void read_done(Reception& op, const RdmaTarget& target, bool ok, Octets octets) override;
  void send_eor(const Reception& op) override;
  void report_remote_write(PeerId from, std::uint64_t octets, std::uint64_t cq_data) override;
  bool may_send_errors(const Peer& peer) const override;
  void give_up_read(const Reception& op) override;
  void on_peer_error(Peer& peer, const Packet& packet) override;

  // faulty_endpoint_one_sided.cc
  std::optional<Spans> find_memory(Octets iovs, std::uint64_t total, Access access) override;
  std::optional<Spans> find_badly(Octets iovs, std::uint64_t total);
  void refuse_memory(const Packet& request) override;
  void place_write(const Packet& packet, const Spans& spans) override;
  Octets data_in(const Packet& request) const override;
  void answer_read(Peer& peer, Transmission& op) override;
  bool needs_no_operand(const Packet& packet) const override;
  void refuse_undefined_atomic(const Packet& packet) override;
  void refuse_operands(const Packet& packet) override;
  void apply(const Packet& packet, std::span<Octet> span, Octets buf, Octets compare) override;
  bool answers_atomic(const Packet& packet) const override;
  void write_beyond(const Packet& packet);

  Deviations deviations_;
  PacketFaults packet_faults_;
  bool dead_ = false;
  std::map<PeerId, OfPeer> of_peer_;
  std::map<std::uint32_t, OfReception> of_reception_;
};

}  // namespace wirelaw::efa
