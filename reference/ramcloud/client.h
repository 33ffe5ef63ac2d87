// SPDX-License-Identifier: Apache-2.0
// The client of RAMCloud RPC, sans I/O: one session to one server, opened with the first call and opened again when the
// server has forgotten it. Calls run in parallel on the session's channels, one RPC at a time on each; further calls
// wait in a queue.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/endpoint.h"
#include "reference/octet_budget.h"
#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/options.h"
#include "reference/ramcloud/outbox.h"
#include "reference/ramcloud/packet.h"
#include "reference/ramcloud/tokens.h"

namespace wirelaw::ramcloud {

using CallId = std::uint64_t;  // 0, 1, 2, … in the order of the calls

struct CallError {
  enum class Reason : std::uint8_t {
    request_too_long,    // totalFrags cannot count its fragments
    session_unanswered,  // nobody answered the session open requests
    session_refused,     // BAD_SESSION too often in a row
    unanswered,          // the server fell silent
    overtaken,           // by a deviation only
  };
  Reason reason;
  std::string text;  // for people
};

struct CallResult {
  CallId id = 0;
  tl::expected<OctetBuffer, CallError> response;
};

class Client {
 public:
  // The same seed and inputs give the same octets; the seed also gives the clientSessionHints. `server` is what
  // next_datagram names as the destination. options.fragment_octets, window and ack_every are at least 1.
  Client(const Options& options, std::uint64_t seed, const Deviations& deviations = {}, PeerId server = 0);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  CallId call(OctetBuffer request, Instant now);
  // One datagram's octets, whatever they are.
  void receive(Octets octets, Instant now);
  // Does what is due by now. After a long pause one resend is due, not as many as would have fitted into it.
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  // Datagrams wait here until they are fetched; fetch them after every call.
  bool next_datagram(Outgoing& out);
  // Each call has one result, in the order of completion.
  bool next_result(CallResult& out);

  bool connected() const { return state_ == State::open; }

 private:
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
    std::optional<MessageReceiver> response;  // of the current or, until the next one, the last RPC
    Instant timer{};
    unsigned silence = 0;  // intervals in which nothing came

    // Something of the RPC came: the silence begins anew.
    void heard(Instant next_timer) {
      silence = 0;
      timer = next_timer;
    }
    bool active() const { return state == State::sending || state == State::receiving; }
  };

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  bool dies_of(const Header& header, Octets payload) const;

  void open(Instant now);
  void send_open();
  void on_open_response(const Packet& packet, Instant now);
  void on_bad_session(Instant now);
  void forget_session();
  void fail_all(CallError::Reason reason, const std::string& text);

  void assign(Instant now);
  std::size_t free_channel() const;
  void start(std::size_t index, Call call, Instant now);
  std::size_t addressed_channel(const Header& header) const;
  void on_packet(const Packet& packet, Instant now);
  void on_data(std::size_t index, const Packet& packet, Instant now);
  void on_ack(std::size_t index, const Packet& packet, Instant now);
  void complete(Channel& channel);

  void advance_open(Instant now);
  void advance_channel(std::size_t index, Instant now);
  void resend(std::size_t index, Instant now);
  void give_up(Channel& channel);

  std::uint8_t wire_channel(std::size_t index) const;
  std::uint32_t first_rpc() const;
  Header header_for(std::size_t index);
  void send_new(std::size_t index, Instant now);
  void send_fragment(std::size_t index, const Fragment& fragment);

  Options options_;
  Deviations deviations_;
  PeerId server_;
  OctetBudget budget_;  // before what charges it
  Outbox outbox_;

  State state_ = State::closed;
  TokenSource hints_;
  std::uint32_t hint_;  // of the session, or of the next
  std::uint64_t token_ = 0;
  std::uint32_t server_hint_ = 0;
  unsigned announced_ = 0;  // the octet of the session open response
  unsigned open_tries_ = 0;
  Instant open_timer_{};
  unsigned reopens_ = 0;  // since a call was completed
  std::vector<Channel> channels_;

  std::deque<Call> waiting_;
  std::deque<CallResult> results_;
  CallId calls_ = 0;
  bool dead_ = false;

  std::optional<std::uint64_t> other_token_;         // token-alternates
  std::uint64_t packets_ = 0;                        // token-alternates
  std::vector<std::uint32_t> rpcs_of_last_session_;  // rpc-id-not-reset-on-reopen
};

}  // namespace wirelaw::ramcloud
