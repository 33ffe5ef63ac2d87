// SPDX-License-Identifier: Apache-2.0
// An EFA RDM endpoint, sans I/O: requester and responder in one, with any number of peers. Its inputs are packets of a
// device's send/receive, calls of the application, and instants. Its outputs are packets, completions, RDMA work for
// the transport, and the next deadline.
//
// The protocol is divided into steps, section by section: a decision or an action each.
// reference/efa/faults/faulty_endpoint.h overrides the virtual steps; here each follows the document.
//
// A transport delivers whole packets of at most Options::mtu octets, in any order. It should not lose any, as the
// device does not (1.1): the protocol retransmits nothing, and an operation whose peer stops answering ends with
// Status::vanished. Duplicate packets are handled.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/efa/call.h"
#include "reference/efa/id_table.h"
#include "reference/efa/matcher.h"
#include "reference/efa/memory.h"
#include "reference/efa/operation.h"
#include "reference/efa/options.h"
#include "reference/efa/packet.h"
#include "reference/efa/peer.h"
#include "reference/efa/peer_error.h"
#include "reference/efa/timers.h"
#include "reference/endpoint.h"

namespace wirelaw::efa {

// Why a packet, or its request, was dropped.
enum class Drop : std::uint8_t {
  malformed,      // cannot be decoded
  wrong_version,  // not 4
  unknown_type,   // its format is not defined
  not_announced,  // uses an extra feature that this endpoint has not announced
  wrong_connid,   // meant for another endpoint with the same address (4.4)
  duplicate,
  unknown_id,     // the ID is of no operation of this peer in a suitable state
  out_of_window,  // too far ahead
  contradicts,    // contradicts itself, the message so far, or registered memory
  no_room,        // a limit of Options is reached
};
inline constexpr std::size_t kDrops = static_cast<std::size_t>(Drop::no_room) + 1;
std::string_view to_string(Drop drop);

class Endpoint {
 public:
  // Equal seeds and inputs produce equal octets.
  Endpoint(const Options& options, std::uint64_t seed);
  virtual ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- transport
  // Handles one packet's octets, valid or not.
  void receive(PeerId from, Octets octets, Instant now);
  // Gives up operations that have waited too long.
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  // Returns the next packet to send. Packets are made when they are fetched; fetch them after every call.
  bool next_datagram(Outgoing& out);

  // Returns the next RDMA work. There is none unless Extra::rdma_read or rdma_write is announced.
  bool next_rdma(RdmaWork& out);
  // `octets`: data of a read, RdmaWork::remote.len octets; empty for a write. An unknown id is ignored.
  void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now);
  // RDMA that a peer starts; return nothing, or false, if it is not allowed.
  std::optional<Octets> rdma_read(const RmaIov& what);
  bool rdma_written(PeerId from, const RmaIov& where, Octets octets, std::optional<std::uint64_t> cq_data);
  // For a device that does RDMA by itself. `registrar` outlives the endpoint, is set before anything is registered, and
  // reports each write with CQ data once it is done.
  void register_with(Registrar& registrar) {
    registrar_ = &registrar;
    memory_.register_with(&registrar);
  }
  void rdma_write_reported(PeerId from, std::uint64_t octets, std::uint64_t cq_data) {
    report_remote_write(from, octets, cq_data);
  }

  // --- application
  OperationId send(PeerId to, SendCall call, Instant now);
  OperationId post_receive(ReceiveCall call, Instant now);
  OperationId write(PeerId to, WriteCall call, Instant now);
  OperationId read(PeerId to, ReadCall call, Instant now);
  OperationId atomic(PeerId to, AtomicRequest call, Instant now);
  // Ends a send in progress, and sends PEER_ERROR if the peer understands it (4.10 of later documents). Returns false
  // if the send must continue, because all of it has been sent or the peer reads it.
  bool give_up(OperationId send, Instant now);
  // Returns the next completion. Each call has one, in the order in which calls end. A peer's write with CQ data has
  // one, too.
  bool next_completion(Completion& out);
  // Ends every operation with the peer and forgets it.
  void remove_peer(PeerId peer);
  Memory& memory() { return memory_; }
  // Limits the number of buffers that are registered for RDMA reads at once, from now on.
  void limit_registrations(std::size_t most) { options_.registrations = most; }

  // --- state
  const RawAddress& address() const { return options_.address; }
  bool knows_capabilities_of(PeerId peer) const;
  bool announces(PeerId peer, Extra extra) const;  // false if not known yet
  std::size_t peers() const { return peers_.size(); }
  std::size_t operations() const { return transmissions_.size() + receptions_.size(); }
  std::size_t octets_held() const { return budget_.used(); }  // at most Options::held_octets
  std::uint64_t dropped(Drop drop) const { return drops_[static_cast<std::size_t>(drop)]; }

 protected:
  using Stage = Transmission::Stage;
  using Spans = std::vector<std::span<Octet>>;
  // The subprotocol of a call, or the reason why there is none.
  struct Choice {
    const Layout* request = nullptr;
    Status status = Status::ok;
    bool wait = false;  // the peer's capabilities are needed but not known
    bool direct = false;
  };
  // The owner of an RDMA work: a reception, or a direct read or write.
  struct RdmaTarget {
    std::optional<OperationId> call = {};
    Completion::Kind kind = Completion::Kind::read;
    PeerId peer = 0;
    std::uint32_t reception = 0;
    std::uint64_t offset = 0;
    std::uint64_t octets = 0;
  };

  // --- steps: packets, peers and the handshake (1.3, 2, 4.4), in endpoint.cc
  virtual bool responds() const { return true; }  // accepts packets and calls
  virtual bool understands(const Packet& packet);
  virtual bool serves(const Peer& peer, const Packet& packet);
  virtual void drop(Drop reason);
  virtual bool is_another_endpoint(const Peer& peer, std::uint32_t connid) const;
  virtual bool may_succeed(const Peer&) const { return true; }  // whether another endpoint may take its address
  virtual void forget(Peer& peer, Status status);               // deletes the peer
  virtual bool owes_handshake(const Peer& peer, const Layout& received) const;
  virtual void on_handshake(Peer& peer, const Packet& packet);

  // --- steps: choice of the subprotocol (2.1, 3.2, 3.3), in choose.cc
  virtual std::uint32_t first_msg_id() const { return options_.first_msg_id; }  // for each peer (EFA/A-20)
  virtual std::uint32_t next_msg_id(Peer& peer, const Transmission& op);
  virtual Choice may_use(const Peer& peer, std::uint64_t extras) const;
  virtual bool takes_immediate(const Peer& peer) const;
  virtual bool takes_messages(const Peer& peer) const;
  virtual bool fits_readrsp(std::uint64_t octets) const;

  // --- steps: packets out (2.2, 3.2, 4.3, 4.4), in transmit.cc
  virtual void send_packet(const Peer& peer, const Packet& packet);
  virtual bool sends_raw_address(const Peer& peer) const;
  virtual bool sends_connid(const Peer& peer) const;
  virtual bool await_first_cts(Transmission& op);

  // --- steps: answers to a transmission (3.2, 4.2, 4.7), in answers.cc
  virtual std::uint64_t window_of(const Transmission& op, const Packet& cts);
  virtual bool confirms(const Transmission& op, const Packet& receipt) const;
  virtual void follow_nack(Peer& peer, Transmission& op);
  virtual void begin_again(Peer& peer, Transmission& op, const Layout& long_cts);

  // --- steps: messages in their order (3.2), in messages.cc
  virtual void on_ordered(Peer& peer, const Packet& packet);
  virtual Reorder& order_of(Peer& peer) { return peer.order; }
  virtual void keep_for_its_turn(Peer& peer, const Packet& packet);
  virtual void on_repeated(Peer& peer, const Packet& packet);
  virtual bool take(Peer& peer, const Packet& packet);
  virtual bool begin_message(Peer& peer, const Packet& packet);
  virtual std::optional<PostedReceive> receive_for(const UnexpectedMessage& message);
  virtual bool take_first_data(Reception& op, std::uint64_t offset, Octets data);
  virtual void truncate(Reception& op);

  // --- steps: data in (3.2, 3.3, 4.2), in receptions.cc
  virtual bool accept(Reception& op, std::uint64_t offset, Octets octets);
  virtual bool is_whole(const Reception& op) const;
  virtual bool window_is_used_up(const Reception& op) const;
  virtual std::uint64_t next_window(const Reception& op) const;
  virtual void grant(Reception& op);
  virtual void finish(Reception& op);
  virtual void end(Reception& op, Status status);
  virtual bool may_send_to(const Peer& peer, const Reception& op) const;
  virtual void on_ctsdata(Peer& peer, const Packet& packet);
  virtual void on_readrsp(Peer& peer, const Packet& packet);
  virtual void on_atomrsp(Peer& peer, const Packet& packet);

  // --- steps: one-sided operations (3.3), in one_sided.cc
  virtual std::optional<Spans> find_memory(Octets iovs, std::uint64_t total, Access access);
  virtual void refuse_memory(const Packet& request);
  virtual void place_write(const Packet& packet, const Spans& spans);
  virtual Octets data_in(const Packet& request) const;
  virtual void answer_read(Peer& peer, Transmission& op);
  virtual bool needs_no_operand(const Packet& packet) const;
  virtual void refuse_undefined_atomic(const Packet& packet);
  virtual void refuse_operands(const Packet& packet);
  virtual void apply(const Packet& packet, std::span<Octet> span, Octets buf, Octets compare);
  virtual bool answers_atomic(const Packet& packet) const;

  // --- steps: RDMA (3.3, 4.1, 4.5 to 4.7), in long_read.cc
  virtual bool runt_is_whole(const Reception& op) const;
  virtual bool may_nack(const Peer& peer) const { return may_expect(peer, Extra::read_nack); }
  virtual void start_reads(Reception& op);
  virtual void read_done(Reception& op, const RdmaTarget& target, bool ok, Octets octets);
  virtual void send_eor(const Reception& op);
  virtual void report_remote_write(PeerId from, std::uint64_t octets, std::uint64_t cq_data);

  // --- steps: PEER_ERROR (4.10 of later documents), in peer_errors.cc
  virtual bool may_send_errors(const Peer& peer) const;
  virtual void give_up_read(const Reception& op);
  virtual void on_peer_error(Peer& peer, const Packet& packet);

  // --- data for the steps
  void send_peer_error(Peer& peer, RefKind kind, std::uint32_t op_id, std::uint32_t prov_errno);
  bool may_expect(const Peer& peer, Extra extra) const;
  bool uses(const Peer& peer, Extra extra) const;
  void put_out(const Peer& peer, OctetBuffer octets) {
    outbox_.push_back({.to = peer.id, .octets = std::move(octets)});
  }
  void send_handshake(Peer& peer);
  void send_receipt(Peer& peer, std::uint32_t send_id, std::uint32_t msg_id);
  bool take_atomic(Peer& peer, const Packet& packet);
  static bool scatter(std::span<const std::span<Octet>> spans, std::uint64_t offset, Octets octets);
  std::uint64_t own_extras() const;
  Peer* find_peer(PeerId id);

  Options options_;
  OctetBudget budget_;  // declared before its users
  std::map<PeerId, Peer> peers_;
  IdTable<Transmission> transmissions_;
  IdTable<Reception> receptions_;
  Matcher matcher_;
  Memory memory_;        // declared after the buffers that it refers to
  OctetBuffer scratch_;  // data of the packet under construction

 private:
  struct Handler {
    void (Endpoint::*on_packet)(Peer&, const Packet&) = nullptr;
  };
  struct Direct {
    std::size_t parts = 0;
    bool ok = true;
    std::uint64_t length = 0;
    OctetBuffer data;
  };

  // endpoint.cc: packets in, peers, time
  static const std::array<Handler, 256>& handlers();
  Peer* admit(PeerId from, const Packet& packet);
  Peer* make_peer(PeerId id);
  void watch(Transmission& op);
  void watch(Reception& op);
  void watch_gap(Peer& peer);
  void expire(const TimerTarget& target);
  void complete(Completion completion) { completions_.push_back(std::move(completion)); }

  // calls.cc: the application
  OperationId refuse(Completion::Kind kind, PeerId peer, Status status);
  Transmission* begin_call(PeerId to, Completion::Kind kind, Purpose purpose);
  OperationId submit(Transmission& op);

  // choose.cc: choice of the subprotocol
  void start_held(Peer& peer);
  void ask_for_handshake(Peer& peer);
  Choice choose(const Peer& peer, const Transmission& op);
  Choice choose_asked(const Peer& peer, const Transmission& op);
  Choice choose_fitting(const Peer& peer, const Transmission& op);
  Choice choose_read(const Transmission& op) const;
  Choice choose_atomic(const Peer& peer, const Transmission& op);
  Choice needs(const Peer& peer, const Layout& layout) const;
  bool fits_one_packet(const Peer& peer, const Transmission& op, const Layout& layout);
  void begin(Peer& peer, Transmission& op, const Choice& choice);
  void number(Peer& peer, Transmission& op);
  bool expect_answer(Peer& peer, Transmission& op);

  // transmit.cc: packets out
  void emit(Peer& peer, const Packet& packet);
  void put_answer_connid(Packet& packet) const;
  void put_sender(const Peer& peer, Packet& packet) const;
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

  // answers.cc: answers to a transmission
  Transmission* transmission_of(const Peer& peer, const Packet& packet);
  void on_cts(Peer& peer, const Packet& packet);
  void on_eor(Peer& peer, const Packet& packet);
  void on_receipt(Peer& peer, const Packet& packet);
  void on_read_nack(Peer& peer, const Packet& packet);

  // messages.cc: RTM, and the order of RTM and RTA
  void take_what_waited(Peer& peer);
  void continue_message(Peer& peer, const Packet& packet);
  void continue_nacked(Reception& op, const Packet& packet);
  void match(Reception& op, const PostedReceive& receive);

  // receptions.cc: data in
  bool room_for_peers(std::size_t open) const;
  Reception* begin_reception(Peer& peer, Reception::Kind kind, const Packet& packet);
  Reception* reception_of(const Peer& peer, const Packet& packet);
  bool place(Reception& op, std::uint64_t offset, Octets octets);
  void progress(Reception& op);

  // one_sided.cc: RTW, RTR, RTA
  void on_eager_write(Peer& peer, const Packet& packet);
  void on_long_write(Peer& peer, const Packet& packet);
  void on_read_request(Peer& peer, const Packet& packet);
  bool operands_fit(const Packet& packet, std::size_t octets, const Spans& spans) const;
  void do_atomic(Peer& peer, const Packet& packet, const Spans& spans);
  void send_atomrsp(Peer& peer, const Packet& request);

  // peer_errors.cc: operations that one side gives up
  struct GivingUp {
    RefKind kind;
    std::uint32_t id;
  };
  static std::optional<GivingUp> giving_up(const Transmission& op);
  void peer_gives_up_operation(Peer& peer, std::uint32_t id);
  void peer_gives_up_message(Peer& peer, std::uint32_t msg_id);

  // long_read.cc: RDMA
  void read_or_nack(Reception& op);
  bool can_register(std::uint64_t octets);
  void reads_ended(Reception& op);
  void start_direct(Peer& peer, Transmission& op);
  void direct_done(const RdmaTarget& target, bool ok, Octets octets);

  Instant now_{};
  Registrar* registrar_ = nullptr;
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

  // The memory that the packet under construction refers to.
  OctetBuffer raw_address_;
  OctetBuffer iov_scratch_;
};

}  // namespace wirelaw::efa
