// SPDX-License-Identifier: Apache-2.0
// One end of an SMB Direct connection, in either role ([MS-SMBD] 3.1). It does no I/O and reads no clock. Its
// interface:
//
//   the RDMA layer    calls begin(), connected(), receive(), completed(), disconnected() and advance(); it uses
// next_work()
//                     and deadline()
//   the upper layer   sends messages, registers buffers, requests RDMA Reads and Writes, and fetches events
//
// Fetch work and events after every call. The memory for data from the peer is limited to the posted receives, one
// message in reassembly, and events that the upper layer has not fetched, for which the endpoint withholds credits.
//
// The steps that reference/smbd/faults/ overrides are virtual; make_endpoint() chooses. "A…" are the rulings on points
// that the text leaves open.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "reference/endpoint.h"
#include "reference/role.h"
#include "reference/smbd/checks.h"
#include "reference/smbd/events.h"
#include "reference/smbd/message.h"
#include "reference/smbd/options.h"
#include "reference/smbd/reassembly.h"
#include "reference/smbd/receive_credits.h"
#include "reference/smbd/registrar.h"
#include "reference/smbd/transfer.h"
#include "reference/smbd/work.h"

namespace wirelaw::smbd {

enum class Phase : std::uint8_t {
  idle,         // begin() has not been called
  negotiating,  // Connection.Role ACTIVE or PASSIVE
  established,
  ended,  // Disconnect has been issued as work, or the connection is lost
};

enum class SendError : std::uint8_t {
  not_established,
  too_long,   // above Connection.MaxFragmentedSendSize
  no_room,    // Connection.MaxSendSize is too small for data (ruling SMBD/A22)
  queue_full  // Options::queue_octets
};

class Endpoint {
 public:
  // `registrar` outlives the endpoint.
  Endpoint(Role role, const Options& options, Registrar& registrar);
  virtual ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- the RDMA layer
  // A connection is being opened, by this side or by the peer (3.1.4.1, 3.1.7.2). The work includes a receive, which
  // must be posted before the connection is open.
  virtual void begin(Instant now);
  // The connection is open. A listener may get its first message before this (S-11).
  void connected(Instant now);
  // A message has arrived and consumed a receive. `invalidated`: the local token that the peer has invalidated with it.
  virtual void receive(Octets octets, std::optional<Token> invalidated, Instant now);
  // A Send, Write or Read is complete.
  void completed(WorkId id, bool ok, Instant now);
  // The connection is lost (3.1.7.1), whichever side caused that.
  void disconnected(Instant now);
  virtual void advance(Instant now);
  std::optional<Instant> deadline() const;
  // Moves the next work to `out`; returns false if there is none now.
  bool next_work(Work& out);

  // --- the upper layer
  // 3.1.4.2. `invalidate`: a token of the peer, which the Send invalidates.
  virtual tl::expected<MessageId, SendError> send(OctetBuffer message, std::optional<Token> invalidate = std::nullopt);
  // 3.1.4.3. Returns the descriptors of the parts of one buffer, in order. If the provider refuses, registers and
  // returns nothing.
  virtual std::optional<std::vector<BufferDescriptorV1>> register_buffer(std::span<const std::span<Octet>> parts,
                                                                         Access access);
  // 3.1.4.4. Returns false if the provider refuses one of them.
  virtual bool deregister_buffer(std::span<const BufferDescriptorV1> descriptors);
  // 3.1.4.5, 3.1.4.6: transfer from `offset` on in the peer's buffer. The memory that a Read fills must stay until
  // Transferred. The peer's token must stay valid as long: it must not be invalidated during the transfer.
  tl::expected<TransferId, TransferError> write(OctetBuffer octets, std::span<const BufferDescriptorV1> remote,
                                                std::uint64_t offset = 0);
  tl::expected<TransferId, TransferError> read(std::span<Octet> into, std::span<const BufferDescriptorV1> remote,
                                               std::uint64_t offset = 0);
  // Ends the connection once everything queued and in progress is done, or after Options::close_timeout.
  void close(Instant now);
  // Ends the connection now.
  void abort(Instant now);
  bool next_event(Event& out);

  // --- state
  Phase phase() const { return phase_; }
  Role role() const { return role_; }
  virtual Parameters parameters() const;
  std::uint32_t send_credits() const { return send_credits_; }
  std::uint32_t receive_credits() const { return credits_.posted(); }
  std::size_t queued() const { return queue_.size(); }
  std::size_t transfers() const { return transfers_.size(); }
  std::size_t octets_held() const { return reassembly_.octets() + backlog_; }  // received from the peer

 protected:
  // An upper-layer message that waits for credits, and the number of octets sent.
  struct Queued {
    MessageId id = 0;
    OctetBuffer data;
    std::optional<Token> invalidate;
    std::size_t sent = 0;
    bool begun = false;
  };
  // A Data Transfer message to be sent.
  struct Segment {
    DataTransfer message;
    std::optional<Token> invalidate = {};
    std::optional<MessageId> completes = {};  // set in the last one of an upper-layer message
    bool first = false;
    bool last = false;
  };
  // The refusal of a Negotiate Request. A failure response carries the status, if any.
  struct Refusal {
    Reason reason;
    std::optional<std::uint32_t> status = {};
  };
  enum class Keepalive : std::uint8_t { none, pending, sent };  // Connection.KeepaliveRequested

  // --- steps of the negotiation (negotiation.cc)
  virtual std::size_t first_receive() const { return kNegotiateReceive; }  // 3.1.4.1, 3.1.7.2
  virtual void send_request();                                             // 3.1.5.2
  virtual std::optional<Refusal> check_request(Octets octets);             // 3.1.5.6, in the order of ruling SMBD/A26
  virtual void adopt_request(const NegotiateRequest& request);             // 3.1.5.6
  virtual void refuse(const Refusal& refusal);                             // 3.1.5.6
  NegotiateResponse success() const;                                       // 3.1.5.3
  NegotiateResponse failure(std::uint32_t nt_status) const;                // 3.1.5.3
  void on_request(Octets octets);
  virtual std::optional<Reason> check_response(Octets octets);     // 3.1.5.7
  virtual void adopt_response(const NegotiateResponse& response);  // 3.1.5.7
  void on_response(Octets octets);
  virtual void establish();
  virtual void on_negotiation_timeout();  // 3.1.6.1

  // --- steps of sending (endpoint_send.cc)
  virtual void flush();                           // 3.1.5.1
  bool wants_message() const;                     // a message must be sent although nothing is queued
  virtual std::uint16_t grant(bool last_credit);  // 3.1.5.9
  virtual std::uint32_t post_receives(std::uint32_t count);
  virtual bool may_spend(std::uint16_t granted) const;            // the last-credit rule of 3.1.5.1
  virtual std::uint32_t fragment_octets(std::size_t left) const;  // 3.1.5.4
  void send_fragment(std::uint16_t granted);
  void send_empty(std::uint16_t granted);
  void send_segment(Segment& segment);  // fills in the fields of every Data Transfer message (3.1.5.1)
  virtual void put(const NegotiateRequest& request);
  virtual void put(const NegotiateResponse& response);
  virtual void put(const Segment& segment);
  void post_send(OctetBuffer octets, std::optional<Token> invalidate = {}, std::optional<MessageId> completes = {});

  // --- steps of receiving (endpoint_receive.cc)
  virtual std::optional<Reason> check_data(const DataTransfer& message, Octets octets) const;  // 3.1.5.8
  void on_data(Octets octets, std::optional<Token> invalidated);
  virtual void account(const DataTransfer& message);  // updates credits, and takes the necessary actions
  virtual void answer_keepalive();
  virtual Octets data_of(const DataTransfer& message, Octets octets) const;
  virtual void assemble(const DataTransfer& message, Octets data);
  virtual void on_broken_fragments(Reason reason);
  virtual void deliver(OctetBuffer&& message);
  virtual void on_idle();  // 3.1.6.2

  // --- steps of the end (endpoint.cc)
  virtual void terminate(Reason reason, std::uint32_t nt_status = 0);
  void end(bool abortive);
  void settle_close();

  // --- steps of RDMA (transfers.cc)
  virtual tl::expected<std::vector<Piece>, TransferError> plan(std::span<const BufferDescriptorV1> remote,
                                                               std::uint64_t offset, std::size_t octets) const;
  virtual void undo_registration(std::span<const BufferDescriptorV1> descriptors);  // 3.1.4.3

  virtual void report(Event event);

  // --- checks of messages, each with the reason for which the connection ends if it fails
  virtual bool enforces(Reason) const { return true; }
  template <class Message>
  std::optional<Reason> first_broken(std::span<const Check<Message>> checks, const Message& message,
                                     Octets octets) const {
    const Limits limits{octets.size(), max_receive_size_, options_.max_fragmented_recv_size};
    for (const Check<Message>& one : checks)
      if (!one.holds(message, limits) && enforces(one.reason)) return one.reason;
    return std::nullopt;
  }

  Role role_;
  Options options_;
  Registrar& registrar_;

  Phase phase_ = Phase::idle;
  Instant now_{};
  std::optional<Instant> negotiation_due_;  // expiry of the Negotiation Timer
  std::optional<Instant> idle_due_;         // expiry of the Idle Connection Timer
  std::optional<Instant> grant_due_;
  std::optional<Instant> close_due_;
  bool requested_ = false;  // an initiator has sent its request
  bool closing_ = false;
  bool lost_ = false;
  std::deque<Work> work_;
  std::deque<Event> events_;
  std::size_t backlog_ = 0;  // octets of events that the upper layer has not fetched

  // Connection (3.1.1.1)
  std::uint32_t max_send_size_;
  std::uint32_t max_receive_size_;
  std::uint32_t max_fragmented_send_size_ = 0;
  std::uint32_t max_read_write_size_;
  std::uint32_t send_credits_ = 0;
  ReceiveCredits credits_;
  std::deque<Queued> queue_;
  std::size_t queued_octets_ = 0;
  Reassembly reassembly_;
  std::optional<Token> invalidated_;
  Keepalive keepalive_ = Keepalive::none;
  bool send_immediate_ = false;
  bool grant_wanted_ = false;  // credits must be granted although nothing else is to be sent

 private:
  struct Transfer {
    std::size_t left = 0;  // number of pieces that are not complete
    bool ok = true;
  };

  tl::expected<TransferId, TransferError> begin_transfer(std::size_t octets, std::span<const BufferDescriptorV1> remote,
                                                         std::uint64_t offset, std::vector<Piece>& pieces);
  void complete_piece(TransferId id, bool ok);
  void fail_all();
  bool ended() const { return phase_ == Phase::idle || phase_ == Phase::ended; }

  WorkId next_work_id_ = 1;
  MessageId next_message_ = 1;
  TransferId next_transfer_ = 1;
  std::unordered_map<WorkId, std::optional<MessageId>>
      sends_;  // in progress; the last one of an upper-layer message gives its id
  std::unordered_map<WorkId, TransferId> pieces_;
  std::unordered_map<TransferId, Transfer> transfers_;
};

}  // namespace wirelaw::smbd
