// SPDX-License-Identifier: Apache-2.0
// Sends the chains of one side of a session (RFC 3018 4.2, 7, 8.5), and instructions outside of chains that are too
// long for one segment. It does no I/O and reads no clock. Its interface:
//
//   the VM     send(), begin_sequence(), add(), end(), send_transaction(), execute(), cancel(), cancel_sending();
//              next_for_vm() returns the responses that the layer makes or renames
//   the peer   next() returns instructions, which have no session yet; answered() takes the peer's responses
//   transport  delivered(), if several connections are in use
//
// Instructions of a chain are sent in order, different chains side by side. They wait only for room in the peer's
// window, for an answer to REQ_BUF, and in a sequence for earlier instructions. A fragmented response does not use the
// window if its REQ_ID would be replaced (7.5) and lost: a buffer is requested.
//
// The steps that reference/umsp/chains/faults/ overrides are virtual.
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
  too_long,            // longer than SenderOptions::longest, or more than 65,535 instructions
  too_many,            // too many chains
  queue_full,          // longer than SenderOptions::queue
  unknown_chain,       // finished, or never begun
  ended,               // end() was called, or the sequence has failed
  has_req_id,          // only the first instruction of a chain may have one (7.5)
  has_life_time,       // not allowed in a transaction (8.5)
  empty,               // a transaction without instructions
  not_in_one_segment,  // required in the zero-session (5.8)
  not_provided         // the peer does not provide it (5.3.4)
};
std::string_view explain(SendError error);

// An instruction to be sent.
struct Sendable {
  Draft instruction;      // without a session
  bool together = false;  // the next one must be in the same segment
};

class ChainSender {
 public:
  using ChainId = std::uint64_t;
  static constexpr ChainId kNoChain = 0;

  explicit ChainSender(const SenderOptions& options);
  virtual ~ChainSender() = default;
  ChainSender(const ChainSender&) = delete;
  ChainSender& operator=(const ChainSender&) = delete;

  // --- the VM. The time in a draft's _LIFE_TIME begins now (8.5).
  // Sends an instruction outside of chains: unchanged (kNoChain), or in fragments if it is longer than a segment (7.3).
  tl::expected<ChainId, SendError> send(Draft instruction, Instant now);
  // The first instruction may have a REQ_ID, which is for the whole sequence (7.5).
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
  // Returns false if nothing may be sent now.
  bool next(Sendable& out, Instant now);
  // Handles any response of the session. Returns false if it belongs to no chain, or goes to the VM unchanged.
  bool answered(const Instruction& response, Instant now);
  // The transport has delivered an instruction of a sequence.
  void delivered(const ChainPlace& place);
  bool next_for_vm(Draft& out);

  // --- state
  std::size_t chains() const { return sequences_.size() + parcels_.size() + kept_.size(); }
  std::uint64_t window_used() const { return window_used_; }
  std::uint64_t queued() const { return queued_; }  // octets
  bool has_requests() const;                        // true if anything but responses is still to be sent

 protected:
  using Number = std::uint16_t;
  // How to send a transaction or a fragmented instruction (7.4).
  enum class Way : std::uint8_t {
    direct,   // in one segment
    window,   // once there is room in the window
    granted,  // once REQ_BUF was granted
  };
  // An instruction that belongs to no parcel.
  struct Waiting {
    ChainId sequence = kNoChain;
    Draft instruction = {};
    std::uint64_t octets = 0;
    Instant since{};
  };
  struct Sequence {
    Number number = 0;
    std::uint32_t added = 0;  // number of instructions
    std::uint32_t sent = 0;
    bool ended = false;  // no instruction may be added
    std::optional<std::uint32_t> req_id = {};
    std::map<std::uint16_t, std::uint64_t> undelivered = {};  // octets in the window, by INSTR_NUMBER
  };
  // A chain whose complete content is known.
  struct Parcel {
    Number number = 0;
    std::vector<Number> subordinated = {};
    std::deque<Draft> instructions = {};
    std::uint64_t octets = 0;  // total length on the wire
    Way way = Way::direct;
    bool begun = false;
    bool granted = false;
    bool abandoned = false;  // sent only to use up a grant of the peer, or a possible one
    bool response = false;   // it repeats the REQ_ID of another instruction
    bool transaction = false;
    TransactionTerms terms = {};
    std::optional<std::uint32_t> req_id = {};     // from the VM
    std::optional<std::uint32_t> asking = {};     // REQ_ID of REQ_BUF, until its answer
    std::optional<std::uint32_t> own = {};        // replaces the VM's REQ_ID on the wire (7.5)
    std::uint64_t occupied = 0;                   // in the window, in octets
    std::optional<std::uint32_t> life_time = {};  // for a fragmented instruction
    Instant since{};
    ChainId parent = kNoChain;          // the sequence that contains it
    std::uint32_t place = 0;            // in that sequence
    std::optional<Draft> control = {};  // EXEC_TR or CANCEL_TR that follows it
  };
  // A chain that was sent but is not finished: it is in the window, or is executed later.
  struct Kept {
    Number number = 0;
    std::uint64_t occupied = 0;
    std::optional<std::uint32_t> own = {};
    std::optional<std::uint32_t> req_id = {};
    bool later = false;  // TRR 0
  };

  // --- how chains are sent (parcels.cc)
  virtual Number take_number();                                                                           // 7
  void describe_first(Draft& instruction, HeadCode code, OctetBuffer data);                               // 7
  virtual void mark_end(Draft& instruction);                                                              // 7
  bool is_fragmented(std::uint64_t octets) const;                                                         // 7.3
  Way way_of(const Parcel& parcel) const;                                                                 // 7.4
  virtual bool has_room(std::uint64_t octets) const { return window_used_ + octets <= options_.window; }  // 7.4
  void occupy(Parcel& parcel);                  // 7.5: room in the window
  virtual void replace_req_id(Parcel& parcel);  // 7.5
  void ask_buffer(Parcel& parcel);              // 7.4
  virtual void on_parcel_sent(ChainId id);      // 7.5
  virtual void put(Sendable sendable, Sendable& out);

  // --- time (lifetimes.cc)
  virtual std::optional<std::uint32_t> life_left(std::uint32_t life_time, Instant waited) const;  // 8.5; nothing: over
  virtual void on_sequence_over(ChainId id);                                                      // 8.5
  virtual void on_parcel_over(ChainId id);                                                        // 8.5

  // --- answers (responses.cc)
  virtual void on_sequence_refused(ChainId id);                                       // 7.1
  void on_buffer_answer(ChainId id, Parcel& parcel, ReturnCodes codes);               // 7.4
  virtual void on_acknowledged(ChainId id, const Instruction& response);              // 7.5
  virtual Draft restored(Draft response, std::optional<std::uint32_t> req_id) const;  // 7.5

  // --- helpers of the steps
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
  bool turn_ = false;                      // parcels have their turn before waiting instructions
  std::deque<Draft> urgent_;               // from the layer itself: REQ_BUF, SND_CANCEL, EXEC_TR, CANCEL_TR
  std::list<Waiting> waiting_;             // in call order
  std::map<ChainId, Sequence> sequences_;  // not finished
  std::map<ChainId, Parcel> parcels_;      // not sent completely
  std::deque<ChainId> pending_;            // parcels that have not begun, in call order
  std::deque<ChainId> going_;              // parcels that have begun; the first one is next
  std::optional<ChainId> together_;        // the parcel that must continue in the same segment
  std::map<ChainId, Kept> kept_;
  std::deque<std::uint32_t> asked_;      // REQ_IDs of the VM in chains that are not in the window
  std::deque<std::uint32_t> swallowed_;  // those for which the VM has already got a response
  std::deque<Draft> for_vm_;
};

}  // namespace wirelaw::umsp
