// SPDX-License-Identifier: Apache-2.0
// The server of RAMCloud RPC, sans I/O: it opens sessions, puts requests together, hands them to the upper layer, and
// sends responses, again where they are missing. It keeps the response to the latest RPC of every channel, and executes
// no RPC twice.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "reference/endpoint.h"
#include "reference/octet_budget.h"
#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/options.h"
#include "reference/ramcloud/outbox.h"
#include "reference/ramcloud/packet.h"
#include "reference/ramcloud/session_table.h"

namespace wirelaw::ramcloud {

// One RPC that the upper layer may answer, once, at any later time. The generation makes a handle useless as soon as
// its session has gone or its channel has turned to another RPC.
struct RpcHandle {
  std::uint32_t session = 0;
  std::uint8_t channel = 0;
  std::uint64_t generation = 0;
  friend bool operator==(const RpcHandle&, const RpcHandle&) = default;
};

struct Request {
  RpcHandle handle;
  OctetBuffer payload;
};

class Server {
 public:
  // The same seed and inputs give the same octets. options.fragment_octets, window and ack_every are at least 1.
  Server(const Options& options, std::uint64_t seed, const Deviations& deviations = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // One datagram's octets, whatever they are.
  void receive(PeerId from, Octets octets, Instant now);
  // A server has no timers (R26): nothing is ever due. Idle sessions go when another opens or memory is short.
  void advance(Instant now);
  std::optional<Instant> deadline() const { return std::nullopt; }
  // Datagrams wait here until they are fetched; fetch them after every call.
  bool next_datagram(Outgoing& out);

  // Complete requests, in the order of their completion.
  bool next_request(Request& out);
  // False, and nothing done, where the handle is stale, the RPC is answered already, or the response has more fragments
  // than totalFrags can count or more octets than the memory bound allows.
  bool respond(const RpcHandle& handle, Octets response, Instant now);

  std::size_t sessions() const { return sessions_.size(); }
  // Octets kept for peers; never above options.reassembly_octets.
  std::size_t octets_held() const { return budget_.used(); }

 private:
  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  bool admits(PeerId from, const Packet& packet);
  bool dies_of(const Header& header, Octets payload) const;
  ServerSession* session_of(const Header& header);
  ServerChannel* channel_of(ServerSession& session, std::uint8_t id);
  Header header_for(const ServerSession& session, const ServerChannel& channel, std::uint8_t id) const;

  void on_no_session(PeerId from, const Packet& packet, Instant now);
  void on_open(PeerId from, const Header& header, Instant now);
  void on_data(ServerSession& session, const Packet& packet, Instant now);
  void on_ack(ServerSession& session, const Packet& packet, Instant now);
  void send_bad_session(PeerId to, Header header);

  bool starts_rpc(const ServerChannel& channel, std::uint32_t rpc_id) const;
  void start_rpc(ServerChannel& channel, std::uint32_t rpc_id);
  void on_fragment(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now);
  void on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now);
  void hand_up(ServerSession& session, ServerChannel& channel, std::uint8_t id);
  bool another_is_receiving(const ServerSession& session, const ServerChannel& channel) const;
  void drop_other_responses(ServerSession& session, const ServerChannel& kept);

  void resend(const ServerSession& session, ServerChannel& channel, std::uint8_t id, std::uint16_t number, Instant now);
  void send_new(const ServerSession& session, ServerChannel& channel, std::uint8_t id, Instant now);

  Options options_;
  Deviations deviations_;
  OctetBudget budget_;  // before what charges it
  SessionTable sessions_;
  Outbox outbox_;
  std::deque<RpcHandle> complete_;
  std::optional<Request> again_;  // for a deviation only
  std::uint64_t generations_ = 0;
  bool dead_ = false;
};

}  // namespace wirelaw::ramcloud
