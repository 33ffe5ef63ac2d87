// SPDX-License-Identifier: Apache-2.0
// An EFA RDM endpoint, sans I/O: requester and responder in one, with any number of peers. Packets of a device's
// send/receive, calls of the application and instants come in; packets, completions, RDMA work for the carriage and the
// next deadline come out.
//
// A carriage delivers whole packets, of at most Options::mtu octets, in any order. It should not lose any, as the
// device does not (1.1): the protocol repeats nothing, and an operation whose peer falls silent ends with
// Status::vanished. Doubled packets do no harm.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>

#include "reference/efa/call.h"
#include "reference/efa/deviations.h"
#include "reference/efa/id_table.h"
#include "reference/efa/matcher.h"
#include "reference/efa/memory.h"
#include "reference/efa/operation.h"
#include "reference/efa/options.h"
#include "reference/efa/packet.h"
#include "reference/efa/packet_faults.h"
#include "reference/efa/peer.h"
#include "reference/efa/timers.h"
#include "reference/endpoint.h"

namespace wirelaw::efa {

// Why a packet, or what it asked for, was passed over.
enum class Drop : std::uint8_t {
  malformed,      // does not decode
  wrong_version,  // not 4
  unknown_type,   // no format for it
  not_announced,  // uses an extra feature that this endpoint has not announced
  wrong_connid,   // of another endpoint with the same address (4.4)
  duplicate,
  unknown_id,     // names no operation of this peer in the state for it
  out_of_window,  // too far ahead
  contradicts,    // fields that contradict each other, the message so far, or registered memory
  no_room,        // a bound of Options
};
inline constexpr std::size_t kDrops = static_cast<std::size_t>(Drop::no_room) + 1;
std::string_view to_string(Drop drop);

class Endpoint {
 public:
  // The same seed and inputs give the same octets.
  Endpoint(const Options& options, std::uint64_t seed, const Deviations& deviations = {});
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- carriage
  // One packet's octets, whatever they are.
  void receive(PeerId from, Octets octets, Instant now);
  // Gives up what has waited for too long.
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  // Packets are made when they are fetched; fetch them after every call.
  bool next_datagram(Outgoing& out);

  // RDMA that this endpoint starts. Only with Extra::rdma_read or rdma_write announced.
  bool next_rdma(RdmaWork& out);
  // `octets`: what was read, as many as RdmaWork::remote.len says; empty of a write. An unknown id is passed over.
  void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now);
  // RDMA that a peer starts; nothing, or false, where it may not.
  std::optional<Octets> rdma_read(const RmaIov& what);
  bool rdma_written(PeerId from, const RmaIov& where, Octets octets, std::optional<std::uint64_t> cq_data);
  // The same where a device does it by itself: before anything is registered it says so, and it tells of writes with CQ
  // data when they have been done. It outlives the endpoint.
  void register_with(Registrar& registrar) {
    registrar_ = &registrar;
    memory_.register_with(&registrar);
  }
  void rdma_told(PeerId from, std::uint64_t octets, std::uint64_t cq_data);

  // --- application
  OperationId send(PeerId to, SendCall call, Instant now);
  OperationId post_receive(ReceiveCall call, Instant now);
  OperationId write(PeerId to, WriteCall call, Instant now);
  OperationId read(PeerId to, ReadCall call, Instant now);
  OperationId atomic(PeerId to, AtomicRequest call, Instant now);
  // Each call has one completion, in the order in which they end; besides, writes of peers with CQ data are told.
  bool next_completion(Completion& out);
  // Ends every operation with the peer and forgets it.
  void remove_peer(PeerId peer);
  Memory& memory() { return memory_; }
  // From now on so many buffers can be registered for RDMA reads at once.
  void limit_registrations(std::size_t most) { options_.registrations = most; }

  // --- what it is doing
  const RawAddress& address() const { return options_.address; }
  bool knows_capabilities_of(PeerId peer) const;
  bool announces(PeerId peer, Extra extra) const;  // as far as it is known
  std::size_t peers() const { return peers_.size(); }
  std::size_t operations() const { return transmissions_.size() + receptions_.size(); }
  std::size_t octets_held() const { return budget_.used(); }  // never above Options::held_octets
  std::uint64_t dropped(Drop drop) const { return drops_[static_cast<std::size_t>(drop)]; }

 private:
  using Stage = Transmission::Stage;
  struct Handler {
    void (Endpoint::*on_packet)(Peer&, const Packet&) = nullptr;
  };
  // The subprotocol of a call, or why there is none.
  struct Choice {
    const Layout* request = nullptr;
    Status status = Status::ok;
    bool wait = false;  // the peer's capabilities are needed and not known
    bool direct = false;
  };
  // What an RDMA work belongs to: a reception, or a direct read or write.
  struct RdmaTarget {
    std::optional<OperationId> call = {};
    Completion::Kind kind = Completion::Kind::read;
    PeerId peer = 0;
    std::uint32_t reception = 0;
    std::uint64_t offset = 0;
    std::uint64_t octets = 0;
  };
  struct Direct {
    std::size_t parts = 0;
    bool ok = true;
    std::uint64_t length = 0;
    OctetBuffer data;
  };

  // endpoint.cc: packets in, peers, handshake, time
  static const std::array<Handler, 256>& handlers();
  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  bool dies_of(const Packet& packet) const;
  bool passes_over(const Peer& peer, const Packet& packet, const Layout& layout) const;
  void drop(Drop reason);
  Peer* admit(PeerId from, const Packet& packet);
  Peer* find_peer(PeerId id);
  Peer* make_peer(PeerId id);
  void forget(Peer& peer, Status status);
  std::uint64_t own_extras() const;
  bool uses(const Peer& peer, Extra extra) const;
  void answer_first_packet(Peer& peer, const Layout& layout);
  void send_handshake(Peer& peer);
  void on_handshake(Peer& peer, const Packet& packet);
  void watch(Transmission& op);
  void watch(Reception& op);
  void watch_gap(Peer& peer);
  void expire(const TimerTarget& target);
  void complete(Completion completion) { completions_.push_back(std::move(completion)); }

  // calls.cc: the application
  OperationId refuse(Completion::Kind kind, PeerId peer, Status status);
  Transmission* begin_call(PeerId to, Completion::Kind kind, Purpose purpose);
  OperationId submit(Transmission& op);

  // choose.cc: which subprotocol
  void start_held(Peer& peer);
  void ask_for_handshake(Peer& peer);
  Choice choose(const Peer& peer, const Transmission& op);
  Choice choose_asked(const Peer& peer, const Transmission& op);
  Choice choose_fitting(const Peer& peer, const Transmission& op);
  Choice choose_read(const Transmission& op) const;
  Choice choose_atomic(const Peer& peer, const Transmission& op);
  Choice needs(const Peer& peer, std::uint64_t extras) const;
  Choice needs(const Peer& peer, const Layout& layout) const;
  bool fits_one_packet(const Peer& peer, const Transmission& op, const Layout& layout);
  void begin(Peer& peer, Transmission& op, const Choice& choice);
  std::uint32_t next_msg_id(Peer& peer, const Transmission& op);
  bool expect_answer(Peer& peer, Transmission& op);

  // transmit.cc: packets out
  void emit(Peer& peer, const Packet& packet);
  void put_answer_connid(Packet& packet) const;
  void put_sender(const Peer& peer, const Layout& layout, Packet& packet) const;
  bool sends_connid(const Peer& peer) const;
  Packet draft(const Peer& peer, const Transmission& op, const Layout& layout);
  void make_ready(Transmission& op);
  bool produce(Transmission& op);
  bool produce_request(Peer& peer, Transmission& op);
  bool produce_readrsp(Peer& peer, Transmission& op);
  bool produce_data(Peer& peer, Transmission& op);
  bool produce_piece(Peer& peer, Transmission& op, Packet& packet);
  std::uint64_t data_in_request(const Transmission& op, std::uint64_t room) const;
  std::optional<Octets> piece(const Transmission& op, std::uint64_t offset, std::uint64_t octets);
  std::uint64_t window_for(std::uint64_t rest) const;
  bool requests_sent(Transmission& op);
  bool wait(Transmission& op, Stage stage);
  void data_sent(Transmission& op);
  void end(Transmission& op, Status status);
  bool register_buffer(Transmission& op);
  void release_buffer(Transmission& op);

  // answers.cc: what answers a transmission
  Transmission* transmission_of(const Peer& peer, const Packet& packet);
  void on_cts(Peer& peer, const Packet& packet);
  void on_eor(Peer& peer, const Packet& packet);
  void on_receipt(Peer& peer, const Packet& packet);
  void on_read_nack(Peer& peer, const Packet& packet);

  // messages.cc: RTM, and the order of RTM and RTA
  void on_ordered(Peer& peer, const Packet& packet);
  Reorder& order_of(Peer& peer);
  void give_up_segments(Peer& peer, std::uint32_t but_of);
  void take_what_waited(Peer& peer);
  bool take(Peer& peer, const Packet& packet);
  bool begin_message(Peer& peer, const Packet& packet);
  void continue_message(Peer& peer, const Packet& packet);
  void continue_nacked(Reception& op, const Packet& packet);
  void match(Reception& op, const PostedReceive& receive);

  // receptions.cc: data in
  bool room_for_peers(std::size_t open) const;
  Reception* begin_reception(Peer& peer, Reception::Kind kind, const Packet& packet);
  Reception* reception_of(const Peer& peer, const Packet& packet);
  bool accept(Reception& op, std::uint64_t offset, Octets octets);
  bool place(Reception& op, std::uint64_t offset, Octets octets);
  static bool scatter(std::span<const std::span<Octet>> spans, std::uint64_t offset, Octets octets);
  void progress(Reception& op);
  void grant(Reception& op);
  void finish(Reception& op);
  void end(Reception& op, Status status);
  void on_ctsdata(Peer& peer, const Packet& packet);
  void on_readrsp(Peer& peer, const Packet& packet);
  void on_atomrsp(Peer& peer, const Packet& packet);
  void send_receipt(Peer& peer, std::uint32_t send_id, std::uint32_t msg_id);

  // one_sided.cc: RTW, RTR, RTA
  void bad_memory();
  using Spans = std::vector<std::span<Octet>>;
  std::optional<Spans> find_memory(Octets iovs, std::uint64_t total, Access access);
  std::optional<Spans> find_badly(Octets iovs, std::uint64_t total);
  void write_beyond(const Packet& packet);
  void on_eager_write(Peer& peer, const Packet& packet);
  void on_long_write(Peer& peer, const Packet& packet);
  void on_read_request(Peer& peer, const Packet& packet);
  bool take_atomic(Peer& peer, const Packet& packet);
  void apply(const Packet& packet, AtomicCall call, std::span<const std::span<Octet>> spans);
  void send_atomrsp(Peer& peer, const Packet& request);

  // long_read.cc: RDMA
  void read_or_nack(Reception& op);
  bool can_register(std::uint64_t octets);
  void start_reads(Reception& op);
  void reads_ended(Reception& op);
  void send_eor(const Reception& op);
  void start_direct(Peer& peer, Transmission& op);
  void direct_done(const RdmaTarget& target, bool ok, Octets octets);

  Options options_;
  Deviations deviations_;
  PacketFaults faults_;
  OctetBudget budget_;  // before what charges it
  Instant now_{};
  bool dead_ = false;

  std::map<PeerId, Peer> peers_;
  IdTable<Transmission> transmissions_;
  IdTable<Reception> receptions_;
  Matcher matcher_;
  Registrar* registrar_ = nullptr;
  Memory memory_;
  std::size_t registrations_ = 0;

  std::deque<std::uint32_t> ready_;
  std::deque<Outgoing> outbox_;
  std::deque<Completion> completions_;
  std::deque<RdmaWork> rdma_;
  std::map<std::uint64_t, RdmaTarget> rdma_targets_;
  std::map<OperationId, Direct> direct_;
  Timers timers_;
  std::uint64_t next_rdma_ = 0;
  OperationId calls_ = 0;
  std::array<std::uint64_t, kDrops> drops_{};

  // What the packet in the making looks into.
  OctetBuffer raw_address_;
  OctetBuffer scratch_;
  OctetBuffer iov_scratch_;
};

}  // namespace wirelaw::efa
