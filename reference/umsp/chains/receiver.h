// SPDX-License-Identifier: Apache-2.0
// The instructions of one session that one side receives, and their chains (RFC 3018 4.2, 7, 8.5). It does no I/O and
// reads no clock. Its interface:
//
//   instructions  receive(), in order of arrival, from any connection
//   the VM        Executor; it reports with executed() what it finishes later
//   time          advance(), deadline()
//   output        next(): responses without a session, and the end of the session
//
// Fetch actions after every call. The memory that a peer can make it use is limited by the window, by the granted
// buffers and by ReceiverOptions; announced lengths use no memory. Nothing from a chain that was refused, cancelled or
// dropped is executed; its other instructions are ignored until its end, or until its number begins again. A duplicate
// instruction counts once.
//
// The steps that reference/umsp/chains/faults/ overrides are virtual. "A…" and "B…" are rulings on points that the text
// leaves open.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/chains/action.h"
#include "reference/umsp/chains/answer.h"
#include "reference/umsp/chains/link.h"
#include "reference/umsp/chains/number_set.h"
#include "reference/umsp/chains/options.h"
#include "reference/umsp/chains/room.h"
#include "reference/umsp/execution.h"

namespace wirelaw::umsp {

// The circumstances in which an instruction arrived.
struct Arrival {
  std::uint32_t connection = 0;  // number from the caller; a flow of datagrams counts as one
  // The number of the transport segment or datagram in which it arrived. Chains that are complete in one segment need
  // no buffer (7.4). An instruction that began in an earlier segment has its own number.
  std::uint64_t segment = 0;
  bool alone = true;  // there is no other connection on which earlier instructions could be (UMSP/B31)
};

class ChainReceiver {
 public:
  // `executor` outlives the receiver. Only the identifier and task of `session` are used.
  ChainReceiver(const ReceiverOptions& options, Executor& executor, const Circumstances& session);
  virtual ~ChainReceiver() = default;
  ChainReceiver(const ChainReceiver&) = delete;
  ChainReceiver& operator=(const ChainReceiver&) = delete;

  // Returns true for instructions that receive() handles: all exchange between VMs, SND_CANCEL and REQ_BUF. The caller
  // handles other management instructions.
  static bool takes(std::uint8_t opcode);
  // Handles an instruction in or outside of a chain, as `membership` says; ignores one with a flaw. The octets are
  // needed during the call only.
  void receive(const Instruction& instruction, const Membership& membership, const Arrival& arrival, Instant now);
  // A response that the VM gives later. Returns false if it belongs to no chain: then the caller sends it.
  bool executed(const Draft& response, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  // The session is over: after an abnormal end, transactions with TRE are executed (7.2.1). Nothing is answered.
  void session_ended(bool abnormally, Instant now);
  bool next(Action& out);

  // --- state
  std::size_t chains() const { return chains_.size(); }
  std::size_t unanswered() const { return finishing_.size(); }
  std::uint64_t window_used() const { return window_used_; }
  std::uint64_t octets_held() const { return held_; }  // instructions held in memory
  bool is_over() const { return over_; }

 protected:
  using Number = std::uint16_t;  // CHAIN_NUMBER
  // An instruction that arrived before earlier ones.
  struct Early {
    OctetBuffer instruction;
    Room room;  // if its chain has none
    Arrival arrival;
  };
  struct Chain {
    ChainKind kind = ChainKind::unknown;  // until its first instruction has arrived
    std::uint32_t next = 0;               // next INSTR_NUMBER
    std::map<std::uint16_t, Early> early = {};
    std::optional<std::uint64_t> base = {};
    unsigned bases = 0;
    TransactionTerms terms = {};
    bool complete = false;                  // a transaction that waits for EXEC_TR
    std::optional<ChainPlace> parent = {};  // for fragments
    std::optional<std::uint32_t> life_time = {};
    Instant began{};
    std::uint32_t connection = 0;  // connection of its first instruction
    OctetBuffer collected = {};    // instructions of a transaction, or fragments
    Room room = {};
    Answer answer = {};
    std::optional<Instant> due = {};
  };
  // An instruction to be added to its chain.
  struct Piece {
    const Instruction& instruction;
    ChainLink link;
    Arrival arrival;
    bool counted = false;  // reassembled from fragments that occupied its chain's buffer
    Room* room = nullptr;  // the fragments' own buffer, if they had one
  };
  // An executed chain whose answer is not complete.
  struct Finishing {
    Room room;
    Answer answer;
  };
  struct Collected {
    Instruction instruction;
    ChainLink link;
  };

  // --- receiving (receiver.cc)
  virtual void take_alone(const Instruction& instruction);                        // 7.4
  virtual void deliver(const Instruction& instruction, const Circumstances& at);  // 7.4, 8.5: not in a chain
  // 4.2, 7.2.2, 7.2.3, 7.4.
  virtual bool obeys(const Instruction& control) const { return !read_link(control, 0, options_.address_octets).flaw; }
  // 7: for another chain.
  virtual bool has_place() const { return chains_.size() + finishing_.size() < options_.chains; }
  virtual bool accepts(const Piece& first) const;  // a chain, by its first instruction
  // 7.1.
  virtual bool is_in_turn(const Chain& chain, const Piece& piece) const {
    return chain.kind != ChainKind::unknown && piece.link.number == chain.next;
  }
  virtual void on_sending_cancelled(Number number);  // 4.2
  virtual void take(Number number, const Piece& piece);
  virtual bool keep_early(Number number, Chain& chain, const Piece& piece);  // 7.4

  // --- buffers (buffering.cc)
  virtual void on_buffer_request(const Instruction& request);  // 7.4
  virtual Buffer first_buffer(const Piece& first) const;       // 7.4: if there is no grant
  virtual Chain& account_of(Chain& chain);                     // 7.4: subordinated chains
  // 7.4: a sequence in order takes none.
  virtual bool takes_room(const Chain& chain, const Piece&) const {
    return chain.kind == ChainKind::transaction || chain.kind == ChainKind::fragments;
  }
  virtual void on_window_exceeded() { break_off(BreakOff::window_exceeded); }  // 7.4
  virtual void release(Room& room);                                            // 7.5

  // --- sequences, and steps for all kinds of chains (sequences.cc)
  virtual void run(Number number, Chain& chain, const Piece& piece);  // 7.1
  virtual bool stops_at_refusal() const { return true; }              // 7.1
  virtual void adopt_base(Chain& chain, const ChainLink& link);       // 7.6
  virtual Circumstances circumstances(const Chain& chain, const ChainLink& link) const;
  virtual bool execute(const Instruction& instruction, const Circumstances& at, Answer& answer);

  // --- transactions (transactions.cc)
  virtual void collect(Number number, Chain& chain, const Piece& piece);
  virtual bool may_set_base(const Chain& chain) const;                // 7.6
  virtual std::optional<Instant> time_of(const Chain& chain) const;   // 7.2.1; nothing: no limit
  virtual void on_transaction_complete(Number number, Chain& chain);  // 7.2.1
  virtual void on_exec(Number number, const Instruction& request);    // 7.2.2
  virtual void on_cancel(Number number);                              // 7.2.3
  virtual void on_transaction_over(Number number);                    // 7.2.1
  // 7.2.1.
  virtual void on_emergency_end(Number number) {
    if (find(number)->terms.obligatory) execute_transaction(number);
  }
  virtual bool may_execute(const std::vector<Collected>& all, const Chain& chain) const;  // 7.2
  void execute_transaction(Number number);

  // --- fragments (fragments.cc)
  virtual void assemble(Number number, Chain& chain, const Piece& piece);                // 7.3
  virtual void on_fragments_complete(Number number);                                     // 7.3
  virtual std::optional<std::uint32_t> life_left(const Chain& chain) const;              // 8.5; nothing: over
  virtual void on_life_over(Number number) { refuse(number, ChainRefusal::time_over); }  // 8.5

  // --- answers (answers.cc)
  virtual Draft answer_of(const Room& room, Draft response) const;  // 7.5: RSP, or RSP_P
  virtual void give(const Room& room, const Answer& answer);        // 7.5
  void refuse_request(const Instruction& request, ChainRefusal refusal);
  void respond(Draft response);
  void take_response(const Instruction& response, const Circumstances& at);

  // --- state of chains (receiver.cc)
  Chain* find(Number number);
  Chain* chain_for(Number number, const Piece& piece);
  Chain* begin(Number number, const Piece& first);
  std::optional<ChainRefusal> refusal_of(Number number, const Piece& first);
  void begin_parent(const ChainPlace& place);
  void take_control(Number number, const Instruction& control);
  void process(Number number, Chain& chain, const Piece& piece);
  void process_early(Number number);
  void set_due(Number number, Chain& chain, std::optional<Instant> due);
  bool is_subordinate_open(Number parent) const;
  void drop(Number number);       // forgets the chain, and those that are subordinated to it
  void drop_rest(Number number);  // and ignores its later instructions
  void break_off(BreakOff reason);
  void hold(OctetBuffer& into, Octets octets);
  void forget(OctetBuffer& buffer);
  // --- buffers (buffering.cc)
  bool take_room(Number number, Chain& chain, const Piece& piece);
  bool take_window(Room& room, std::uint64_t octets);
  bool take_grant(Room& room);
  void choose_buffer(Number number, Chain& chain, const Piece& first);
  bool move_to_window(Room& room);
  void leave_segment(const Arrival& arrival);
  // --- answers (answers.cc)
  void refuse(Number number, ChainRefusal refusal);
  void conclude(Number number, bool waits);  // the whole chain was executed, or refused
  void settle(Finishing& one, bool waits);
  bool add_late(Answer& answer, const Draft& response);
  // --- fragmented instructions (fragments.cc)
  std::optional<ChainPlace> place_of(const Chain& chain, const Instruction& inner) const;
  bool can_be_fragmented(const Chain& chain, const Instruction& inner) const;
  void put_into_parent(Number number, const ChainPlace& place, Piece piece);

  ReceiverOptions options_;
  Executor& executor_;
  Circumstances session_;
  Instant now_{};
  bool over_ = false;  // broken off, or ended
  bool ended_ = false;
  std::map<Number, Chain> chains_;
  NumberSet dropped_;  // later instructions with these numbers are ignored
  std::list<Finishing> finishing_;
  std::set<std::pair<Instant, Number>> due_;
  std::deque<std::uint32_t> grants_;  // granted by REQ_BUF, for the next chains (UMSP/B22)
  std::uint64_t granted_ = 0;         // total, including what chains use of it
  std::uint64_t window_used_ = 0;
  std::uint64_t held_ = 0;
  std::size_t early_ = 0;
  Arrival arrival_;  // the latest arrival
  std::uint64_t segment_octets_ = 0;
  std::vector<Number> fresh_;  // chains that have arrived only in the current segment
  std::deque<Action> actions_;
};

}  // namespace wirelaw::umsp
