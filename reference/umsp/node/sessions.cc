// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/sessions.h"

#include <algorithm>

#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

constexpr unsigned kMostOpens = 7;  // the eighth step accepts or rejects (UMSP/B9)

// A node may use at most half of the room for sessions that it has begun to open. Such sessions wait for the JCP's
// answer or for the node's next step. So no node locks out others by opening sessions that are never confirmed or
// continued.
bool has_room(const std::map<std::uint32_t, Session>& sessions, std::size_t most, NodeAddress peer) {
  const std::size_t half = (most + 1) / 2;
  if (sessions.size() < half) return true;
  if (sessions.size() >= most) return false;
  const auto waits = [&](const auto& one) {
    return !one.second.initiator && !one.second.is_in_use() && one.second.peer == peer;
  };
  return static_cast<std::size_t>(std::ranges::count_if(sessions, waits)) < half;
}

constexpr bool is(const Instruction& instruction, Opcode opcode) {
  return instruction.opcode() == static_cast<std::uint8_t>(opcode);
}

// SESSION_OPEN with neither a session nor a number (5.8, UMSP/A14).
bool is_of_zero_session(const Instruction& instruction, const Membership& membership) {
  return membership.session_id.value_or(kZeroSession) == kZeroSession && instruction.header.req_id == kZeroSession;
}

// True if a session may have this identifier.
bool is_identifier(std::uint32_t id) {
  return id != kZeroSession && id != kReservedSessionId;
}

bool is_first(const Instruction& instruction) {
  return instruction.header.pck == Pck::no_session;
}

// True for a VM or a group, by type and version (9, UMSP/B8). The answer may require the sender's own VM, so that must
// be valid.
bool names_vm(VmKind vm) {
  constexpr std::uint16_t kReserved = 0xffff;
  return vm.type != kReserved && vm.version != kReserved && vm.version != 0;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------- receiving

bool Sessions::receive(const Origin& origin, const Instruction& instruction, const Membership& membership,
                       Instant now) {
  now_ = now;
  if (is(instruction, Opcode::session_open)) {
    on_open(origin, instruction, membership);
    return true;
  }
  const std::uint32_t id = membership.session_id.value_or(kZeroSession);
  Session* const session = addressed(id, origin, instruction);
  if (session != nullptr) session->link = origin.link;
  struct Row {
    Opcode opcode;
    void (Sessions::*step)(Session&, const Instruction&);
  };
  static constexpr Row kRows[] = {{Opcode::session_accept, &Sessions::on_accept},
                                  {Opcode::session_reject, &Sessions::on_reject},
                                  {Opcode::session_close, &Sessions::on_close},
                                  {Opcode::session_abend, &Sessions::on_abend}};
  for (const Row& row : kRows) {
    if (!is(instruction, row.opcode)) continue;
    if (session != nullptr && takes(instruction)) (this->*row.step)(*session, instruction);
    return true;
  }
  if (!is(instruction, Opcode::rsp_p) || session == nullptr || session->phase != SessionPhase::closing) return false;
  if (takes(instruction)) on_closing_answer(*session, instruction);
  return true;
}

void Sessions::on_open(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (is_of_zero_session(instruction, membership)) return on_zero_open(origin, instruction);
  if (!takes(instruction)) return;
  if (!is_identifier(instruction.header.req_id)) return;  // nothing could be sent to it
  const auto open = SessionOpen::read(instruction);
  if (is_first(instruction)) {
    if (open) return on_first_open(origin, instruction.header.req_id, *open);
    Session refused{.peer_id = instruction.header.req_id, .peer = origin.from, .link = origin.link};
    return reject(refused, codes_of(SessionError::malformed));
  }
  Session* const session = find(membership.session_id.value_or(kZeroSession), origin);
  if (session == nullptr || session->phase != SessionPhase::opening) return;
  session->link = origin.link;
  session->peer_id = instruction.header.req_id;
  const bool in_turn = (session->opens % 2 == 1) == session->initiator;
  if (!open || !in_turn || session->opens >= kMostOpens)
    return refuse_open(*session, instruction, codes_of(open ? SessionError::handshake : SessionError::malformed));
  ++session->opens;
  session->received = open;
  if (const auto error = check_open(*open)) {
    reject(*session, codes_of(*error));
    return finish(*session, codes_of(*error), false);
  }
  answer_open(*session);
}

void Sessions::refuse_open(Session& session, const Instruction& open, Codes codes) {
  session.peer_id = open.header.req_id;
  reject(session, codes);
  finish(session, codes, false);
}

void Sessions::on_first_open(const Origin& origin, std::uint32_t peer_id, const SessionOpen& open) {
  Session asked{.peer_id = peer_id, .peer = origin.from, .link = origin.link, .gjid = open.gjid};
  asked.opens = 1;
  asked.received = open;
  drop_doubled(origin.from, peer_id);
  if (!has_room(sessions_, options_.most, origin.from)) return reject(asked, codes_of(SessionError::room));
  if (const auto error = check_open(open)) return reject(asked, codes_of(*error));
  if (Session* const existing = find_of_job(origin.from, open.gjid)) {
    if (!gives_way(*existing, asked)) return reject(asked, codes_of(SessionError::second));
    replace(*existing, asked);
  }
  asked.id = new_id();
  asked.phase = SessionPhase::admitting;
  admit(sessions_[asked.id] = asked);
}

// A node that assigns an identifier again has forgotten the session that had it.
void Sessions::drop_doubled(NodeAddress peer, std::uint32_t peer_id) {
  for (auto& [id, session] : sessions_)
    if (session.peer == peer && session.peer_id == peer_id) return finish(session, {}, true);
}

void Sessions::replace(Session& existing, Session& asked) {
  asked.again = true;
  finish(existing, {}, true);
}

std::optional<SessionError> Sessions::check_open(const SessionOpen& open) const {
  if (profile_field(open.required_profile, kVersionFirst, kVersionBits) != kUmspVersion) return SessionError::version;
  if (!names_vm(open.sender_vm)) return SessionError::vm;
  if (open.required_vm.version == 0 && open.required_vm.type != 0) return SessionError::vm;
  if (open.required_vm != VmKind{} && !has_vm(open.required_vm)) return SessionError::vm;
  return std::nullopt;
}

void Sessions::admit(Session& session) {
  const Admission admission = ask_about(opening_of(session));
  session.opening = admission.opening;
  if (admission.kind == Admission::Kind::admitted) on_admitted(session, admission.ltid);
  if (admission.kind == Admission::Kind::refused) on_refused(session, admission.codes);
}

void Sessions::on_admitted(Session& session, std::uint64_t task) {
  session.task = task;
  session.phase = SessionPhase::opening;
  answer_open(session);
}

void Sessions::on_refused(Session& session, Codes codes) {
  reject(session, codes);
  finish(session, codes, false);
}

Session* Sessions::find_waiting(OpeningId opening) {
  for (auto& [id, session] : sessions_)
    if (session.phase == SessionPhase::admitting && session.opening == opening) return &session;
  return nullptr;
}

void Sessions::admitted(OpeningId opening, std::uint64_t task, Instant now) {
  now_ = now;
  if (Session* const session = find_waiting(opening)) on_admitted(*session, task);
}

void Sessions::refused(OpeningId opening, Codes codes) {
  if (Session* const session = find_waiting(opening)) on_refused(*session, codes);
}

// If this side chooses the VM, it answers with SESSION_OPEN, because SESSION_ACCEPT cannot name one (UMSP/B7).
void Sessions::answer_open(Session& session) {
  const SessionOpen& open = *session.received;
  const bool vm_is_known = open.required_vm != VmKind{} || (session.sent && session.sent->sender_vm != VmKind{});
  if (vm_is_known && provides(open.required_profile) && is_satisfied(session)) return accept(session);
  const bool goes_on = !session.initiator || session.opens / 2 <= session.wish.insists;
  if (session.opens < kMostOpens && goes_on) return counter(session);
  reject(session, codes_of(SessionError::profile));
  finish(session, codes_of(SessionError::profile), false);
}

bool Sessions::is_satisfied(const Session& session) const {
  if (!session.initiator) return true;
  const std::uint32_t missing = session.wish.profile & ~session.received->sender_profile & kFunctionFlags;
  return missing == 0 || (session.wish.takes_less && session.opens / 2 > session.wish.insists);
}

void Sessions::accept(Session& session) {
  Draft draft = draft_of(Opcode::session_accept);
  draft.session_id = session.peer_id;
  draft.req_id = session.id;
  out_.send(session.peer, std::move(draft), session.link);
  establish(session);
}

void Sessions::reject(Session& session, Codes codes) {
  Draft draft = codes_draft(Opcode::session_reject, codes);
  draft.session_id = session.peer_id;
  out_.send(session.peer, std::move(draft), session.link);
}

void Sessions::on_accept(Session& session, const Instruction& instruction) {
  const bool ours_was_last = (session.opens % 2 == 1) == session.initiator;
  if (session.phase != SessionPhase::opening || !ours_was_last || !is_identifier(instruction.header.req_id)) return;
  session.peer_id = instruction.header.req_id;
  establish(session);
}

void Sessions::on_reject(Session& session, const Instruction& instruction) {
  if (session.is_in_use()) return;
  const Codes codes = read_codes(instruction).value_or(Codes{});
  report(SessionRefused{session.id, codes});
  leave(session);
}

// An omitted value in a SESSION_OPEN is the value that the other side requires.
void Sessions::establish(Session& session) {
  session.phase = SessionPhase::open;
  session.due.reset();
  const auto& ours = session.sent;
  const auto& theirs = session.received;
  session.own_profile = ours ? ours->sender_profile : theirs->required_profile;
  session.peer_profile = theirs ? theirs->sender_profile : ours->required_profile;
  session.own_window = ours ? ours->window : 0;
  session.peer_window = theirs ? theirs->window : 0;
  session.own_vm = ours ? ours->sender_vm : best_vm(theirs->required_vm);
  session.peer_vm = theirs ? theirs->sender_vm : ours->required_vm;
  report(SessionOpened{session.id, session.task});
}

SessionOpen Sessions::open_for(const Session& session, const SessionWish& wish) const {
  return {.required_vm = wish.vm,
          .required_profile = with_field(valid_profile(wish.profile), kVersionFirst, kVersionBits, kUmspVersion),
          .sender_vm = options_.vms.front(),
          .sender_profile = with_field(valid_profile(options_.profile), kVersionFirst, kVersionBits, options_.priority),
          .window = options_.window,
          .gjid = session.gjid,
          .ltid = options_.format.task_id(session.task)};
}

// The initiator repeats its requirements. The other side names its VM, offers its functions, and accepts the
// initiator's.
SessionOpen Sessions::next_open(const Session& session) const {
  if (session.initiator) return open_for(session, session.wish);
  const SessionOpen& open = *session.received;
  SessionOpen next = open_for(session, {open.sender_vm, open.sender_profile});
  next.sender_vm = best_vm(open.required_vm);
  return next;
}

void Sessions::send_open(Session& session, const SessionOpen& open) {
  ++session.opens;
  session.sent = open;
  session.due = now_ + options_.open_timeout;
  Draft draft = open.draft();
  if (session.peer_id) draft.session_id = session.peer_id;
  draft.req_id = session.id;
  out_.send(session.peer, std::move(draft), session.link);
}

// -------------------------------------------------------------------------------------------------- the zero-session

void Sessions::on_zero_open(const Origin& origin, const Instruction& instruction) {
  const auto open = SessionOpen::read(instruction);
  if (!open || !options_.zero_session) return;
  const bool accepts = provides(open->required_profile) && (open->required_vm == VmKind{} || has_vm(open->required_vm));
  Draft draft = draft_of(Opcode::session_accept);
  if (!accepts) {
    Session self{.gjid = open->gjid};
    const VmKind wanted = names_vm(open->sender_vm) ? open->sender_vm : VmKind{};
    draft = open_for(self, {wanted, open->sender_profile}).draft();
  }
  draft.session_id = kZeroSession;
  draft.req_id = kZeroSession;
  out_.send(origin.from, std::move(draft), origin.link);
}

// ------------------------------------------------------------------------------------------------------- the closing

void Sessions::close(std::uint32_t id, Codes codes) {
  Session* const session = find(id);
  if (session == nullptr || !session->initiator || session->phase != SessionPhase::open) return;
  send(*session, codes_draft(Opcode::session_close, codes));
  session->phase = SessionPhase::closing;
}

void Sessions::go_on(std::uint32_t id) {
  Session* const session = find(id);
  if (session == nullptr || session->phase != SessionPhase::closing) return;
  session->phase = SessionPhase::open;
  send(*session, draft_of(Opcode::nop));
}

void Sessions::on_close(Session& session, const Instruction&) {
  if (!session.is_in_use()) return;
  const bool agrees = agrees_to_close(session);
  Draft answer = codes_draft(Opcode::rsp_p, agrees ? Codes{} : codes_of(SessionError::handshake));
  answer.req_id = 0;  // UMSP/A13
  send(session, std::move(answer));
  if (!agrees) return;
  session.phase = SessionPhase::agreed;
  session.due = now_ + options_.closing_timeout;
}

void Sessions::refuse_close(Session& session) {
  Draft answer = codes_draft(Opcode::rsp_p, codes_of(SessionError::handshake));
  answer.req_id = 0;  // UMSP/A13
  send(session, std::move(answer));
}

void Sessions::on_closing_answer(Session& session, const Instruction& instruction) {
  const Codes codes = read_codes(instruction).value_or(Codes{});
  if (codes.basic == 0) return abend(session.id, {});
  session.phase = SessionPhase::open;
  report(ClosingRefused{session.id, codes});
}

void Sessions::taken(Session& session, const Instruction& instruction) {
  if (ends_closing(instruction)) on_activity(session);
}

bool Sessions::ends_closing(const Instruction& instruction) const {
  const Layout* const layout = find_layout(instruction.opcode());
  const bool response = layout != nullptr && layout->response;
  return !response && !is(instruction, Opcode::session_close) && !is(instruction, Opcode::session_abend);
}

void Sessions::on_activity(Session& session) {
  if (session.phase != SessionPhase::agreed) return;
  session.phase = SessionPhase::open;
  session.due.reset();
}

void Sessions::abend(std::uint32_t id, Codes codes) {
  Session* const session = find(id);
  if (session == nullptr) return;
  if (session->peer_id) send(*session, codes_draft(Opcode::session_abend, codes));
  finish(*session, codes, false);
}

void Sessions::on_abend(Session& session, const Instruction& instruction) {
  finish(session, read_codes(instruction).value_or(Codes{}), true);
}

void Sessions::end_task(std::uint64_t task, Codes codes, bool says_so) {
  for (auto next = sessions_.begin(); next != sessions_.end();) {
    Session& session = (next++)->second;
    if (session.task != task) continue;
    if (says_so && session.peer_id) send(session, codes_draft(Opcode::session_abend, codes));
    finish(session, codes, false);
  }
}

// --------------------------------------------------------------------------------------------------------------- time

void Sessions::on_closing_timeout(Session& session) {
  abend(session.id, {});
}

void Sessions::on_open_timeout(Session& session) {
  report(SessionRefused{session.id, codes_of(SessionError::handshake)});
  leave(session);
}

void Sessions::advance(Instant now) {
  now_ = now;
  for (auto next = sessions_.begin(); next != sessions_.end();) {
    Session& session = (next++)->second;
    if (!session.due || *session.due > now) continue;
    session.phase == SessionPhase::agreed ? on_closing_timeout(session) : on_open_timeout(session);
  }
}

std::optional<Instant> Sessions::deadline() const {
  std::optional<Instant> first;
  for (const auto& [id, session] : sessions_)
    if (session.due && (!first || *session.due < *first)) first = session.due;
  return first;
}

// ------------------------------------------------------------------------------------------------------------- shared

std::optional<std::uint32_t> Sessions::open(NodeAddress to, const Identifier& gjid, std::uint64_t task,
                                            const SessionWish& wish, Instant now) {
  now_ = now;
  if (sessions_.size() >= options_.most) return std::nullopt;
  const std::uint32_t id = new_id();
  Session& session = sessions_[id];
  session.id = id;
  session.peer = to;
  session.gjid = gjid;
  session.task = task;
  session.initiator = true;
  session.wish = wish;
  send_open(session, open_for(session, wish));
  return id;
}

bool Sessions::next_event(SessionEvent& out) {
  if (events_.empty()) return false;
  out = events_.front();
  events_.pop_front();
  return true;
}

Session* Sessions::find(std::uint32_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

Session* Sessions::find(std::uint32_t id, const Origin& from) {
  Session* const session = find(id);
  return session != nullptr && is_usable(*session, from) ? session : nullptr;
}

Session* Sessions::find_of_job(NodeAddress peer, const Identifier& gjid) {
  for (auto& [id, session] : sessions_)
    if (session.peer == peer && session.gjid == gjid) return &session;
  return nullptr;
}

bool Sessions::has_sessions(std::uint64_t task) const {
  return std::ranges::any_of(
      sessions_, [task](const auto& entry) { return entry.second.task == task && entry.second.is_in_use(); });
}

bool Sessions::names(std::uint64_t task) const {
  return std::ranges::any_of(sessions_, [task](const auto& entry) { return entry.second.task == task; });
}

void Sessions::send(Session& session, Draft draft) {
  draft.session_id = session.peer_id;
  const Style style = style_for(session.peer_profile);
  draft.style.extended = draft.style.extended || style.extended;
  draft.style.quadruple = draft.style.quadruple || style.quadruple;
  out_.send(session.peer, std::move(draft), session.link);
}

std::uint32_t Sessions::new_id() {
  do ++last_id_;
  while (last_id_ == kZeroSession || last_id_ == kReservedSessionId || sessions_.contains(last_id_));
  return last_id_;
}

void Sessions::finish(Session& session, Codes codes, bool by_peer) {
  if (session.is_in_use())
    report(SessionEnded{session.id, session.task, codes, by_peer});
  else if (session.initiator)
    report(SessionRefused{session.id, codes});
  leave(session);
}

void Sessions::leave(const Session& session) {
  const std::uint64_t task = session.task;
  const bool was_opening = !session.initiator && session.phase == SessionPhase::opening;
  sessions_.erase(session.id);
  if (was_opening) report(OpeningFailed{task});
}

bool Sessions::provides(std::uint32_t wanted) const {
  return (wanted & kFunctionFlags & ~options_.profile) == 0;
}

bool Sessions::has_vm(VmKind vm) const {
  return std::ranges::any_of(options_.vms, [vm](VmKind own) {
    return own.type == vm.type && (own.type == 0 ? own.version == vm.version : vm.version <= own.version);
  });
}

VmKind Sessions::best_vm(VmKind wanted) const {
  for (const VmKind& own : options_.vms)
    if (own.type == wanted.type && wanted != VmKind{}) return own;
  return options_.vms.front();
}

// A receiver that offers only one form of headers gets that one (S7, S8); one with borders gets borders (S20).
Style Sessions::style_for(std::uint32_t peer_profile) const {
  const bool extended_alone =
      has(peer_profile, ProfileFlag::extended_headers) && !has(peer_profile, ProfileFlag::short_headers);
  return {.extended = extended_alone, .quadruple = has(peer_profile, ProfileFlag::border)};
}

}  // namespace wirelaw::umsp
