// SPDX-License-Identifier: Apache-2.0
// The server of RAMCloud RPC, sans I/O. It opens sessions, reassembles requests, passes them to the upper layer, and
// sends responses, again if they are missing. It keeps the response to the latest RPC of every channel, and executes no
// RPC twice.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "reference/endpoint.h"
#include "reference/octet_budget.h"
#include "reference/ramcloud/options.h"
#include "reference/ramcloud/outbox.h"
#include "reference/ramcloud/packet.h"
#include "reference/ramcloud/session_table.h"

namespace wirelaw::ramcloud {

// An RPC that the upper layer may answer once, at any later time. The generation invalidates a handle once its session
// has gone or its channel has begun another RPC.
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
  Server(const Options& options, std::uint64_t seed) : Server(options, seed, std::make_unique<Outbox>()) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  // Handles one datagram's octets, valid or not.
  virtual void receive(PeerId from, Octets octets, Instant now);
  // Does nothing: a server has no timers (RAMCLOUD/R26). Idle sessions are removed when another one opens or memory is
  // short.
  void advance(Instant now);
  std::optional<Instant> deadline() const { return std::nullopt; }
  // Returns the next datagram to send. Fetch them after every call.
  bool next_datagram(Outgoing& out);

  // Returns the next complete request, in the order of completion.
  virtual bool next_request(Request& out);
  // Does nothing and returns false if the handle is stale, the RPC has been answered, or the response has more
  // fragments than totalFrags can express or more octets than the memory limit allows.
  virtual bool respond(const RpcHandle& handle, Octets response, Instant now);

  std::size_t sessions() const { return sessions_.size(); }
  // Octets kept for peers; at most options.reassembly_octets.
  std::size_t octets_held() const { return budget_.used(); }

 protected:
  Server(const Options& options, std::uint64_t seed, std::unique_ptr<Outbox> outbox);

  // The steps of the protocol; faults/faulty_server.cc overrides them.

  // --- packets and sessions
  // "flags.pleaseDrop", "flags.direction": returns whether the server handles a packet at all.
  virtual bool admits(PeerId from, const Packet& packet);
  // "sessionToken": returns whether a packet with this token belongs to the session of its hint (RAMCLOUD/R9).
  virtual bool has_token(const ServerSession& session, std::uint64_t token) const { return session.token == token; }
  virtual std::uint64_t fresh_token() { return sessions_.fresh_token(); }
  // PT_SESSION_OPEN
  virtual void on_open(PeerId from, const Header& header, Instant now);
  // "Session Open Response Payload Format": maxChannelId
  virtual std::uint8_t announcement() const;
  // PT_BAD_SESSION
  virtual void on_invalid_session(PeerId from, const Packet& packet, Instant now);
  virtual void send_bad_session(PeerId to, Header header);

  // --- requests
  // "channelId": has_channel() returns whether sessions have this channel; the other returns the channel of a session,
  // or null.
  virtual bool has_channel(std::uint8_t id) const { return id < options_.channels; }
  virtual ServerChannel* channel_of(ServerSession& session, std::uint8_t id);
  // "rpcId": returns whether a request begins the next RPC of a channel.
  virtual bool starts_rpc(const ServerChannel& channel, std::uint32_t rpc_id) const;
  virtual std::unique_ptr<MessageReceiver> make_receiver();
  // PT_DATA
  virtual void on_data(ServerSession& session, const Packet& packet, Instant now);
  // "fragNumber": returns whether the message has this fragment.
  virtual bool exists(const Header& header) const { return header.frag_number < header.total_frags; }
  // "flags.requestAck": sends an ACK if the fragment requests one.
  virtual void acknowledge(const ServerSession& session, const ServerChannel& channel, const Header& header);
  // "totalFrags": after a fragment has arrived, returns whether the request can be executed.
  virtual bool is_due(const ServerChannel& channel, const Header& header) const;
  // "Single packet response is lost": handles a fragment of a request that is already complete.
  virtual void on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now);

  // --- the response
  // PT_ACK: applies an ACK of the response.
  virtual MessageSender::Acked take_ack(ServerChannel& channel, const Ack& ack, Instant now);
  // "Multi-packet response is lost": returns the fragments to resend after an ACK.
  virtual std::vector<std::uint16_t> missing(const MessageSender& response, Instant now) const;

  void start_rpc(ServerChannel& channel, std::uint32_t rpc_id);
  void on_fragment(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now);

  const Options& options() const { return options_; }
  OctetBudget& budget() { return budget_; }
  SessionTable& table() { return sessions_; }
  Outbox& outbox() { return *outbox_; }

 private:
  ServerSession* session_of(const Header& header);
  Header header_for(const ServerSession& session, const ServerChannel& channel, std::uint8_t id) const;
  void on_ack(ServerSession& session, const Packet& packet, Instant now);
  void hand_up(ServerSession& session, ServerChannel& channel, std::uint8_t id);
  void resend(const ServerSession& session, ServerChannel& channel, std::uint8_t id, std::uint16_t number, Instant now);
  void send_new(const ServerSession& session, ServerChannel& channel, std::uint8_t id, Instant now);

  Options options_;
  OctetBudget budget_;  // declared before its users
  SessionTable sessions_;
  std::unique_ptr<Outbox> outbox_;
  std::deque<RpcHandle> complete_;
  std::uint64_t generations_ = 0;
};

}  // namespace wirelaw::ramcloud
