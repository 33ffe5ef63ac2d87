// SPDX-License-Identifier: Apache-2.0
// Sessions that commit deviations: they override each step that a deviation changes.
#include <algorithm>
#include <optional>

#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

using enum SessionDeviation;

constexpr std::uint16_t kSomeBlocks = 64;
constexpr Instant kImpatience = std::chrono::seconds(1);

class FaultySessions final : public Sessions {
 public:
  FaultySessions(const SessionOptions& options, Outbox& out, const SessionDeviations& deviations)
      : Sessions(options, out), deviations_(deviations) {}

 private:
  // --- the handshake
  bool takes(const Instruction& instruction) const override {
    return !ignores(session_edits(), deviations_, {instruction});
  }

  void on_first_open(const Origin& origin, std::uint32_t peer_id, const SessionOpen& open) override {
    const auto is_here = [&origin](const auto& entry) {
      return entry.second.link == origin.link && entry.second.is_in_use();
    };
    if (deviates(one_session_per_connection) && std::ranges::any_of(sessions_, is_here)) {
      Session refused{.peer_id = peer_id, .peer = origin.from, .link = origin.link};
      return reject(refused, codes_of(SessionError::room));
    }
    Sessions::on_first_open(origin, peer_id, open);
  }

  bool gives_way(const Session& existing, const Session& asked) const override {
    if (deviates(jcp_refused_again)) return false;
    return deviates(second_session_accepted) || deviates(refusal_ends_session) || Sessions::gives_way(existing, asked);
  }

  void replace(Session& existing, Session& asked) override {
    if (deviates(former_task_kept)) return;
    Sessions::replace(existing, asked);
    if (deviates(second_session_accepted)) asked.again = false;
  }

  std::optional<SessionError> check_open(const SessionOpen& open) const override {
    const bool unnamed = open.required_vm == VmKind{};
    if (deviates(unnamed ? vm_not_chosen : announced_vm_refused)) return SessionError::vm;
    const std::uint32_t missing = options_.profile & ~open.sender_profile & kFunctionFlags;
    if (deviates(sides_alike) && missing != 0) return SessionError::profile;
    return Sessions::check_open(open);
  }

  void register_again(const Session& session) {
    const auto jcp = node_of(session.gjid);
    if (!jcp) return;
    Draft draft = TaskReg{.ctid = options_.format.task_id(session.gjid.task),
                          .gtid = gtid_of(session.peer, session.received->ltid),
                          .ltid = options_.format.task_id(session.id + 0x100)}
                      .draft();
    draft.req_id = out_.new_request();
    out_.send(*jcp, std::move(draft));
  }

  void admit(Session& session) override {
    const auto is_of_job = [&session](const auto& entry) {
      return entry.second.id != session.id && entry.second.gjid == session.gjid;
    };
    if (deviates(task_registered_again) && std::ranges::any_of(sessions_, is_of_job)) register_again(session);
    if (deviates(jcp_asked_again) && session.again) register_again(session);
    Sessions::admit(session);
  }

  Opening opening_of(const Session& session) override {
    Opening opening = Sessions::opening_of(session);
    if (!first_job_) first_job_ = opening.gjid;
    if (deviates(one_task_for_all)) opening.gjid = *first_job_;
    if (deviates(opener_ltid_changed)) ++opening.opener_ltid.number;
    return opening;
  }

  SessionOpen open_for(const Session& session, const SessionWish& wish) const override {
    SessionOpen open = Sessions::open_for(session, wish);
    if (deviates(opened_for_another_job) && session.initiator) ++open.gjid.task;
    return open;
  }

  void accept(Session& session) override {
    const std::uint32_t id = session.id;
    Sessions::accept(session);
    if (deviates(accepted_not_open)) sessions_.erase(id);
  }

  void counter(Session& session) override {
    Sessions::counter(session);
    if (deviates(open_before_accept) && !session.initiator) establish(session);
  }

  void establish(Session& session) override {
    Sessions::establish(session);
    const auto is_other = [&session](const auto& entry) {
      return entry.second.id != session.id && entry.second.gjid == session.gjid;
    };
    if (deviates(one_session_of_a_task)) std::erase_if(sessions_, is_other);
    if (deviates(window_zero_overlooked) && session.peer_window == 0) session.peer_window = kSomeBlocks;
  }

  // --- the zero-session
  bool works_without_session() const override {
    if (deviates(zero_session_unserved)) return false;
    if (deviates(zero_session_needs_open) && !zero_session_opened_) return false;
    return Sessions::works_without_session();
  }

  // Treats the sender as if it had opened a session of that job.
  void take_for_session(const Origin& origin, const SessionOpen& open) {
    const std::uint32_t id = new_id();
    Session& session = sessions_[id];
    session = {.id = id, .peer = origin.from, .link = origin.link, .gjid = open.gjid};
    session.phase = SessionPhase::open;
  }

  void counter_zero_open(const Origin& origin, const SessionOpen& open) {
    const Session self{.gjid = open.gjid};
    Draft draft = open_for(self, {open.sender_vm, open.sender_profile}).draft();
    draft.session_id = kZeroSession;
    draft.req_id = kZeroSession;
    out_.send(origin.from, std::move(draft), origin.link);
  }

  void on_zero_open(const Origin& origin, const Instruction& instruction) override {
    zero_session_opened_ = true;
    const auto open = SessionOpen::read(instruction);
    if (open && deviates(zero_open_registered)) ask_about({open->gjid, origin.from, open->ltid});
    if (deviates(zero_open_unanswered)) return;
    if (open && deviates(zero_open_countered)) return counter_zero_open(origin, *open);
    Sessions::on_zero_open(origin, instruction);
    if (open && deviates(zero_open_makes_session)) take_for_session(origin, *open);
  }

  // --- the closing
  void on_activity(Session& session) override {
    if (!deviates(closing_not_cancelled)) Sessions::on_activity(session);
  }

  bool ends_closing(const Instruction& instruction) const override {
    const bool response = instruction.opcode() == static_cast<std::uint8_t>(Opcode::rsp) ||
                          instruction.opcode() == static_cast<std::uint8_t>(Opcode::rsp_p);
    return (deviates(response_cancels_closing) && response) || Sessions::ends_closing(instruction);
  }

  void close(std::uint32_t id, Codes codes) override {
    Sessions::close(id, codes);
    if (Session* const session = find(id); session != nullptr && deviates(closing_times_out))
      session->due = now_ + kImpatience;
  }

  void on_open_timeout(Session& session) override {
    if (session.phase == SessionPhase::closing) return finish(session, {}, false);
    Sessions::on_open_timeout(session);
  }

  void on_closing_answer(Session& session, const Instruction& instruction) override {
    const bool agreed = read_codes(instruction).value_or(Codes{}).basic == 0;
    if (!agreed && deviates(refused_closing_ends)) return finish(session, {}, false);
    Sessions::on_closing_answer(session, instruction);
  }

  // --- common steps
  bool is_usable(const Session& session, const Origin& from) const override {
    if (deviates(session_bound_to_connection) && session.is_in_use() && session.link != from.link) return false;
    return Sessions::is_usable(session, from);
  }

  Session* addressed(std::uint32_t id, const Origin& origin, const Instruction& instruction) override {
    Session* const session = Sessions::addressed(id, origin, instruction);
    const bool closes = instruction.opcode() == static_cast<std::uint8_t>(Opcode::session_close);
    if (session != nullptr || !closes || !deviates(close_of_unknown_taken) || sessions_.empty()) return session;
    return &sessions_.begin()->second;
  }

  bool deviates(SessionDeviation deviation) const { return deviations_.has(deviation); }
  bool deviates(SessionDeviation deviation, const Instruction& instruction) const {
    return deviates(deviation) && !instruction.extensions.empty();
  }
  SessionDeviations deviations_;
  std::optional<Identifier> first_job_;
  bool zero_session_opened_ = false;
};

}  // namespace

std::unique_ptr<Sessions> make_sessions(const SessionOptions& options, Outbox& out,
                                        const SessionDeviations& deviations) {
  return std::make_unique<FaultySessions>(options, out, deviations);
}

}  // namespace wirelaw::umsp
