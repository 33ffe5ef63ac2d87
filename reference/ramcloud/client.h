// SPDX-License-Identifier: Apache-2.0
// The client of RAMCloud RPC, sans I/O. It has one session to one server, which it opens with the first call, and again
// when the server has forgotten it. Calls run in parallel on the session's channels, one RPC at a time on each; further
// calls wait in a queue.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "reference/endpoint.h"
#include "reference/octet_budget.h"
#include "reference/ramcloud/options.h"
#include "reference/ramcloud/outbox.h"
#include "reference/ramcloud/packet.h"
#include "reference/ramcloud/tokens.h"

namespace wirelaw::ramcloud {

using CallId = std::uint64_t;  // 0, 1, 2, … in call order

struct CallError {
  enum class Reason : std::uint8_t {
    request_too_long,    // its fragments exceed the range of totalFrags
    session_unanswered,  // no response to the session open requests
    session_refused,     // BAD_SESSION too often in a row
    unanswered,          // the server stopped answering
  };
  Reason reason;
  std::string text;  // a message for the user
};

struct CallResult {
  CallId id = 0;
  tl::expected<OctetBuffer, CallError> response;
};

class Client {
 public:
  // The same seed and inputs give the same octets; the seed also determines the clientSessionHints. `server` is the
  // destination in next_datagram(). options.fragment_octets, window and ack_every are at least 1.
  Client(const Options& options, std::uint64_t seed, PeerId server = 0)
      : Client(options, seed, server, std::make_unique<Outbox>()) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  CallId call(OctetBuffer request, Instant now);
  // Handles one datagram's octets, valid or not.
  virtual void receive(Octets octets, Instant now);
  // Runs the timers that are due. After a long pause only one resend is due.
  virtual void advance(Instant now);
  virtual std::optional<Instant> deadline() const;
  // Returns the next datagram to send. Fetch them after every call.
  bool next_datagram(Outgoing& out);
  // Returns the next result, in the order of completion. Each call has one.
  bool next_result(CallResult& out);

  bool connected() const { return state_ == State::open; }

 protected:
  enum class State : std::uint8_t { closed, opening, open };

  struct Call {
    CallId id;
    OctetBuffer request;
  };

  struct Channel {
    enum class State : std::uint8_t { idle, sending, receiving, retired };

    State state = State::idle;
    std::uint32_t next_rpc = 0;
    std::uint32_t rpc_id = 0;
    CallId call = 0;
    std::optional<MessageSender> request;
    std::unique_ptr<MessageReceiver> response;  // to the current RPC or, until there is one, to the last RPC
    Instant timer{};
    unsigned silence = 0;  // intervals without a packet

    // A packet of the RPC has arrived: the silent interval begins again.
    void end_silence(Instant next_timer) {
      silence = 0;
      timer = next_timer;
    }
    bool active() const { return state == State::sending || state == State::receiving; }
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Client(const Options& options, std::uint64_t seed, PeerId server, std::unique_ptr<Outbox> outbox);

  // The steps of the protocol; faults/faulty_client.cc overrides them. An `index` is that of a channel.

  // --- packets and the session
  // "flags.pleaseDrop", "flags.direction": returns whether the client handles a packet at all.
  virtual bool admits(const Packet& packet);
  // "sessionToken": returns whether a packet belongs to the session of its hint.
  virtual bool has_token(const Header& header) const { return header.session_token == token_; }
  // PT_SESSION_OPEN
  virtual void open(Instant now);
  virtual void send_open();
  virtual void on_open_response(const Packet& packet, Instant now);
  // PT_BAD_SESSION: decides whether another session is opened (RAMCLOUD/R27).
  virtual void on_bad_session(Instant now);
  virtual bool reopens() const { return reopens_ < options_.max_reopens; }
  // Ends the session, or the attempt to open one.
  virtual void forget_session();

  // --- requests
  // "Sessions and Channels": returns a channel that may begin an RPC; kNone if there is none.
  virtual std::size_t free_channel() const;
  // "channelId", "rpcId" and the other fields that identify an RPC.
  virtual std::uint8_t wire_channel(std::size_t index) const { return static_cast<std::uint8_t>(index); }
  virtual std::uint32_t first_rpc(std::size_t) const { return 0; }
  virtual Header header_for(std::size_t index);
  virtual void start(std::size_t index, Call call, Instant now);
  // PT_ACK: applies an ACK of the request, and chooses the fragments to resend.
  virtual MessageSender::Acked take_ack(Channel& channel, const Ack& ack, Instant now);
  virtual void resend_missing(std::size_t index, Instant now);

  // --- the response
  // Returns the channel whose current RPC a packet belongs to; before the next RPC, its last one.
  virtual std::size_t addressed_channel(const Header& header) const;
  virtual std::unique_ptr<MessageReceiver> make_receiver();
  // "totalFrags": after a fragment has arrived, returns whether the response is complete.
  virtual bool is_whole(const MessageReceiver& response) const { return response.complete(); }

  // --- silence ("Old")
  // Returns whether to resend after this number of silent intervals.
  virtual bool tries_again(unsigned silent_intervals) const { return silent_intervals < options_.silent_intervals; }
  virtual void resend(std::size_t index, Instant now);
  virtual std::vector<std::uint16_t> overdue(const MessageSender& request, Instant now) const;
  virtual void report_missing(std::size_t index);

  void send_fragment(std::size_t index, const Fragment& fragment);
  void finish(CallId call, CallError error) { results_.push_back({call, tl::unexpected(std::move(error))}); }

  Options options_;
  OctetBudget budget_;  // declared before its users
  State state_ = State::closed;
  std::uint32_t hint_ = 0;  // the session's hint, or the next session's
  std::uint64_t token_ = 0;
  std::uint32_t server_hint_ = 0;
  unsigned announced_ = 0;   // octet of the session open response
  unsigned open_tries_ = 0;  // session open requests of the current attempt
  std::vector<Channel> channels_;
  std::deque<Call> waiting_;
  PeerId server_;
  std::unique_ptr<Outbox> outbox_;

 private:
  void on_packet(const Packet& packet, Instant now);
  void on_data(std::size_t index, const Packet& packet, Instant now);
  void on_ack(std::size_t index, const Packet& packet, Instant now);
  void complete(Channel& channel);
  void fail_all(CallError::Reason reason, const std::string& text);
  void assign(Instant now);
  void send_new(std::size_t index, Instant now);
  void advance_open(Instant now);
  void advance_channel(std::size_t index, Instant now);
  void give_up(Channel& channel);

  TokenSource hints_;
  Instant open_timer_{};
  unsigned reopens_ = 0;  // since the last call that was completed
  std::deque<CallResult> results_;
  CallId calls_ = 0;
};

}  // namespace wirelaw::ramcloud
