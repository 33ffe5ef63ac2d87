// SPDX-License-Identifier: Apache-2.0
// What the instructions before this one show of two nodes: of each direction what PCK inherits (RFC 3018 3.1), the
// sessions between them (5.3, 5.4) with their chains (7), and the requests that wait for an answer (4). Everything is
// bounded: what is forgotten is judged by itself alone from then on, and the flow is partial.
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
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/management_account.h"
#include "reference/network/address.h"
#include "reference/octets/octets.h"
#include "reference/umsp/address.h"
#include "reference/umsp/header.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

class Jobs;  // conformance/umsp/tracker/jobs.h
class Pair;  // conformance/umsp/tracker/pair.h

// What distinguishes the requests of a side (4): REQ_IDs are chosen by the protocol layer for management
// instructions and by the VM for the others, and a session has numbers of its own.
inline constexpr std::uint64_t kNoSession = ~std::uint64_t{0};
struct RequestKey {
  bool management = false;
  std::uint64_t session = kNoSession;  // its number in Connection::sessions
  std::uint32_t req_id = 0;
  friend constexpr auto operator<=>(const RequestKey&, const RequestKey&) = default;
};

// A node that has no answer to what it waits for yet.
struct ObservedRequest {
  std::uint8_t opcode = 0;
  bool chained = false;                           // an instruction of a chain: RSP or RSP_P answers (7.5)
  unsigned count = 1;                             // that wait under the same REQ_ID
  bool is_certain = true;                         // no other has waited with it: which of them is answered is known
  bool has_search = false;                        // one of them is OBJ_SEEK, which may be answered several times
  std::optional<std::uint64_t> chain_index = {};  // of a chain: the message that has begun it
  std::uint16_t chain_number = 0;
  std::vector<std::uint16_t> vm_types = {};  // VM_REQ: that the answer names
};

// What a chain's first instruction makes of it (7).
enum class ObservedChainKind : std::uint8_t {
  unknown,  // it began before the capture, or without the header that says
  sequence,
  transaction,
  fragments,
};

// One chain of one direction.
struct ObservedChain {
  ObservedChainKind kind = ObservedChainKind::unknown;
  bool from_start = false;               // its instruction 0 was seen
  bool complete = true;                  // no instruction behind that is missing: another connection may have had it
  bool ended = false;                    // by _END_CHAIN
  bool cancelled = false;                // by SND_CANCEL
  bool revoked = false;                  // a transaction: by CANCEL_TR
  bool executed = false;                 // a transaction: by EXEC_TR
  bool base_set = false;                 // by _SET_MBASE
  bool base_needed = false;              // of a transaction: an address of it is shorter than the receiver's are
  bool execute_later = false;            // of a transaction: TRR is 0, EXEC_TR is to come
  bool subordinate = false;              // of fragments: the instruction in them is one of another chain
  bool in_fragments = false;             // some of its instructions are, the last one perhaps
  bool asked = false;                    // its first instruction has ASK 1
  bool above_window = false;             // it is known to be longer than the session window
  std::uint64_t index = 0;               // of the message that has begun it
  std::int64_t begun_ns = 0;             // when its first instruction was seen
  std::uint32_t next = 0;                // the INSTR_NUMBER that is due
  std::set<std::uint16_t> fragmented;    // numbers of instructions in fragments, above that
  std::uint64_t octets = 0;              // of its instructions
  std::optional<std::uint32_t> granted;  // octets that REQ_BUF asked for, and was given
  bool granted_alone = false;            // no other REQ_BUF could have been the chain's
  // Of fragments: the octets so far, and the first of them, which have the header of the instruction in them.
  std::uint64_t fragment_octets = 0;
  OctetBuffer fragment_head;

  // Nothing but fragments or SND_CANCEL has shown it, and not its first instruction.
  bool is_unbegun() const { return in_fragments && !from_start && next == 0; }
};
inline constexpr std::size_t kMostObservedChains = 8192;  // of all sessions that are looked after
inline constexpr std::size_t kMostFinishedChains = 64;    // of one session and direction that are remembered
inline constexpr std::size_t kMostFragmented = 64;        // instructions of one chain that came before their turn
inline constexpr std::size_t kMostBuffers = 64;  // of one session and direction that REQ_BUF asks for at a time

// What one connection has carried of a chain number, for the chains that go over several (UMSP/B45).
struct InstructionRun {
  std::uint16_t first = 0, last = 0;  // INSTR_NUMBERs, in a row
};
struct CarriedChain {
  std::vector<InstructionRun> runs;  // one that repeats a number begins anew
  unsigned begins = 0, ends = 0;     // instructions with number 0; with _END_CHAIN
  std::uint32_t end = 0;             // the greatest number with _END_CHAIN
  bool is_unknown = false;           // not all of it is here
};
inline constexpr std::size_t kMostCarried = 1024;  // chain numbers of one session and direction
inline constexpr std::size_t kMostRuns = 32;       // of one chain number

// One side's half of a session.
struct SessionHalf {
  std::optional<std::uint32_t> id;  // that this side has given to the session; what the other side names
  std::optional<std::uint32_t> profile;
  std::optional<std::uint32_t> asked;  // the profile that the other side asks of this one
  std::optional<std::uint16_t> vm_type, vm_version;
  std::optional<std::uint64_t> ltid;
  // A SESSION_OPEN or SESSION_ACCEPT of this side broke the handshake: how the other side goes on from there is its own
  // affair, and whether it has taken what that said is not known.
  bool broke_handshake = false, terms_unknown = false;
  std::optional<std::uint16_t> window;            // in blocks of 256 octets
  std::map<std::uint16_t, ObservedChain> chains;  // that this side sends
  std::vector<std::uint16_t> finished;            // of them, in the order in which they ended
  bool chains_forgotten = false;
  std::map<std::uint16_t, CarriedChain> carried;  // by chain number, while the two nodes have several connections
  bool carried_forgotten = false;
  std::map<std::uint32_t, std::uint32_t> buffers_asked;  // octets that REQ_BUF asks for, by REQ_ID
  std::vector<std::uint32_t> buffers_granted;            // octets; each is for the next chain (UMSP/B22)
  std::uint64_t grants = 0;                              // of buffers, all
  std::uint64_t later_executed = 0;                      // transactions with TRR 0
  unsigned opens_waiting = 0;                            // SESSION_OPEN of this side that may be answered
  unsigned closes = 0;                                   // SESSION_CLOSE of this side that RSP_P has not answered
  bool buffers_forgotten = false;                        // some that REQ_BUF asks for
  std::set<std::uint32_t> early_answers;                 // REQ_IDs of RSP_P to this side that answer nothing so far
};

enum class SessionStage : std::uint8_t {
  opening,  // SESSION_OPEN goes to and fro
  open,
  closing,  // SESSION_CLOSE waits for its answer
  closed,   // a positive answer to it was sent
  over,     // rejected, or SESSION_ABEND
};

struct ObservedSession {
  SessionStage stage = SessionStage::opening;
  bool from_start = false;  // its first SESSION_OPEN was seen
  Side initiator = Side::a;
  Side latest_open = Side::a;  // who sent the latest SESSION_OPEN
  unsigned opens = 0;
  std::int64_t begun_ns = 0;                       // when it was
  std::int64_t accepted_ns = 0;                    // when SESSION_ACCEPT was seen
  std::int64_t stage_ns = 0;                       // since when
  std::uint64_t stage_index = 0, stage_frame = 0;  // by which message
  bool stage_is_here = true;                       // one of this connection
  bool is_several = false;                         // it goes over several connections
  bool closing_accepted = false;                   // a positive answer to SESSION_CLOSE was sent, once at least
  bool rejected = false;                           // over by SESSION_REJECT
  std::optional<Side> ended_by;                    // who has sent SESSION_REJECT or SESSION_ABEND
  bool second = false;                             // when it was begun, one of the same job was in use
  std::optional<Side> replaced_by;                 // who has accepted another session of the same job (UMSP/B11)
  std::optional<Identifier> gjid;
  std::array<SessionHalf, 2> halves;

  bool is_in_use() const { return stage != SessionStage::opening && stage != SessionStage::over; }

  SessionHalf& half(Side side) { return halves[side == Side::a ? 0 : 1]; }
  const SessionHalf& half(Side side) const { return halves[side == Side::a ? 0 : 1]; }
};
inline constexpr std::size_t kMostSessions = 4096;     // that are looked after
inline constexpr std::size_t kMostSessionsOfJob = 64;  // of them
inline constexpr std::size_t kMostRequests = 4096;     // of one side

// What one side sends.
struct Direction {
  Side side = Side::a;
  Context context;                             // of its stream; a datagram has one of its own
  bool seen = false;                           // anything of it
  bool unbroken = false;                       // from its first octet on, without a gap
  bool lost = false;                           // where the next instruction begins is not known
  bool ended = false;                          // by a FIN or RST
  std::int64_t ended_ns = 0;                   // when it was, if it was
  bool inherits = true;                        // what PCK 01 and 10 refer to is known
  std::optional<std::int64_t> opened_ns = {};  // when its SYN was captured, if it was
  std::uint64_t at = 0;                        // of its stream: where `held` begins
  OctetBuffer held;                            // an instruction that is not whole
  std::uint64_t skipped = 0;  // octets of an instruction that are passed over, as it is too long to be held
  std::map<RequestKey, ObservedRequest> requests;  // of this side, that were not answered
  bool requests_known = true;                      // all of them, as far as they went this way
  // SESSION_ID and REQ_ID of requests that named a session by an identifier which the receiver has not given to one
  // yet, as far as is seen: it may have by the time when they arrive.
  std::set<std::pair<std::uint32_t, std::uint32_t>> guesses;
  // SESSION_ID and REQ_ID of requests of a session that is over, and whose identifier this side has given again: the
  // other side may have answered them before it knew.
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  bool guesses_forgotten = false;  // there were too many of either
};

// Where a message was.
struct MessageMark {
  std::uint64_t index = 0, frame = 0;
  std::int64_t time_ns = 0;
};

// An instruction of a chain that does not follow from what its connection has carried of it: the one before it is
// missing, or what came before forbids it. Another connection may still bring a part of the chain.
struct OrphanInstruction {
  const Rule* rule = nullptr;  // it breaks, if none does
  Evidence evidence = Evidence::octets;
  std::uint64_t session = 0;  // its number in Connection::sessions
  Message message;
  OctetBuffer octets;  // its header, which `message` names
  std::uint16_t chain_number = 0;
  std::uint32_t due = 0, number = 0;  // INSTR_NUMBER
  std::uint32_t missing = 0;          // how many of the numbers from `due` on have not come; 0: it misses none
  bool may_follow = false;            // what it misses may be sent after it
  bool of_all = false;                // judged by what all connections have carried (shared_chains.h)
  std::size_t offset = 0, length = 0;
  std::string expected, actual, why;
};
inline constexpr std::size_t kMostOrphans = 64;  // per connection; further ones would report the same fault

// What distinguishes jobs, for all practical purposes: whoever looks compares the GJID as well.
using JobKey = std::pair<std::uint64_t, std::array<Octet, 13>>;
inline JobKey job_key(const Identifier& gjid) {
  return {gjid.task, gjid.node_octets};
}

struct Connection {
  Pair* pair = nullptr;                                   // of the two nodes, where other connections may belong to it
  bool turned = false;                                    // side a is the pair's second node
  Jobs* jobs = nullptr;                                   // of all nodes of the capture
  std::array<wirelaw::Address, 2> nodes{};                // of the sides; where `jobs` is there
  std::array<std::optional<MessageMark>, 2> latest = {};  // that the side has sent; likewise
  std::array<Direction, 2> directions{Direction{.side = Side::a}, Direction{.side = Side::b}};
  // By a number of their own; found by the identifier that one of the sides has given.
  std::map<std::uint64_t, ObservedSession> sessions;
  std::array<std::map<std::uint32_t, std::uint64_t>, 2> session_by_id;  // of the side that has given the identifier
  std::map<JobKey, std::vector<std::uint64_t>> sessions_of_job;         // in the order in which they were begun
  std::array<std::set<std::uint32_t>, 2> doubled;  // identifiers that the side has given to several sessions
  std::uint64_t next_session = 0;
  ExchangeAccount exchanges;
  ManagementAccount management;
  bool has_stray_handshake = false;  // a SESSION_OPEN or SESSION_ACCEPT that named no session of its receiver
  bool sessions_forgotten = false;
  std::size_t chains = 0;  // of all sessions
  std::vector<OrphanInstruction> orphans;
  // What a side has said of its zero-session (5.8).
  std::array<std::optional<std::uint32_t>, 2> zero_profiles;
  // Chains of the datagram that is being judged, by session and number, and whether they are at their end.
  std::map<std::pair<std::uint32_t, std::uint16_t>, bool> datagram_chains;
  bool datagrams = false;  // the flow is one of UDP
  std::string partial;     // why not everything could be judged; empty where it could
  std::uint64_t messages = 0;

  Direction& of(Side side) { return directions[side == Side::a ? 0 : 1]; }
  const Direction& of(Side side) const { return directions[side == Side::a ? 0 : 1]; }
  // Until when both sides could send: `now_ns`, unless one has ended its stream before.
  std::int64_t was_open_until(std::int64_t now_ns) const {
    for (const Direction& one : directions)
      if (one.ended) now_ns = std::min(now_ns, one.ended_ns);
    return now_ns;
  }
  // Something of it is missing, as far as it was seen at all.
  bool is_broken() const {
    return std::ranges::any_of(directions, [](const Direction& one) { return one.seen && !one.unbroken; });
  }
  // All of both streams was seen, from the first octet on, and is remembered.
  bool is_all_seen() const {
    return !datagrams && !sessions_forgotten && directions[0].unbroken && directions[1].unbroken;
  }
  // The session that `owner` calls so, by its number; nothing where none is known.
  std::optional<std::uint64_t> find_session_number(Side owner, std::uint32_t id) const {
    const auto& ids = session_by_id[owner == Side::a ? 0 : 1];
    const auto found = ids.find(id);
    if (found == ids.end() || !sessions.contains(found->second)) return std::nullopt;
    return found->second;
  }
  // The same session itself; nullptr where none is known.
  ObservedSession* find_session(Side owner, std::uint32_t id) {
    const auto number = find_session_number(owner, id);
    return number ? &sessions.at(*number) : nullptr;
  }
  std::size_t memory() const;
};

}  // namespace wirelaw::umsp
