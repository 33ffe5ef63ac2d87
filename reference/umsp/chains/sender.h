// SPDX-License-Identifier: Apache-2.0
// What one side of one session sends in chains (RFC 3018 4.2, 7, 8.5), and outside of them what
// is too long for one segment. It does no I/O and reads no clock:
//
//   the VM      send(), begin_sequence(), add(), end(), send_transaction(), execute(), cancel(), cancel_sending() go
//   in;
//               its responses, as far as the layer forms or renames them, come out by next_for_vm()
//   the peer    next() gives instructions, which have no session yet; answered() takes its responses
//   transport   delivered(), if several connections are in use
//
// Instructions come out in order within a chain, and different chains proceed side by side. They wait only for room
// in the peer's window, for an answer to REQ_BUF, and in a sequence for what is in front. A fragmented response does
// not go through the window, if its REQ_ID would be replaced (7.5) and be lost: a buffer is asked for.
//
// Its steps are virtual where reference/umsp/chains/faults/ departs from them.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/chains/link.h"
#include "reference/umsp/chains/number_set.h"
#include "reference/umsp/chains/options.h"
#include "reference/umsp/chains/refusal.h"
#include "reference/umsp/draft.h"

namespace wirelaw::umsp {

enum class SendError : std::uint8_t {
  too_long,            // above SenderOptions::longest, or more than 65,535 instructions
  too_many,            // chains
  queue_full,          // SenderOptions::queue
  unknown_chain,       // over, or never begun
  ended,               // end() was called, or the sequence has failed
  has_req_id,          // only the first instruction of a chain has one (7.5)
  has_life_time,       // in a transaction (8.5)
  empty,               // a transaction without instructions
  not_in_one_segment,  // in the zero-session (5.8)
  not_provided         // granted by the peer (5.3.4)
};
std::string_view explain(SendError error);

// An instruction to be sent.
struct Sendable {
  Draft instruction;      // without a session
  bool together = false;  // the next one has to be in the same segment
};

class ChainSender {
 public:
  using ChainId = std::uint64_t;
  static constexpr ChainId kNoChain = 0;

  explicit ChainSender(const SenderOptions& options);
  virtual ~ChainSender() = default;
  ChainSender(const ChainSender&) = delete;
  ChainSender& operator=(const ChainSender&) = delete;

  // --- the VM. _LIFE_TIME among the extensions of a draft counts from now on (8.5).
  // An instruction of no chain: as it is (kNoChain), or in fragments if it is longer than a segment (7.3).
  tl::expected<ChainId, SendError> send(Draft instruction, Instant now);
  // Its first instruction may have a REQ_ID, which is for the whole sequence (7.5).
  tl::expected<ChainId, SendError> begin_sequence(Instant now);
  tl::expected<void, SendError> add(ChainId sequence, Draft instruction, Instant now);
  // Sends NOP if the last instruction has already been sent (7.1).
  tl::expected<void, SendError> end(ChainId sequence, Instant now);
  tl::expected<ChainId, SendError> send_transaction(const TransactionTerms& terms, std::vector<Draft> whole,
                                                    Instant now);
  // For a transaction that was not ended by execute() or cancel(). Its unsent part is sent first.
  tl::expected<void, SendError> execute(ChainId transaction, std::uint32_t req_id, Instant now);  // 7.2.2
  tl::expected<void, SendError> cancel(ChainId transaction, Instant now);                         // 7.2.3
  // For a transaction or fragments that have not been sent completely (4.2).
  tl::expected<void, SendError> cancel_sending(ChainId chain, ReturnCodes reason = {});

  // --- the peer
  // False if nothing may be sent now.
  bool next(Sendable& out, Instant now);
  // Takes any response of the session. False: it belongs to no chain here, or goes to the VM unchanged.
  bool answered(const Instruction& response, Instant now);
  // The transport has delivered an instruction of a sequence.
  void delivered(const ChainPlace& place);
  bool next_for_vm(Draft& out);

  // --- state
  std::size_t chains() const { return sequences_.size() + parcels_.size() + kept_.size(); }
  std::uint64_t window_used() const { return window_used_; }
  std::uint64_t queued() const { return queued_; }  // octets

 protected:
  using Number = std::uint16_t;
  // How a transaction or a fragmented instruction is sent (7.4).
  enum class Way : std::uint8_t {
    direct,   // in one segment
    window,   // once there is room in it
    granted,  // once REQ_BUF was granted
  };
  // An instruction that is no part of a parcel.
  struct Waiting {
    ChainId sequence = kNoChain;
    Draft instruction = {};
    std::uint64_t octets = 0;
    Instant since{};
  };
  struct Sequence {
    Number number = 0;
    std::uint32_t added = 0;  // instructions
    std::uint32_t sent = 0;
    bool ended = false;  // nothing is added any more
    std::optional<std::uint32_t> req_id = {};
    std::map<std::uint16_t, std::uint64_t> undelivered = {};  // octets in the window, by INSTR_NUMBER
  };
  // A chain whose whole content is known.
  struct Parcel {
    Number number = 0;
    std::vector<Number> subordinated = {};
    std::deque<Draft> instructions = {};
    std::uint64_t octets = 0;  // length of all of them on the wire
    Way way = Way::direct;
    bool begun = false;
    bool granted = false;
    bool abandoned = false;  // only to use up a grant that the peer has given, or may give
    bool response = false;   // its REQ_ID is that of another instruction
    bool transaction = false;
    TransactionTerms terms = {};
    std::optional<std::uint32_t> req_id = {};     // the VM's
    std::optional<std::uint32_t> asking = {};     // REQ_ID of REQ_BUF, until it is answered
    std::optional<std::uint32_t> own = {};        // on the wire in place of the VM's (7.5)
    std::uint64_t occupied = 0;                   // octets of the window
    std::optional<std::uint32_t> life_time = {};  // for a fragmented instruction
    Instant since{};
    ChainId parent = kNoChain;          // the sequence that it is an instruction of
    std::uint32_t place = 0;            // there
    std::optional<Draft> control = {};  // EXEC_TR or CANCEL_TR after it
  };
  // Was sent and is not over: it is in the window, or is executed later.
  struct Kept {
    Number number = 0;
    std::uint64_t occupied = 0;
    std::optional<std::uint32_t> own = {};
    std::optional<std::uint32_t> req_id = {};
    bool later = false;  // TRR 0
  };

  // --- how chains are sent (parcels.cc)
  virtual Number take_number();                                                      // 7
  virtual void describe_first(Draft& instruction, HeadCode code, OctetBuffer data);  // 7
  virtual void mark_end(Draft& instruction);                                         // 7
  virtual bool is_fragmented(std::uint64_t octets) const;                            // 7.3
  virtual Way way_of(const Parcel& parcel) const;                                    // 7.4
  virtual bool has_room(std::uint64_t octets) const;                                 // 7.4
  virtual void occupy(Parcel& parcel);                                               // 7.5: room in the window
  virtual void replace_req_id(Parcel& parcel);                                       // 7.5
  virtual void ask_buffer(Parcel& parcel);                                           // 7.4
  virtual void on_parcel_sent(ChainId id);                                           // 7.5
  virtual void put(Sendable sendable, Sendable& out);

  // --- time (lifetimes.cc)
  virtual std::optional<std::uint32_t> life_left(std::uint32_t life_time, Instant waited) const;  // 8.5; nothing: over
  virtual void on_sequence_over(ChainId id);                                                      // 8.5
  virtual void on_parcel_over(ChainId id);                                                        // 8.5

  // --- answers (responses.cc)
  virtual void on_sequence_refused(ChainId id);                                       // 7.1
  virtual void on_buffer_answer(ChainId id, Parcel& parcel, ReturnCodes codes);       // 7.4
  virtual void on_acknowledged(ChainId id, const Instruction& response);              // 7.5
  virtual Draft restored(Draft response, std::optional<std::uint32_t> req_id) const;  // 7.5

  // --- the steps between them
  using Result = tl::expected<ChainId, SendError>;
  std::uint64_t octets_of(const Draft& draft) const;  // on the wire
  std::optional<SendError> check(std::uint64_t octets) const;
  Result submit(Parcel parcel, std::vector<Draft> source);
  std::optional<SendError> build(Parcel& parcel, std::vector<Draft> source);
  std::optional<SendError> fragment(Parcel& parcel, Draft instruction, Number number, std::optional<ChainPlace> parent);
  void admit();
  bool may_begin(const Parcel& parcel) const;
  bool next_of_parcels(Sendable& out);
  bool next_waiting(Sendable& out);
  bool next_urgent(Sendable& out);
  bool give(ChainId id, Sendable& out);
  bool may_go(const Waiting& one) const;
  bool lower(Draft& instruction, Instant since) const;
  void note_sent(const Waiting& one);
  void fail(const std::optional<std::uint32_t>& req_id, bool response, ReturnCodes codes);
  void remove_waiting(ChainId sequence);
  void abandon(ChainId id, ReturnCodes codes);
  void remove(ChainId id);
  void control(Number number, Opcode opcode, std::optional<std::uint32_t> req_id, ReturnCodes codes = {});
  void settle(ChainId sequence);
  void remember_asked(std::uint32_t req_id);
  std::uint32_t take_req_id();
  tl::expected<void, SendError> end_transaction(ChainId id, Opcode opcode, std::optional<std::uint32_t> req_id);

  SenderOptions options_;
  Instant now_{};
  std::uint64_t window_used_ = 0;
  std::uint64_t queued_ = 0;
  std::uint32_t next_req_id_;
  Number last_number_ = 0;
  NumberSet numbers_;  // in use
  ChainId next_id_ = 1;
  bool turn_ = false;                      // parcels before those that wait
  std::deque<Draft> urgent_;               // sent by the layer itself: REQ_BUF, SND_CANCEL, EXEC_TR, CANCEL_TR
  std::list<Waiting> waiting_;             // in the order of the calls
  std::map<ChainId, Sequence> sequences_;  // chains that are not over
  std::map<ChainId, Parcel> parcels_;      // chains that were not sent completely
  std::deque<ChainId> pending_;            // parcels that have not begun, in order
  std::deque<ChainId> going_;              // parcels that have; the first of them has its turn
  std::optional<ChainId> together_;        // the parcel that must continue in the same segment
  std::map<ChainId, Kept> kept_;
  std::deque<std::uint32_t> asked_;      // REQ_IDs of the VM on the wire, of chains that are not in the window
  std::deque<std::uint32_t> swallowed_;  // and those to which the VM has an answer already
  std::deque<Draft> for_vm_;
};

}  // namespace wirelaw::umsp
