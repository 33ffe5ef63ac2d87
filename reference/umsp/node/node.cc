// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/node.h"

#include <algorithm>

#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

using enum Opcode;

bool is_one_of(const Instruction& instruction, std::initializer_list<Opcode> codes) {
  return std::ranges::find(codes, static_cast<Opcode>(instruction.opcode())) != codes.end();
}

bool is_response_of_any_kind(const Instruction& instruction) {
  const Layout* const layout = find_layout(instruction.opcode());
  return layout != nullptr && layout->response;
}

NodeOptions whole(NodeOptions options) {
  options.sessions.format = options.tasks.format = options.control.format = options.format;
  options.tasks.address = options.control.address = options.address;
  options.vm.format = options.format.format;
  options.vm.node = OctetBuffer(options.address.ip.begin(), options.address.ip.end());
  const VmKind own{options.vm.vm_type, options.vm.vm_version};
  options.sessions.vms = {own};
  options.search.vms = {{own, "wirelaw"}};
  for (const NamedVm& beside : options.beside) {
    options.sessions.vms.push_back(beside.vm);
    options.search.vms.push_back(beside);
  }
  for (const VmGroup& group : options.search.groups) options.sessions.vms.push_back({0, group.number});
  options.search.zero_session.reset();
  if (options.sessions.zero_session) options.search.zero_session = own;
  options.received.address_octets = static_cast<std::uint8_t>(options.format.memory_octets());
  return options;
}

std::optional<Instant> earlier(std::optional<Instant> a, std::optional<Instant> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// True for a negative RSP. OBJ_SEEK has no positive one.
bool is_refusal(const Draft& response) {
  return response.is(rsp) || response.is(rsp_p);
}

}  // namespace

Node::Node(NodeOptions options, const PartMaker& maker)
    : options_(whole(std::move(options))),
      maker_(maker),
      links_(maker.links(options_.links)),
      vm_(maker.vm(options_.vm)),
      control_(maker.control_point(options_.control, *this)),
      tasks_(maker.tasks(options_.tasks, *this, *control_)),
      sessions_(maker.sessions(options_.sessions, *this)),
      search_(maker.search(options_.search, *this)) {
  sessions_->ask([this](const Opening& opening, Instant at) { return tasks_->admit(opening, at); });
}

// ------------------------------------------------------------------------------------------------ the transport's side

void Node::linked(LinkId link, NodeAddress remote, bool datagrams, Instant now) {
  now_ = now;
  if (const auto oldest = links_->to_make_room()) {
    links_->ended(*oldest);
    forget_zero_exchange(*oldest);
  }
  links_->linked(link, remote, datagrams);
}

void Node::receive(LinkId link, Octets octets, Instant now) {
  now_ = now;
  links_->receive(link, octets, [this](const Origin& origin, const Instruction& instruction, const Membership& where) {
    take(origin, instruction, where);
    settle();
  });
}

// Neither a session nor a task ends with a connection (2.3).
void Node::ended(LinkId link, Instant now) {
  now_ = now;
  const auto remote = links_->remote(link);
  links_->ended(link);
  if (remote) control_->unlinked(*remote, now);
  forget_zero_exchange(link);
}

void Node::forget_zero_exchange(LinkId link) {
  const auto zero = zero_exchanges_.find(link);
  if (zero == zero_exchanges_.end()) return;
  end_exchange(zero->second, true);
  zero_exchanges_.erase(zero);
}

void Node::not_reached(NodeAddress to, Instant now) {
  now_ = now;
  links_->not_reached(to);
}

void Node::advance(Instant now) {
  now_ = now;
  sessions_->advance(now);
  tasks_->advance(now);
  control_->advance(now);
  vm_->advance(now);
  for (auto& [number, exchange] : exchanges_) exchange.receiver->advance(now);
  settle();
}

std::optional<Instant> Node::deadline() const {
  std::optional<Instant> first = earlier(sessions_->deadline(), tasks_->deadline());
  first = earlier(first, earlier(control_->deadline(), vm_->deadline()));
  for (const auto& [number, exchange] : exchanges_) first = earlier(first, exchange.receiver->deadline());
  return first;
}

// ---------------------------------------------------------------------------------------------------------- receiving

void Node::take(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (membership.flaw) return;  // it is unknown what it belongs to
  note(origin);
  if (has_too_many_headers(instruction)) return on_too_many_headers(origin, instruction, membership);
  if (!processes_headers(instruction)) return refuse(origin, instruction, membership, codes_of(SessionError::headers));
  if (origin.datagram && !takes_by_datagram(instruction)) return;
  const OpcodeClass kind = class_of(instruction.opcode());
  if (kind == OpcodeClass::management) return on_management(origin, instruction, membership);
  if (kind == OpcodeClass::exchange) return on_exchange(origin, instruction, membership);
}

// A node that sends instructions need not be asked for its state; instructions about tasks are counted elsewhere
// (5.7.2).
void Node::note(const Origin& origin) {
  if (origin.datagram) return;
  control_->noted(origin.from, now_);
  tasks_->noted(origin.from, now_);
}

bool Node::has_too_many_headers(const Instruction& instruction) const {
  return instruction.extensions.size() > kMostExtensionHeaders;
}

void Node::on_too_many_headers(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (const Session* const session = session_of(origin, membership))
    return sessions_->abend(session->id, codes_of(SessionError::headers));
  refuse(origin, instruction, membership, codes_of(SessionError::headers));
}

bool Node::processes_headers(const Instruction& instruction) const {
  return std::ranges::all_of(instruction.extensions,
                             [this](const ExtensionHeader& header) { return !header.hob || processes(header); });
}

bool Node::processes(const ExtensionHeader& header) const {
  if (find_extension(header.head_code) == nullptr) return false;
  const OperandView view = locate(header);
  return !view.flaw || view.flaw == OperandFlaw::padding;
}

bool Node::takes_by_datagram(const Instruction& instruction) const {
  if (is_one_of(instruction, {vm_req, vm_notif, obj_seek, object})) return true;
  return class_of(instruction.opcode()) == OpcodeClass::exchange && !instruction.header.ask;
}

// A node that searches by broadcast wants answers only from those that have the object (6.6.5.1).
bool Node::says_by_datagram(const Draft& response) const {
  return !is_refusal(response);
}

Session* Node::session_of(const Origin& origin, const Membership& membership) {
  return sessions_->find(membership.session_id.value_or(kZeroSession), origin);
}

// A request with a refusal of its own gets that; other management gets RSP_P, other exchange RSP (4.1, 3.2).
void Node::refuse(const Origin& origin, const Instruction& instruction, const Membership& membership, Codes codes) {
  if (!instruction.header.ask || is_response_of_any_kind(instruction)) return;
  struct Row {
    Opcode first, last, refusal;
  };
  static constexpr Row kRows[] = {{control_req, control_req, control_reject},
                                  {task_reg_2, task_reg_8, task_reject},
                                  {task_chk, task_chk, task_reject}};
  Opcode refusal = class_of(instruction.opcode()) == OpcodeClass::exchange ? rsp : rsp_p;
  for (const Row& row : kRows)
    if (instruction.opcode() >= static_cast<std::uint8_t>(row.first) &&
        instruction.opcode() <= static_cast<std::uint8_t>(row.last))
      refusal = row.refusal;
  Draft draft = codes_draft(refusal, codes);
  draft.req_id = instruction.header.req_id;
  if (is_one_of(instruction, {session_open})) {
    if (instruction.header.req_id == kZeroSession || instruction.header.req_id == kReservedSessionId) return;
    if (Session* const known = session_of(origin, membership)) {
      // A session in use is not opened again: the instruction is ignored, as it is if its headers can be processed.
      return known->is_in_use() ? void() : sessions_->refuse_open(*known, instruction, codes);
    }
    draft = codes_draft(session_reject, codes);
    draft.session_id = instruction.header.req_id;
  } else if (refusal == rsp || refusal == rsp_p) {  // the others are of no session
    if (Session* const session = session_of(origin, membership)) return sessions_->send(*session, std::move(draft));
    if (membership.session_id.value_or(kZeroSession) != kZeroSession) return;  // no such session
    draft.session_id = kZeroSession;
  }
  links_->send(origin.from, draft, origin.link);
}

void Node::on_management(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (search_->receive(origin, instruction)) return;
  Session* const session = session_of(origin, membership);
  if (session != nullptr) sessions_->taken(*session, instruction);
  if (is_one_of(instruction, {session_close}) && session != nullptr && has_to_send(*session)) {
    session->link = origin.link;
    return sessions_->refuse_close(*session);
  }
  if (sessions_->receive(origin, instruction, membership, now_)) return;
  if (is_one_of(instruction, {control_req, task_reg_2, task_reg_4, task_reg_8, task_chk, task_terminate, job_completed,
                              task_state, node_reload}))
    return control_->receive(origin.from, origin.link, instruction, now_);
  if (is_one_of(instruction, {control_confirm, control_reject, task_confirm, task_reject, task_terminate_info,
                              job_completed_info, state_req}))
    return tasks_->receive(origin.from, origin.link, instruction, now_);
  if (session != nullptr && session->is_in_use()) return execute(origin, instruction, membership, *session);
}

// A node that has agreed to a closing does not use the session (5.4), so it agrees only when it has sent everything.
bool Node::has_to_send(const Session& session) {
  const ChainSender* const sender = chains(session.id);
  return session.is_in_use() && sender != nullptr && sender->has_requests();
}

void Node::on_exchange(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (membership.session_id.value_or(kZeroSession) == kZeroSession)
    return execute_without_session(origin, instruction, membership);
  Session* const session = session_of(origin, membership);
  if (session == nullptr || !session->is_in_use()) return;
  session->link = origin.datagram ? session->link : origin.link;
  sessions_->taken(*session, instruction);
  if (find_layout(instruction.opcode()) == nullptr) return on_unknown(origin, instruction, membership);
  if (missing(instruction, *session)) return refuse(origin, instruction, membership, codes_of(SessionError::profile));
  execute(origin, instruction, membership, *session);
}

// The VM does not get the instruction (4.1, UMSP/B26).
void Node::on_unknown(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  refuse(origin, instruction, membership, codes_of(SessionError::malformed));
}

std::optional<ProfileFlag> Node::missing(const Instruction& instruction, const Session& session) const {
  return missing_function(instruction, session.own_profile);
}

void Node::execute(const Origin& origin, const Instruction& instruction, const Membership& membership,
                   Session& session) {
  const auto found = exchanges_.find(session.id);
  if (found == exchanges_.end()) return;
  Exchange& exchange = found->second;
  if (is_response_of_any_kind(instruction)) {
    if (!exchange.sender->answered(instruction, now_)) {
      vm_->on_response(instruction, {.session = session.id, .task = session.task});
      events_.push_back(Responded{session.id, draft_of(instruction, membership)});
    }
    return;
  }
  if (!ChainReceiver::takes(instruction.opcode())) return;
  exchange.receiver->receive(instruction, membership,
                             {static_cast<std::uint32_t>(origin.link), origin.segment, origin.alone}, now_);
}

Node::Exchange& Node::zero_exchange(const Origin& origin, std::uint32_t& number) {
  const auto [place, is_new] = zero_exchanges_.try_emplace(origin.link, next_zero_);
  number = place->second;
  Exchange& exchange = exchanges_[number];
  if (!is_new) return exchange;
  ++next_zero_;
  exchange.peer = origin.from;
  exchange.link = origin.link;
  exchange.datagrams = origin.datagram;
  ReceiverOptions options = options_.received;
  options.window = 0;
  exchange.receiver = maker_.receiver(options, *vm_, {.session = number, .task = 0});
  return exchange;
}

void Node::execute_without_session(const Origin& origin, const Instruction& instruction, const Membership& membership) {
  if (!sessions_->works_without_session()) return refuse(origin, instruction, membership, codes_of(SessionError::vm));
  if (find_layout(instruction.opcode()) == nullptr) return on_unknown(origin, instruction, membership);
  std::uint32_t number = 0;
  Exchange& exchange = zero_exchange(origin, number);
  if (is_response_of_any_kind(instruction)) {
    vm_->on_response(instruction, {.session = number, .task = 0});
    events_.push_back(Responded{kZeroSession, draft_of(instruction, membership)});
    return;
  }
  if (!ChainReceiver::takes(instruction.opcode())) return;
  exchange.receiver->receive(instruction, membership,
                             {static_cast<std::uint32_t>(origin.link), origin.segment, origin.alone}, now_);
}

// ------------------------------------------------------------------------------------ effects of received instructions

void Node::settle() {
  while (settle_tasks() || settle_sessions() || settle_vm() || settle_exchanges()) {
  }
}

bool Node::settle_tasks() {
  bool moved = false;
  for (TaskEvent event; tasks_->next_event(event); moved = true) on_task_event(event);
  return moved;
}

void Node::on_task_event(const TaskEvent& event) {
  using Kind = TaskEvent::Kind;
  switch (event.kind) {
    case Kind::job_started:
      events_.push_back(JobStarted{event.gjid, event.ltid});
      break;
    case Kind::job_refused:
      events_.push_back(JobRefused{event.ltid, event.codes});
      break;
    case Kind::task_begun:
      vm_->begin_task(event.ltid);
      break;
    case Kind::admitted:
      sessions_->admitted(event.opening, event.ltid, now_);
      break;
    case Kind::refused:
      sessions_->refused(event.opening, event.codes);
      break;
    case Kind::task_ended:
      sessions_->end_task(event.ltid, event.codes, event.abends);
      settle_sessions();
      vm_->end_task(event.ltid);
      events_.push_back(TaskEnded{event.gjid, event.end});
      break;
    case Kind::node_ended:
      if (event.ended) vm_->forget_node(event.ltid, event.ended->node());
      break;
  }
}

bool Node::settle_sessions() {
  bool moved = false;
  for (SessionEvent event; sessions_->next_event(event); moved = true) {
    on_session_event(event);
    if (!std::holds_alternative<OpeningFailed>(event)) events_.push_back(event);
  }
  return moved;
}

void Node::on_session_event(const SessionEvent& event) {
  if (const auto* const opened = std::get_if<SessionOpened>(&event)) {
    if (const Session* const session = sessions_->find(opened->id)) begin_exchange(*session);
    tasks_->set_sessions(opened->task, true);
  }
  if (const auto* const ended = std::get_if<SessionEnded>(&event)) {
    end_exchange(ended->id, true);
    tasks_->set_sessions(ended->task, sessions_->has_sessions(ended->task));
  }
  if (const auto* const failed = std::get_if<OpeningFailed>(&event))
    if (!sessions_->names(failed->task)) tasks_->opening_failed(failed->task);
}

void Node::begin_exchange(const Session& session) {
  ReceiverOptions received = options_.received;
  received.window = window_octets(session.own_window);
  SenderOptions sent = options_.sent;
  sent.window = window_octets(session.peer_window);
  sent.fragments = takes_chains(session.peer_profile, ProfileFlag::fragments);
  sent.sequences = takes_chains(session.peer_profile, ProfileFlag::sequences);
  sent.transactions = takes_chains(session.peer_profile, ProfileFlag::transactions);
  Exchange& exchange = exchanges_[session.id];
  exchange.receiver = maker_.receiver(received, *vm_, {.session = session.id, .task = task_of(session)});
  exchange.sender = maker_.sender(sent);
  if (session.received) tasks_->add_peer(session.task, session.peer, session.received->ltid);
  if (session.initiator && node_of(session.gjid) == options_.address)
    control_->register_opened_by_jcp(session.gjid, session.peer,
                                     session.received ? std::optional(session.received->ltid) : std::nullopt, false,
                                     now_);
}

void Node::end_exchange(std::uint32_t session, bool abnormally) {
  const auto found = exchanges_.find(session);
  if (found == exchanges_.end()) return;
  found->second.receiver->session_ended(abnormally, now_);
  exchanges_.erase(found);
}

bool Node::settle_vm() {
  bool moved = false;
  for (FromVm from; vm_->next_response(from); moved = true) {
    const auto found = exchanges_.find(from.session);
    if (found != exchanges_.end() && !found->second.receiver->executed(from.instruction, now_))
      respond(from.session, std::move(from.instruction));
  }
  for (FromVm from; vm_->next_request(from); moved = true) send_for_vm(std::move(from));
  return moved;
}

// A request is not sent if the other side does not support it (5.3.4): the VM gets a negative response.
void Node::send_for_vm(FromVm from) {
  const auto found = exchanges_.find(from.session);
  const Session* const session = sessions_->find(from.session);
  if (found == exchanges_.end() || !found->second.sender || session == nullptr) return;
  const auto req_id = from.instruction.req_id;
  if (submit(*session, *found->second.sender, std::move(from.instruction))) return;
  const OctetBuffer octets = write(not_provided(req_id));
  if (const auto response = decode(octets))
    vm_->on_response(*response, {.session = session->id, .task = session->task});
}

bool Node::settle_exchanges() {
  bool moved = false;
  for (auto next = exchanges_.begin(); next != exchanges_.end();) {
    const auto here = next++;
    moved = pump(here->first, here->second) || moved;
  }
  return moved;
}

// Sends the instructions of its chains. The session may be over afterwards.
bool Node::pump(std::uint32_t number, Exchange& exchange) {
  bool moved = false;
  for (Action action; exchange.receiver->next(action); moved = true) {
    switch (action.kind) {
      case Action::Kind::respond:
        respond(number, std::move(action.response));
        break;
      case Action::Kind::answered:
        events_.push_back(Responded{number, std::move(action.response)});
        break;
      case Action::Kind::break_off:
        on_break_off(number, action.reason);
        return true;
    }
  }
  if (!exchange.sender) return moved;
  Session* const session = sessions_->find(number);
  for (Draft response; exchange.sender->next_for_vm(response); moved = true)
    events_.push_back(Responded{number, std::move(response)});
  for (Sendable out; session != nullptr && exchange.sender->next(out, now_); moved = true)
    sessions_->send(*session, std::move(out.instruction));
  return moved;
}

// Sends a response with the sender of the session's chains, because it may be too long for one segment (7.3).
void Node::respond(std::uint32_t number, Draft response) {
  const auto found = exchanges_.find(number);
  if (found == exchanges_.end()) return;
  Exchange& exchange = found->second;
  // An address in answer is that of something which the task has allocated, and may keep to its end (5.7.3).
  const Session* const session = sessions_->find(number);
  if (session != nullptr && response.is(address)) tasks_->set_resources(session->task, true);
  if (exchange.sender) {
    if (session != nullptr) response = fitted(*session, std::move(response));
    const auto req_id = response.req_id;
    const auto sent = exchange.sender->send(std::move(response), now_);
    if (!sent && sent.error() == SendError::not_provided)
      static_cast<void>(exchange.sender->send(not_provided(req_id), now_));
    return;
  }
  response.session_id = kZeroSession;
  if (exchange.datagrams && !says_by_datagram(response)) return;
  exchange.datagrams ? send_datagram(exchange.peer, std::move(response), exchange.link)
                     : send(exchange.peer, std::move(response), exchange.link);
}

// The negative RSP if the profile of either side lacks a function (5.3.4).
Draft Node::not_provided(std::optional<std::uint32_t> req_id) {
  Draft refusal = codes_draft(rsp, codes_of(SessionError::profile));
  refusal.req_id = req_id;
  return refusal;
}

// Returns false if the other side does not accept it, or if this side has agreed to close the session.
bool Node::submit(const Session& session, ChainSender& sender, Draft request) const {
  if (session.phase == SessionPhase::agreed || !is_taken(session, request)) return false;
  const auto sent = sender.send(std::move(request), now_);
  return sent || sent.error() != SendError::not_provided;
}

bool Node::is_taken(const Session& session, const Draft& draft) {
  const OctetBuffer octets = write(draft);
  const auto instruction = decode(octets);
  return instruction && takes(session.peer_profile, *instruction);
}

Draft Node::fitted(const Session& session, Draft response) const {
  if (is_taken(session, response)) return response;
  Draft moved = response;
  if (moved.is(data) && moved.extensions.empty()) {
    moved.extensions.push_back({HeadCode::data, std::exchange(moved.operands, {})});
    if (is_taken(session, moved)) return moved;
  }
  return not_provided(response.req_id);
}

void Node::on_break_off(std::uint32_t number, BreakOff) {
  if (sessions_->find(number) != nullptr) sessions_->abend(number, codes_of(SessionError::window));
}

void Node::send(NodeAddress to, Draft draft, std::optional<LinkId> on) {
  links_->send(to, draft, on);
}

void Node::send_datagram(NodeAddress to, Draft draft, std::optional<LinkId> on) {
  links_->send_datagram(to, draft, on);
}

// ---------------------------------------------------------------------------------------------- the application's side

std::optional<std::uint64_t> Node::begin_job(NodeAddress jcp, std::uint16_t life_time, std::string_view name,
                                             Instant now) {
  now_ = now;
  const auto ltid = tasks_->begin_job(jcp, life_time, name, std::nullopt, now);
  settle();
  return ltid;
}

void Node::complete_job(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  tasks_->complete_job(gjid, codes, now);
  settle();
}

void Node::terminate_task(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  tasks_->terminate_task(gjid, codes, now);
  settle();
}

std::optional<std::uint32_t> Node::open_session(NodeAddress to, const Identifier& gjid, const SessionWish& wish,
                                                Instant now) {
  now_ = now;
  const Tasks::Task* const task = tasks_->find(gjid);
  if (task == nullptr) return std::nullopt;
  const auto id = sessions_->open(to, gjid, task->ltid, wish, now);
  settle();
  return id;
}

void Node::close_session(std::uint32_t session, Instant now) {
  now_ = now;
  sessions_->close(session, {});
  settle();
}

void Node::go_on(std::uint32_t session, Instant now) {
  now_ = now;
  sessions_->go_on(session);
  settle();
}

void Node::abend_session(std::uint32_t session, Codes codes, Instant now) {
  now_ = now;
  sessions_->abend(session, codes);
  settle();
}

void Node::request(std::uint32_t session, Draft draft, Instant now) {
  now_ = now;
  const Session* const known = sessions_->find(session);
  ChainSender* const sender = chains(session);
  const auto req_id = draft.req_id;
  if (known != nullptr && sender != nullptr && !submit(*known, *sender, std::move(draft)))
    events_.push_back(Responded{session, not_provided(req_id)});
  settle();
}

void Node::request_without_session(NodeAddress to, Draft draft, bool by_datagram, Instant now) {
  now_ = now;
  draft.session_id = kZeroSession;
  by_datagram ? send_datagram(to, std::move(draft), {}) : send(to, std::move(draft), {});
}

ChainSender* Node::chains(std::uint32_t session) {
  const auto found = exchanges_.find(session);
  return found == exchanges_.end() ? nullptr : found->second.sender.get();
}

void Node::moved(Instant now) {
  now_ = now;
  settle();
}

bool Node::next_event(NodeEvent& out) {
  if (events_.empty()) return false;
  out = std::move(events_.front());
  events_.pop_front();
  return true;
}

}  // namespace wirelaw::umsp
