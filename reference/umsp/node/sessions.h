// SPDX-License-Identifier: Apache-2.0
// The session connections of a node (RFC 3018 5.3, 5.4): both sides of the handshake and of the closing, and the
// declaration of its zero-session (5.8). The steps that reference/umsp/node/faults/ overrides are virtual. "A…" and
// "B…" are the rulings on points that the text leaves open.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/node/links.h"
#include "reference/umsp/node/outbox.h"
#include "reference/umsp/node/session.h"
#include "reference/umsp/node/task_event.h"
#include "reference/umsp/profile.h"

namespace wirelaw::umsp {

struct SessionOptions {
  NodeFormat format;
  std::vector<VmKind> vms = {{50000, 1}};  // on this node; it chooses the first one (5.3.1)
  std::uint32_t profile = kWholeProfile;   // functions that it provides
  std::uint8_t priority = 0;               // priority of its jobs (S16 to S19)
  std::uint16_t window = 64;               // blocks of 256 octets
  bool zero_session = true;
  std::size_t most = 1024;                             // maximum number at the same time
  Instant open_timeout = std::chrono::seconds(10);     // for a SESSION_OPEN (5)
  Instant closing_timeout = std::chrono::seconds(30);  // 5.4
};

class Sessions {
 public:
  // `out` outlives the sessions.
  Sessions(const SessionOptions& options, Outbox& out) : options_(options), out_(out) {}
  virtual ~Sessions() = default;
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Called for the first SESSION_OPEN of a session: decides whether its task is allowed (5.2). If it returns `waiting`,
  // admitted() or refused() follows with the same number.
  using Admit = std::function<Admission(const Opening&, Instant)>;
  void ask(Admit admit) { admit_ = std::move(admit); }

  // --- receiving: SESSION_OPEN, SESSION_ACCEPT, SESSION_REJECT, SESSION_CLOSE, SESSION_ABEND, and RSP_P to a closing.
  // Returns false for other instructions.
  bool receive(const Origin& origin, const Instruction& instruction, const Membership& membership, Instant now);
  // An instruction of a session was accepted: any except a response ends an agreed closing (5.4).
  void taken(Session& session, const Instruction& instruction);
  void admitted(OpeningId opening, std::uint64_t task, Instant now);
  void refused(OpeningId opening, Codes codes);
  // Refuses a further SESSION_OPEN of the handshake.
  void refuse_open(Session& session, const Instruction& open, Codes codes);
  // Ends the sessions of a task that has ended. `says_so`: send SESSION_ABEND on each (5.5.1, 5.6.1).
  void end_task(std::uint64_t task, Codes codes, bool says_so);
  void advance(Instant now);
  std::optional<Instant> deadline() const;

  // --- calls of the application
  // Returns the session's number; nothing if there is no room.
  std::optional<std::uint32_t> open(NodeAddress to, const Identifier& gjid, std::uint64_t task, const SessionWish& wish,
                                    Instant now);
  virtual void close(std::uint32_t id, Codes codes);
  // Does not agree to a closing: the session is still needed.
  void refuse_close(Session& session);
  // Cancels a closing with a NOP.
  void go_on(std::uint32_t id);
  void abend(std::uint32_t id, Codes codes);
  bool next_event(SessionEvent& out);

  // --- state
  // Returns the session with this side's number, if that peer may use it.
  Session* find(std::uint32_t id, const Origin& from);
  Session* find(std::uint32_t id);
  const std::map<std::uint32_t, Session>& all() const { return sessions_; }
  bool has_sessions(std::uint64_t task) const;
  bool names(std::uint64_t task) const;  // true if a session of the task is open, or being opened
  virtual bool works_without_session() const { return options_.zero_session; }  // 5.8
  const SessionOptions& options() const { return options_; }

  // Sends an instruction in this session.
  void send(Session& session, Draft draft);

 protected:
  // Returns true if a management instruction of a session is accepted at all.
  virtual bool takes(const Instruction&) const { return true; }
  // --- steps of the handshake
  void on_open(const Origin& origin, const Instruction& instruction, const Membership& membership);
  virtual void on_first_open(const Origin& origin, std::uint32_t peer_id, const SessionOpen& open);
  // There is a session of this job between the two nodes (5.3.1): one from the JCP replaces it, UMSP/B11. Returns false
  // if the new one is refused.
  virtual bool gives_way(const Session&, const Session& asked) const { return node_of(asked.gjid) == asked.peer; }
  virtual void replace(Session& existing, Session& asked);
  virtual std::optional<SessionError> check_open(const SessionOpen& open) const;
  virtual void admit(Session& session);
  virtual Opening opening_of(const Session& session) {
    return {session.gjid, session.peer, session.received->ltid, session.again};
  }
  Admission ask_about(const Opening& opening) { return admit_(opening, now_); }
  void on_admitted(Session& session, std::uint64_t task);
  void on_refused(Session& session, Codes codes);
  virtual void answer_open(Session& session);  // with one of the three functions below
  bool is_satisfied(const Session& session) const;
  virtual void accept(Session& session);
  virtual void counter(Session& session) { send_open(session, next_open(session)); }
  void reject(Session& session, Codes codes);
  void on_accept(Session& session, const Instruction& instruction);
  void on_reject(Session& session, const Instruction& instruction);
  // The functions that this side provides and requires.
  virtual SessionOpen open_for(const Session& session, const SessionWish& wish) const;
  SessionOpen next_open(const Session& session) const;
  void send_open(Session& session, const SessionOpen& open);
  virtual void establish(Session& session);
  // --- the zero-session
  virtual void on_zero_open(const Origin& origin, const Instruction& instruction);
  // --- the closing
  virtual void on_activity(Session& session);
  virtual bool ends_closing(const Instruction& instruction) const;  // true for all except responses
  void on_close(Session& session, const Instruction& instruction);
  bool agrees_to_close(const Session& session) const { return !session.initiator; }
  virtual void on_closing_answer(Session& session, const Instruction& instruction);
  void on_abend(Session& session, const Instruction& instruction);
  void on_closing_timeout(Session& session);
  virtual void on_open_timeout(Session& session);
  // --- shared steps
  // A session may be used over any connection with its node (5.3).
  virtual bool is_usable(const Session& session, const Origin& from) const { return session.peer == from.from; }
  // Returns the session that a management instruction addresses; nullptr if there is none.
  virtual Session* addressed(std::uint32_t id, const Origin& origin, const Instruction&) { return find(id, origin); }
  std::uint32_t new_id();
  void finish(Session& session, Codes codes, bool by_peer);
  void report(SessionEvent event) { events_.push_back(event); }
  bool provides(std::uint32_t wanted) const;
  bool has_vm(VmKind vm) const;
  VmKind best_vm(VmKind wanted) const;
  Style style_for(std::uint32_t peer_profile) const;

  SessionOptions options_;
  Outbox& out_;
  Instant now_{};
  std::map<std::uint32_t, Session> sessions_;  // by this side's number

 private:
  Session* find_of_job(NodeAddress peer, const Identifier& gjid);
  Session* find_waiting(OpeningId opening);
  void leave(const Session& session);  // forgets the session
  void drop_doubled(NodeAddress peer, std::uint32_t peer_id);

  Admit admit_;
  std::uint32_t last_id_ = 0;
  std::deque<SessionEvent> events_;
};

}  // namespace wirelaw::umsp
