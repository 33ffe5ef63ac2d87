// SPDX-License-Identifier: Apache-2.0
// The state of two nodes as the instructions so far show it: for each direction the values that PCK inherits (RFC 3018
// 3.1), the sessions between the nodes (5.3, 5.4) with their chains (7), and the requests that wait for an answer (4).
// All of it is bounded. Instructions that refer to forgotten state are judged on their own, and the flow is partial.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/trace.h"
#include "conformance/umsp/tracker/claims.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/knowledge.h"
#include "conformance/umsp/tracker/management_account.h"
#include "conformance/umsp/tracker/session_stages.h"
#include "reference/network/address.h"
#include "reference/octets/octets.h"
#include "reference/umsp/address.h"
#include "reference/umsp/header.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

class Jobs;  // conformance/umsp/tracker/jobs.h
class Pair;  // conformance/umsp/tracker/pair.h

// Identifies a request of one side (4). The protocol layer chooses the REQ_IDs of management instructions, the VM
// chooses the others, and each session has its own number space.
inline constexpr std::uint64_t kNoSession = ~std::uint64_t{0};
struct RequestKey {
  bool management = false;
  std::uint64_t session = kNoSession;  // its number in Connection::sessions
  std::uint32_t req_id = 0;
  friend constexpr auto operator<=>(const RequestKey&, const RequestKey&) = default;
};

// A request without an answer so far.
struct ObservedRequest {
  std::uint8_t opcode = 0;
  bool chained = false;     // an instruction of a chain: RSP or RSP_P answers (7.5)
  unsigned count = 1;       // number of requests that wait under this REQ_ID
  bool is_certain = true;   // no other request waited under this REQ_ID, so an answer is unambiguous
  bool has_search = false;  // one of them is OBJ_SEEK, which may be answered several times
  std::int64_t seen_ns = 0;
  std::uint64_t seen_index = 0;                   // index of its message on the connection that carried it
  std::optional<std::uint64_t> chain_index = {};  // index of the message that began the chain, if it belongs to one
  std::uint16_t chain_number = 0;
  std::vector<std::uint16_t> vm_types = {};  // for a VM_REQ: the types in the answer
};

// The kind of a chain, as its first instruction defines it (7).
enum class ObservedChainKind : std::uint8_t {
  unknown,  // it began before the capture, or without the header that tells the kind
  sequence,
  transaction,
  fragments,
};

// One chain of one direction.
struct ObservedChain {
  ObservedChainKind kind = ObservedChainKind::unknown;
  bool from_start = false;     // its instruction 0 was seen
  bool complete = true;        // no later instruction is missing; a missing one may have used another connection
  bool ended = false;          // ended by _END_CHAIN
  bool cancelled = false;      // cancelled by SND_CANCEL
  bool revoked = false;        // transaction: revoked by CANCEL_TR
  bool executed = false;       // transaction: executed by EXEC_TR
  bool base_set = false;       // set by _SET_MBASE
  bool base_needed = false;    // transaction: one of its addresses is shorter than the receiver's addresses
  bool execute_later = false;  // transaction: TRR is 0, EXEC_TR must follow
  bool executes_late = false;  // transaction: TRE is 1, the end of its lifetime executes it, too
  bool subordinate = false;    // fragments: the fragmented instruction belongs to another chain
  bool in_fragments = false;   // some of its instructions are fragmented, perhaps the last one
  bool asked = false;          // its first instruction has ASK 1
  bool above_window = false;   // it is known to be longer than the session window
  std::uint64_t index = 0;     // index of the message that began it
  std::int64_t begun_ns = 0;   // when its first instruction was seen
  std::uint32_t next = 0;      // the INSTR_NUMBER expected next
  std::set<std::uint16_t> fragmented;    // numbers of fragmented instructions above `next`
  std::uint64_t octets = 0;              // octets of its instructions
  std::optional<std::uint32_t> granted;  // octets that REQ_BUF requested and the receiver granted
  bool granted_alone = false;            // no other REQ_BUF can belong to the chain
  // Fragments: the number of octets so far, and the first octets, which hold the header of the fragmented instruction.
  std::uint64_t fragment_octets = 0;
  OctetBuffer fragment_head;

  // True if the chain is known only from fragments or SND_CANCEL, without its first instruction.
  bool is_unbegun() const { return in_fragments && !from_start && next == 0; }
};
inline constexpr std::size_t kMostObservedChains = 8192;  // chains of all sessions
inline constexpr std::size_t kMostFinishedChains = 64;    // remembered, of one session and direction
inline constexpr std::size_t kMostFragmented = 64;        // instructions of one chain that came before their turn
inline constexpr std::size_t kMostBuffers = 64;           // REQ_BUF outstanding, of one session and direction

// The instructions with one chain number that one connection has carried, for chains that use several connections
// (UMSP/B45).
struct InstructionRun {
  std::uint16_t first = 0, last = 0;  // consecutive INSTR_NUMBERs
};
struct CarriedChain {
  std::vector<InstructionRun> runs;  // a repeated number begins a new run
  unsigned begins = 0, ends = 0;     // number of instructions with number 0, and with _END_CHAIN
  std::uint32_t end = 0;             // the highest INSTR_NUMBER with _END_CHAIN
  bool is_unknown = false;           // some of its instructions are unknown
};
inline constexpr std::size_t kMostCarried = 1024;  // chain numbers of one session and direction
inline constexpr std::size_t kMostRuns = 32;       // runs of one chain number

// S20 of a profile (5.3.4): extension headers and operands begin at multiples of four octets.
inline constexpr std::uint32_t kBorderFlag = 0x800;

// One side's half of a session.
struct SessionHalf {
  std::optional<std::uint32_t> id;  // assigned by this side; the other side uses it as SESSION_ID
  std::optional<std::uint32_t> profile;
  std::optional<std::uint32_t> asked;  // the profile that the other side requires from this one
  std::optional<std::uint16_t> vm_type, vm_version;
  std::optional<std::uint64_t> ltid;
  // broke_handshake: a SESSION_OPEN or SESSION_ACCEPT of this side broke the handshake, so the other side is free in
  // its next step. terms_unknown: it is unknown if the other side has accepted the terms of that instruction.
  bool broke_handshake = false, terms_unknown = false;
  std::optional<std::uint16_t> window;            // in blocks of 256 octets
  std::map<std::uint16_t, ObservedChain> chains;  // chains that this side sends, by chain number
  std::vector<std::uint16_t> finished;            // numbers of ended chains, in the order in which they ended
  bool chains_forgotten = false;
  std::map<std::uint16_t, CarriedChain> carried;  // by chain number, while the two nodes have several connections
  bool carried_forgotten = false;
  std::map<std::uint32_t, std::uint32_t> buffers_asked;  // octets that REQ_BUF asks for, by REQ_ID
  std::vector<std::uint32_t> buffers_granted;  // octets of each grant; the next chain uses the first (UMSP/B22)
  std::uint64_t grants = 0;                    // total number of buffers granted
  std::uint64_t later_executed = 0;            // transactions with TRR 0
  std::uint64_t above_window = 0;              // other chains that were longer than the window
  unsigned opens_waiting = 0;                  // SESSION_OPENs of this side that may still be answered
  unsigned closes = 0;                         // SESSION_CLOSEs of this side that no RSP_P has answered
  bool buffers_forgotten = false;              // some REQ_BUF were not kept
  std::set<std::uint32_t> early_answers;       // REQ_IDs of RSP_P to this side that match no request so far
};

struct ObservedSession {
  SessionStage stage = SessionStage::opening;
  bool from_start = false;  // its first SESSION_OPEN was seen
  Side initiator = Side::a;
  Side latest_open = Side::a;  // the sender of the latest SESSION_OPEN
  std::int64_t latest_open_ns = 0;
  unsigned opens = 0;
  std::int64_t begun_ns = 0;                       // time of the first SESSION_OPEN
  std::int64_t accepted_ns = 0;                    // time of SESSION_ACCEPT
  std::int64_t stage_ns = 0;                       // time at which `stage` began
  std::uint64_t stage_index = 0, stage_frame = 0;  // the message that began `stage`
  bool stage_is_here = true;                       // that message used this connection
  bool is_several = false;                         // it uses several connections
  bool closing_accepted = false;                   // at least one positive answer to SESSION_CLOSE was sent
  bool rejected = false;                           // ended by SESSION_REJECT
  std::optional<Side> ended_by;                    // the sender of SESSION_REJECT or SESSION_ABEND
  bool second = false;                             // another session of the same job was in use when it began
  std::optional<Side> replaced_by;  // the side that has accepted another session of the same job (UMSP/B11)
  MessageMark replaced = {};        // that acceptance; valid if `replaced_by` is set
  std::optional<Identifier> gjid;
  std::array<SessionHalf, 2> halves;

  bool is_in_use() const { return stage != SessionStage::opening && stage != SessionStage::over; }

  SessionHalf& half(Side side) { return halves[side == Side::a ? 0 : 1]; }
  const SessionHalf& half(Side side) const { return halves[side == Side::a ? 0 : 1]; }
};
inline constexpr std::size_t kMostSessions = 4096;     // sessions of one connection
inline constexpr std::size_t kMostSessionsOfJob = 64;  // sessions of one job
inline constexpr std::size_t kMostRequests = 4096;     // unanswered requests of one side

// One direction: everything that one side sends.
struct Direction {
  Side side = Side::a;
  Context context;                                 // context of the stream; each datagram has its own
  bool seen = false;                               // any octet of it has been seen
  bool unbroken = false;                           // seen from its first octet on, without a gap
  bool lost = false;                               // the start of the next instruction is unknown
  bool ended = false;                              // ended by a FIN or RST
  std::int64_t ended_ns = 0;                       // time of the end; valid if `ended`
  bool inherits = true;                            // the values that PCK 01 and 10 refer to are known
  std::optional<std::int64_t> opened_ns = {};      // time of its SYN; empty: not captured
  Passages passages;                               // when its octets passed
  std::optional<std::int64_t> sent_after_ns = {};  // its next instruction was sent after this time (knowledge.h)
  std::optional<std::int64_t> proven_ns = {};      // likewise, for the first instruction that begins after `held`
  // Index of the latest message of the other side that it had received here, as its answers prove.
  std::optional<std::uint64_t> received_index = {};
  std::uint64_t at = 0;                            // stream offset of `held`
  OctetBuffer held;                                // an incomplete instruction
  std::uint64_t skipped = 0;                       // octets still to skip of an instruction that is too long to be held
  std::map<RequestKey, ObservedRequest> requests;  // requests of this side without an answer
  bool requests_known = true;                      // `requests` holds all of them that used this connection
  // SESSION_ID and REQ_ID of requests whose SESSION_ID the receiver has not assigned yet, as far as the trace shows. It
  // may have assigned the identifier before the request arrives.
  std::set<std::pair<std::uint32_t, std::uint32_t>> guesses;
  // SESSION_ID and REQ_ID of requests of an ended session whose identifier this side has assigned again. The other side
  // may have answered them before it knew.
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  bool guesses_forgotten = false;  // there were too many of either kind
};

// A breach that is stated when the connection ends, because another connection may still explain it: for example, an
// instruction that does not continue its chain as this connection has carried it.
struct KeptFact {
  Fact fact;
  std::uint64_t session = 0;  // its number in Connection::sessions
  Message message;
  OctetBuffer octets;  // its header; `message` refers to these octets
  std::uint16_t chain_number = 0;
  std::uint32_t missing = 0;  // number of instructions missing from Fact::due on
  // parent_is_sent: the chain of the fragments that name the missing chain; empty if a response may have refused them.
  std::optional<std::uint16_t> fragments;
};
// Breaches that are kept for each side. More of them would only report the same fault again.
inline constexpr std::size_t kMostKeptFacts = 64;

// A key that is almost unique to a job; look-ups compare the GJID as well.
using JobKey = std::pair<std::uint64_t, std::array<Octet, 13>>;
inline JobKey job_key(const Identifier& gjid) {
  return {gjid.task, gjid.node_octets};
}

// An instruction about the end of a job, until its receiver is known to have received it.
struct NoticeUnderWay {
  Side receiver = Side::a;
  wirelaw::Address jcp;
  std::uint64_t task = 0;  // the CTID of the job's first task
  std::int64_t time_ns = 0;
};
inline constexpr std::size_t kMostUnderWay = 64;  // per connection; further ones are never proven to be received

// A SESSION_ACCEPT of a node that had asked no JCP for its task of the job so far.
struct UnaskedAcceptance {
  Side sender = Side::a;
  wirelaw::Address jcp;
  std::uint64_t task = 0;  // the CTID of the job's first task
  MessageMark where = {};
};
inline constexpr std::size_t kMostUnasked = 64;  // per connection; further ones are not judged

struct Connection {
  Pair* pair = nullptr;                     // the pair of the two nodes, if they may have other connections
  bool turned = false;                      // side a is the pair's second node
  Jobs* jobs = nullptr;                     // the jobs of all nodes in the capture; may be nullptr
  std::array<wirelaw::Address, 2> nodes{};  // addresses of the sides; set if `jobs` is
  std::array<std::optional<MessageMark>, 2> latest = {};  // latest message of each side; set if `jobs` is
  std::array<Direction, 2> directions{Direction{.side = Side::a}, Direction{.side = Side::b}};
  // By internal number; `session_by_id` maps the identifier that a side has assigned to that number.
  std::map<std::uint64_t, ObservedSession> sessions;
  std::array<std::map<std::uint32_t, std::uint64_t>, 2> session_by_id;  // by the side that assigned the identifier
  std::map<JobKey, std::vector<std::uint64_t>> sessions_of_job;  // session numbers in the order in which they began
  std::array<std::set<std::uint32_t>, 2> stray_ids;  // assigned by a step of a handshake of no known session
  std::array<std::set<std::uint32_t>, 2> doubled;    // identifiers that the side has assigned to several sessions
  std::uint64_t next_session = 0;
  ExchangeAccount exchanges;
  ManagementAccount management;
  bool has_stray_handshake = false;  // a SESSION_OPEN or SESSION_ACCEPT that named no session of its receiver
  bool sessions_forgotten = false;
  std::size_t chains = 0;  // number of chains in all sessions
  std::vector<KeptFact> kept_facts;
  std::vector<NoticeUnderWay> notices;
  std::vector<UnaskedAcceptance> unasked;
  // The profile that each side has declared for its zero-session (5.8).
  std::array<std::optional<std::uint32_t>, 2> zero_profiles;
  // Chains of the datagram that is being judged, by session and number; true: the chain has ended.
  std::map<std::pair<std::uint32_t, std::uint16_t>, bool> datagram_chains;
  bool datagrams = false;  // the flow uses UDP
  std::string partial;     // why not everything could be judged; empty if it could
  std::uint64_t messages = 0;

  Direction& of(Side side) { return directions[side == Side::a ? 0 : 1]; }
  const Direction& of(Side side) const { return directions[side == Side::a ? 0 : 1]; }
  // Returns the time until which both sides could send: `now_ns`, or earlier if one has ended its stream.
  std::int64_t was_open_until(std::int64_t now_ns) const {
    for (const Direction& one : directions)
      if (one.ended) now_ns = std::min(now_ns, one.ended_ns);
    return now_ns;
  }
  // Returns true if a direction that was seen at all has a gap.
  bool is_broken() const {
    return std::ranges::any_of(directions, [](const Direction& one) { return one.seen && !one.unbroken; });
  }
  // Returns true if both streams were seen from the first octet on without a gap, and nothing was forgotten.
  bool is_all_seen() const {
    return !datagrams && !sessions_forgotten && directions[0].unbroken && directions[1].unbroken;
  }
  // The number of the session to which `owner` has assigned this identifier; empty if none is known.
  std::optional<std::uint64_t> find_session_number(Side owner, std::uint32_t id) const {
    const auto& ids = session_by_id[owner == Side::a ? 0 : 1];
    const auto found = ids.find(id);
    if (found == ids.end() || !sessions.contains(found->second)) return std::nullopt;
    return found->second;
  }
  // Same, but returns the session; nullptr if none is known.
  ObservedSession* find_session(Side owner, std::uint32_t id) {
    const auto number = find_session_number(owner, id);
    return number ? &sessions.at(*number) : nullptr;
  }
  std::size_t memory() const;
};

}  // namespace wirelaw::umsp
